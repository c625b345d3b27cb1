// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
ACIS_HANDLER void extended(const double *restrict in, double *restrict out,
                           const double *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 8; i++)
    // CHECK: missing-type.c:[[#@LINE+1]]:{{[0-9]+}}: error: the overlay cannot compute with 'long double'; use double
    out[i] = (double)((long double)in[i] / 3.0L);
}
ACIS_HANDLER void half(const float *restrict in, float *restrict out,
                       const float *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: missing-type.c:[[#@LINE+1]]:{{[0-9]+}}: error: the overlay cannot compute with a 16-bit floating-point type; use float
    out[i] = (float)((_Float16)in[i] * (_Float16)3);
}
