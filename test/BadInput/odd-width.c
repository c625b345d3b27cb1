// Zeros in front of a number of 48 bits: no operation counts them. Of 32 bits one does.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=%overlays/u280.json -DBITS=48 -o %t/out.acis | FileCheck %s --implicit-check-not=error:
// RUN: acisc %s --config=%overlays/u280.json -DBITS=32 -o %t/good.acis
#include <acis.h>
ACIS_HANDLER void odd(const int32_t *restrict in, int32_t *restrict out,
                      const int32_t *restrict mem, uint32_t *len) {
  unsigned _BitInt(BITS) x = 0;
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: odd-width.c:[[#@LINE+1]]:{{.*}} error: operation 'sext' has type i48, which the lanes of the overlay do not hold; allowed are integers of 8, 16, 32 and 64 bits, float and double
    x += (unsigned)__builtin_clzg((unsigned _BitInt(BITS))in[i], 0);
  out[0] = (int32_t)x;
}
