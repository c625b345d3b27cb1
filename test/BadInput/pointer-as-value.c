// A loop that computes with an address.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
ACIS_HANDLER void address(const int32_t *restrict in, int32_t *restrict out,
                          const int32_t *restrict mem, uint32_t *len) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: pointer-as-value.c:[[#@LINE+1]]:{{[0-9]+}}: error: loop not mapped: it computes with a pointer as a value
    sum += in[i] ^ (uint32_t)(uintptr_t)&in[i];
  out[0] = sum;
}
