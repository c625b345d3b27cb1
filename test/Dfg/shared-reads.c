// Memory that several operations read is read for each of them where the interval is smaller then:
// on a chain of PEs a link carries one value. RUN: acisc %s --config %overlays/u280-full.json
// --emit=mapped -o - | FileCheck %s RUN: acisc %s -DNEAR --config %overlays/u280-full.json --emit=mapped
// -o - | FileCheck %s --check-prefix=AS_IS RUN: acisc %s -DWRITES --config %overlays/u280-full.json
// --emit=mapped -o - | FileCheck %s --check-prefix=WRITES CHECK-COUNT-8: dfg.mem.read CHECK-NOT:
// dfg.mem.read

// One that reaches the bound as it is, is left so.
// AS_IS: ii = 1
// AS_IS-COUNT-4: dfg.mem.read
// AS_IS-NOT: dfg.mem.read

// What is written may not be read twice.
// WRITES: ii = 2
// WRITES: dfg.mem.read
// WRITES-NOT: dfg.mem.read
#include <acis.h>

#ifdef WRITES
ACIS_HANDLER void squares(const double *restrict in, double *restrict out, double *restrict mem,
                          uint32_t *len) {
  for (uint32_t i = 0; i < *len / sizeof(double); ++i) {
    const double a = in[i], b = mem[i];
    out[i] = (a * b) * (b + a) * (a - b) * (b * 3);
    mem[i] = b + 1;
  }
}
#else
ACIS_HANDLER void products(const double *restrict in, double *restrict out,
                           const double *restrict mem, uint32_t *len) {
  const uint32_t rows = *len / sizeof(double);
  for (uint32_t i = 0; i < rows; ++i) {
    const double a = in[i], b = mem[i], c = mem[rows + i], d = mem[2 * rows + i],
                 e = mem[3 * rows + i];
#ifdef NEAR
    out[i] = a * b * b * c * d * e;
#else
    out[i] = 0.3 * (((a * b) * (c * d)) * e) + 0.7 * (((e * d) * (c * b)) * a);
#endif
  }
}
#endif
