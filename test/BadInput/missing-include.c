// Headers of a library that handlers do not have, and one that there is nowhere.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=u280-full.json -o %t/out.acis | FileCheck %s
// RUN: %refused %t/out.acis acisc -DOTHER %s --config=u280-full.json -o %t/out.acis | FileCheck %s --check-prefix=OTHER
#include <acis.h>
#ifdef OTHER
// OTHER: missing-include.c:[[#@LINE+1]]:10: fatal error: 'tables/of-mine.h' file not found
#include "tables/of-mine.h"
#else
// CHECK: missing-include.c:[[#@LINE+1]]:10: fatal error: 'setjmp.h' file not found
#include <setjmp.h>
#endif

ACIS_HANDLER void copy(const int32_t *restrict in, int32_t *restrict out,
                       const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++)
    out[i] = in[i];
}
