// The lanes of a loop with 64-bit values are fewer than those that the order of acis_sum_f32 has.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
// RUN: acisc -DSUM=acis_sum_f64 %s --config=u280-full.json -o %t/out.acis
#include <acis.h>
#ifndef SUM
#define SUM acis_sum_f32
#endif
ACIS_HANDLER void sum(const int64_t *restrict in, double *restrict out, const float *restrict mem,
                      uint32_t *len) {
  uint32_t n = *len / 8;
  SUM s = {0};
  for (uint32_t i = 0; i < n; i++)
    // CHECK: sum-in-wide-loop.c:[[#@LINE+1]]:{{[0-9]+}}: error: sum of 32-bit values in a loop with 64-bit ones, which has fewer lanes and another order; use acis_sum_f64, or convert to 32 bits in a loop before
    acis_sum_add(&s, (float)in[i]);
  out[0] = acis_sum_get(&s);
  *len = 8;
}
