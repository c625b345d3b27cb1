// Handlers run natively and on the engines; packets, memory and arrays must be equal.
// One loop reads and writes several parts of the memory, which lie apart for as many iterations as
// it has at most.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler adam --packet-bytes 400 --in %t.float.in --mem %t.float.mem %t.acis
// RUN: not acisc --config=u280.json -DMOST=1025 %s -o %t.none.acis 2>&1 | FileCheck %s
// CHECK: regions.c:[[#]]:{{[0-9]+}}: error: memory is read here that the same loop may have written, in this iteration or an earlier one
// RUN: not acisc --config=u280.json -DUNBOUNDED %s -o %t.none.acis 2>&1 | FileCheck %s
#include <acis.h>
#include <math.h>
#ifndef MOST
#define MOST 1024
#endif
ACIS_HANDLER void adam(const float *restrict in, float *restrict out, float *restrict mem,
                       uint32_t *len) {
  uint32_t n = *len / 4;
#ifndef UNBOUNDED
  if (n > MOST)
    n = MOST;
#endif
  float *m = mem, *v = mem + 1024, *w = mem + 2048;
  for (uint32_t i = 0; i < n; i++) {
    float g = in[i];
    m[i] = 0.9f * m[i] + 0.1f * g;
    v[i] = 0.999f * v[i] + 0.001f * g * g;
    w[i] -= 0.01f * m[i] / (sqrtf(v[i]) + 1e-8f);
    out[i] = w[i];
  }
}
