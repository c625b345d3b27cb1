// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
float sinf(float);
ACIS_HANDLER void sine(const float *restrict in, float *restrict out,
                       const float *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: missing-operation.c:[[#@LINE+1]]:{{[0-9]+}}: error: operation 'llvm.sin.f32' is not offered by any unit of the overlay; compute it from arithmetic, comparisons, min, max, abs and sqrt
    out[i] = sinf(in[i]);
}
