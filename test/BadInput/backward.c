// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
ACIS_HANDLER void reverse(const int32_t *restrict in, int32_t *restrict out,
                          const int32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    // CHECK: backward.c:[[#@LINE+1]]:20: error: the position in stream 'out' moves backward; a stream is accessed forward: copy what is needed again or in another order into an array
    out[n - 1 - i] = in[i];
}
