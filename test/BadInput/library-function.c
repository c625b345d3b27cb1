// Functions that lanes do not have: what would do instead.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
ACIS_HANDLER void waves(const double *restrict in, double *restrict out, const double *restrict mem,
                        uint32_t *len) {
  for (uint32_t i = 0; i < *len / 8; i++)
    // CHECK: library-function.c:[[#@LINE+1]]:{{[0-9]+}}: error: operation 'llvm.sin.f64' is not offered by any unit of the overlay; compute it from arithmetic, comparisons, min, max, abs and sqrt
    out[i] = __builtin_sin(in[i]);
}

ACIS_HANDLER void remainders(const double *restrict in, double *restrict out,
                             const double *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 8; i++)
    // CHECK: library-function.c:[[#@LINE+1]]:{{[0-9]+}}: error: operation 'frem' is not offered by any unit of the overlay; write it with other operations
    out[i] = __builtin_fmod(in[i], 3.0);
}
