// RUN: acisc %s --config=%overlays/u280-full.json --verify-each -emit-llvm | FileCheck %s
// IndVarSimplify finds that a condition is the same in each iteration (0 < ..., unsigned)
// and marks the loop for another pass; the compiler must know the mark.
#include <acis.h>
// CHECK-LABEL: define {{.*}}void @f(
// CHECK: ret void
ACIS_HANDLER void f(const uint32_t *restrict in, uint32_t *restrict out,
                    const uint32_t *restrict mem, uint32_t *len) {
  static uint32_t y[3][16];
  uint32_t n = in[0] & 7;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t u = 0; u < 3; u++)
      for (uint32_t l = 0; l < 16; l++) {
        uint32_t v = in[16 + (i * 3 + u) * 16 + l];
        y[u][l] += v < (i ^ u) ? u ^ u : l - l;
      }
  for (uint32_t u = 0; u < 3; u++)
    for (uint32_t l = 0; l < 16; l++)
      out[u * 16 + l] = y[u][l];
}
