// Memory is what parameters and arrays name; a number is no address.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
ACIS_HANDLER void absolute(const int32_t *restrict in, int32_t *restrict out,
                           const int32_t *restrict mem, uint32_t *len) {
  const int32_t *fixed = (const int32_t *)4096, *told = (const int32_t *)(uintptr_t)in[0];
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: pointer-from-number.c:[[#@LINE+1]]:{{[0-9]+}}: error: the pointer does not come from a parameter or an array of the handler
    out[i] = fixed[i];
  for (uint32_t i = 0; i < *len / 4; i++)
    // CHECK: pointer-from-number.c:[[#@LINE+1]]:{{[0-9]+}}: error: the pointer does not come from a parameter or an array of the handler
    out[i] = told[i];
}
