// A step that comes with the data.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
ACIS_HANDLER void strided(const int32_t *restrict in, int32_t *restrict out,
                          const int32_t *restrict mem, uint32_t *len) {
  uint32_t step = mem[0];
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: stride-not-constant.c:[[#@LINE+1]]:{{[0-9]+}}: error: position moves by a step that is not constant; the address generators of the overlay have constant strides
    out[i] = mem[step * i];
}
