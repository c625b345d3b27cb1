// A byte offset that need not be a multiple of the element, and one that is none.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
ACIS_HANDLER void offsets(const int32_t *restrict in, int32_t *restrict out,
                          const int32_t *restrict mem, uint32_t *len) {
  static int32_t table[64];
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: index-not-whole.c:[[#@LINE+1]]:{{[0-9]+}}: error: the index of array 'offsets.table' is not a whole number of elements
    out[i] = *(int32_t *)((char *)table + in[i]);
}
