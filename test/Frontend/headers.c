// acis.h, the headers inside the compiler and Clang's own freestanding ones live
// together; the first two need no file.
// RUN: rm -rf %t && mkdir %t
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=frontend -DCLANGS | FileCheck %s
// RUN: acisc %s --config=%overlays/u280-full.json --stop-after=frontend --resource-dir=%t | FileCheck %s
// RUN: acisc %s --config=%overlays/u280-full.json -o /dev/null
// Those of Clang need its folder.
// RUN: not acisc %s --config=%overlays/u280-full.json --stop-after=frontend -DCLANGS --resource-dir=%t 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: %host_cc -std=c11 -Wall -Wextra -Werror -Wno-unused-parameter -fsyntax-only -I%src_root/compiler/frontend/include %s
#include <acis.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef CLANGS
// NOWHERE: headers.c:[[#@LINE+1]]:10: fatal error: 'float.h' file not found
#include <float.h>
#include <limits.h>
#endif
_Static_assert(sizeof(int64_t) == 8 && INT32_MAX == 2147483647 && UINT64_MAX > INT64_MAX, "");
_Static_assert(INT8_MIN == -128 && UINT16_C(7) == 7 && SIZE_MAX >= UINT32_MAX, "");
// CHECK-DAG: call float @llvm.sqrt.f32
// CHECK-DAG: call float @llvm.fabs.f32
// CHECK-DAG: call {{.*}}@llvm.memset
ACIS_HANDLER void h(const float *restrict in, float *restrict out, const void *restrict mem,
                    uint32_t *len) {
  float table[32];
  bool first = true;
  memset(table, 0, sizeof table);
  for (size_t i = 0; i < 32; i++)
    out[i] = sqrtf(fabsf(in[i])) + table[i] + first;
}
