// A goto leads from two conditions past a loop to where both end.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=%overlays/u280.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
// RUN: acisc %s --config=%overlays/u280.json -DONE_WAY -o %t/good.acis
#include <acis.h>
ACIS_HANDLER void joins(const int32_t *restrict in, int32_t *restrict out,
                        const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 4; i++) {
    int32_t v = in[i], r = 1, q = 0;
#ifdef ONE_WAY
    r = v > 100 ? 4 : v > 50 ? 7 : 1;
    q = v * v;
#else
    if (v > 100) {
      for (uint32_t j = 0; j < 4; j++)
        q = q * v + j;
      if (q & 1)
        goto end;
      r = 4;
    } else if (v > 50) {
      r = 3;
      // CHECK: condition-joins.c:[[#@LINE+1]]:{{.*}} error: loop not mapped: a condition joins in more than two ways; compute the condition first, with & and |
      if (v & 2)
        goto end;
      r = 7;
      for (uint32_t j = 0; j < 5; j++)
        q = q * v + j;
    }
  end:
#endif
    out[i] = r + q;
  }
}
