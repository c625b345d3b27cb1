// What was mapped: as remarks at the loops, as text and as JSON.
// RUN: acisc %s --config=%overlays/u280-full.json -o %t.acis --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: report.c:31:{{[0-9]+}}: remark: loop not mapped {{.*}}(the scalar unit runs it and launches the loops in it)
// REMARK: report.c:27:3: remark: loop mapped: II 1, resources 1 (1 stream reads on one port), recurrences 1, proven optimal; 16 lanes of 32 bits; graph {{[0-9]+}} nodes, {{[0-9]+}} edges, optimised 2, 1; 2 of 16 PEs used
// REMARK-NEXT: 27 |
// REMARK-NEXT: ^
// Without the option: nothing.
// RUN: acisc %s --config=%overlays/u280-full.json -o %t.acis 2>&1 | count 0
// RUN: acisc %s --config=%overlays/u280-full.json -o %t.acis --report 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: report.c for u280-full: {{[0-9]+}} bytes
// TEXT-NEXT: matvec.k0 ({{.*}}report.c:27): loop mapped: II 1
// TEXT-NEXT: matvec.k1 ({{.*}}report.c:31): loop mapped: II 1
// TEXT-NEXT: scalar unit ({{.*}}report.c:[[#]]): loop not mapped{{.*}} (the scalar unit runs it and launches the loops in it)
// RUN: acisc %s --config=%overlays/u280-full.json -o %t.acis --report=%t.json
// RUN: %python %S/Inputs/report.py %t.json
// The format alone: beside the output, under its name.
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: acisc %s --config=%overlays/u280-full.json -o %t.dir/out.acis --report=json
// RUN: %python %S/Inputs/report.py %t.dir/out.json
// RUN: not acisc %s --config=%overlays/u280-full.json -o %t.acis --report=%t.none/r.json 2>&1 | FileCheck %s --check-prefix=NODIR
// NODIR: acisc: error: cannot write '{{.*}}none/r.json'
#include <acis.h>

ACIS_HANDLER void matvec(const float *restrict in, float *restrict out, const float *restrict mem,
                         uint32_t *len) {
  float x[256];
  for (uint32_t k = 0; k < 256; k++)
    x[k] = in[k];
  for (uint32_t r = 0; r < 48; r++) {
    acis_sum_f32 s = {0};
    for (uint32_t k = 0; k < 256; k++) acis_sum_add(&s, mem[r * 256 + k] * x[k]);
    out[r] = acis_sum_get(&s);
  }
}
