// More tries find an interval that the usual ones do not: a mixture of products, as acis-spn makes them.
// RUN: acisc %s --config=%overlays/u280-full.json -o %t.acis --report 2>&1 | FileCheck %s --check-prefix=USUAL
// USUAL: loop mapped: II 3, resources 2
// RUN: acisc %s --config=%overlays/u280-full.json -o %t.acis --mapper=persistent --report 2>&1 | FileCheck %s --check-prefix=MORE
// MORE: loop mapped: II 2, resources 2
// The number of threads changes nothing here either.
// RUN: acisc %s --config=%overlays/u280-full.json -o %t.threads.acis --mapper=persistent --mapper-threads=3
// RUN: cmp %t.acis %t.threads.acis
#include <acis.h>

ACIS_HANDLER void spn(const double *restrict in, double *restrict out,
                  const double *restrict mem, uint32_t *len) {
  const uint32_t rows = *len / sizeof(double);
  for (uint32_t i = 0; i < rows; ++i) {
    const double x0 = in[i];
    const double x1 = mem[i];
    const double x2 = mem[1 * rows + i];
    const double x3 = mem[2 * rows + i];
    const double x4 = mem[3 * rows + i];
    const double x5 = mem[4 * rows + i];
    const double x6 = mem[5 * rows + i];
    const double x7 = mem[6 * rows + i];
    const double x8 = mem[7 * rows + i];
    const double x9 = mem[8 * rows + i];
    const double x10 = mem[9 * rows + i];
    const double x11 = mem[10 * rows + i];
    const double x12 = mem[11 * rows + i];
    const double x13 = mem[12 * rows + i];
    const double x14 = mem[13 * rows + i];
    const double x15 = mem[14 * rows + i];
    const double p0 = x6;
    const double p1 = x6;
    const double p2 = (0x1.0000000000000p-1 * p0 + 0x1.0000000000000p-1 * p1);
    const double p3 = x8;
    const double p4 = (p2 * p3);
    const double p5 = x15;
    const double p6 = x4;
    const double p7 = (p5 * p6);
    const double p8 = x15;
    const double p9 = x4;
    const double p10 = (p8 * p9);
    const double p11 = (0x1.c000000000000p-2 * p7 + 0x1.2000000000000p-1 * p10);
    const double p12 = x4;
    const double p13 = x15;
    const double p14 = (p12 * p13);
    const double p15 = (0x1.1000000000000p-1 * p11 + 0x1.e000000000000p-2 * p14);
    const double p16 = x15;
    const double p17 = x4;
    const double p18 = 0x1.0000000000000p+0 * p17;
    const double p19 = (p16 * p18);
    const double p20 = (0x1.0800000000000p-1 * p15 + 0x1.f000000000000p-2 * p19);
    const double p21 = (p4 * p20);
    const double p22 = x12;
    const double p23 = x12;
    const double p24 = (0x1.f000000000000p-2 * p22 + 0x1.0800000000000p-1 * p23);
    const double p25 = x3;
    const double p26 = (p24 * p25);
    const double p27 = (p21 * p26);
    const double p28 = x11;
    const double p29 = x7;
    const double p30 = x9;
    const double p31 = 0x1.0000000000000p+0 * p30;
    const double p32 = x10;
    const double p33 = 0x1.0000000000000p+0 * p32;
    const double p34 = (p31 * p33);
    const double p35 = (p29 * p34);
    const double p36 = (p28 * p35);
    const double p37 = 0x1.0000000000000p+0 * p36;
    const double p38 = x14;
    const double p39 = x14;
    const double p40 = (0x1.c000000000000p-2 * p38 + 0x1.2000000000000p-1 * p39);
    const double p41 = 0x1.0000000000000p+0 * p40;
    const double p42 = x13;
    const double p43 = x2;
    const double p44 = (p42 * p43);
    const double p45 = x0;
    const double p46 = x1;
    const double p47 = (p45 * p46);
    const double p48 = 0x1.0000000000000p+0 * p47;
    const double p49 = x5;
    const double p50 = (p48 * p49);
    const double p51 = 0x1.0000000000000p+0 * p50;
    const double p52 = (p44 * p51);
    const double p53 = (p41 * p52);
    const double p54 = (p37 * p53);
    const double p55 = 0x1.0000000000000p+0 * p54;
    const double p56 = (p27 * p55);
    const double p57 = 0x1.0000000000000p+0 * p56;
    const double p58 = 0x1.0000000000000p+0 * p57;
    out[i] = p58;
  }
  *len = rows * sizeof(double);
}
