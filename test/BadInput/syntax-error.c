// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
ACIS_HANDLER void syntax(const int32_t *restrict in, int32_t *restrict out,
                         const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: syntax-error.c:[[#@LINE+1]]:{{[0-9]+}}: error: expected ';' after expression
    out[i] = in[i] + 2
}
// CHECK: 1 error generated.
