// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
// CHECK: aliasing.c:[[#@LINE+1]]:{{[0-9]+}}: error: handler 'aliasing' not mapped: what 'in' points to may alias another parameter; add restrict
ACIS_HANDLER void aliasing(const int32_t *in, int32_t *restrict out, int32_t *restrict mem,
                           uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = in[i] + 1;
}
// CHECK: 1 error generated.
