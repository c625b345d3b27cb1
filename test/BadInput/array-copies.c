// Copies and fills of arrays that are no loop over elements: of a part, of a length or with a byte that
// comes with the packet.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
#include <string.h>
ACIS_HANDLER void part(const int32_t *restrict in, int32_t *restrict out,
                       const int32_t *restrict mem, uint32_t *len) {
  static int32_t a[64];
  // CHECK: array-copies.c:[[#@LINE+1]]:{{[0-9]+}}: error: copy or fill of 30 bytes of an array whose elements have 4
  memcpy(a, mem, 30);
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = a[i & 63];
}

ACIS_HANDLER void length(const int32_t *restrict in, int32_t *restrict out,
                         const int32_t *restrict mem, uint32_t *len) {
  static int32_t a[64];
  // CHECK: array-copies.c:[[#@LINE+1]]:{{[0-9]+}}: error: copy or fill of an array with a length that may not be whole elements; multiply a number of elements by their size, or write a loop over them
  memcpy(a, mem, in[0]);
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = a[i & 63];
}

ACIS_HANDLER void byte(const int32_t *restrict in, int32_t *restrict out,
                       const int32_t *restrict mem, uint32_t *len) {
  static int32_t a[64];
  // CHECK: array-copies.c:[[#@LINE+1]]:{{[0-9]+}}: error: fill of an array with a byte that is not a constant; write a loop over its elements
  memset(a, in[0], 64);
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = a[i & 63];
}
