// Integers that no lane holds, in an operation and in an access.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
ACIS_HANDLER void product(const int32_t *restrict in, int32_t *restrict out,
                          const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: wide-integer.c:[[#@LINE+1]]:{{[0-9]+}}: error: the overlay cannot compute with an integer of more than 64 bits; use uint64_t
    out[i] = (int32_t)((unsigned _BitInt(100))in[i] * (unsigned _BitInt(100))mem[i] >> 40);
}
