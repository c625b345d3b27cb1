// Two loops of one macro have one place in the source: what is wrong with one says nothing of the
// other, which is still mapped.
// RUN: sed -e 's/"convert", //' -e 's/, "divide"\]/]/' %overlays/mesh4x4.json > %t.json
// RUN: acisc %s --config=%t.json --remarks --scalar-loops -o %t.acis 2>&1 | FileCheck %s
// RUN: acisc %s --config=%t.json --remarks --scalar-loops -DLAST -o %t.last 2>&1 | FileCheck %s
// RUN: not acisc %s --config=%t.json -o %t.none 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: one-place.c:[[#@LINE+20]]:3: error: loop not mapped: 'udiv#{{[0-9]+}}' needs a divide unit
// ERROR-NOT: error:
#include <acis.h>

#define SCALE for (uint32_t i = 0; i < n / 2; ++i) out[i] = in[i] * 5 + 3;
#define DIVIDE for (uint32_t i = n / 2; i < n; ++i) out[i] = in[i] / 7;
#ifdef LAST
#define BOTH DIVIDE for (uint32_t i = n; i < n + 8; ++i) out[i] = in[i] * 5 + 3;
#else
#define BOTH SCALE DIVIDE
#endif

ACIS_HANDLER void f(const uint32_t *restrict in, uint32_t *restrict out,
                    const uint32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
#ifdef LAST
  n -= 8;
#endif
  // CHECK-DAG: one-place.c:[[#@LINE+2]]:3: warning: loop not mapped: 'udiv#{{[0-9]+}}' needs a divide unit
  // CHECK-DAG: one-place.c:[[#@LINE+1]]:3: remark: loop mapped: II 1
  BOTH
}
