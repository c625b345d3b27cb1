// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
ACIS_HANDLER void gaps(const int32_t *restrict in, int32_t *restrict out,
                       const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: output-gaps.c:[[#@LINE+1]]:{{[0-9]+}}: error: stream position moves by 8 bytes from lane to lane, elements have 4; they have to be adjacent: collect single values in an array and send it by a loop
    out[2 * i] = in[i];
}
