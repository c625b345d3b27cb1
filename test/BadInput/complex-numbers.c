// What the language does by a function of the compiler's library.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
#include <acis.h>
ACIS_HANDLER void complex(const _Complex float *restrict in, _Complex float *restrict out,
                          const float *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 8; i++)
    // CHECK: complex-numbers.c:[[#@LINE+1]]:{{[0-9]+}}: error: call of '__mulsc3', which is not defined in this file; a handler can only call what is compiled with it
    out[i] = in[i] * in[i];
}
