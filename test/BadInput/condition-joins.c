// In a loop over an array a goto leads from two conditions past a loop to where both end; a sum in
// the order of lanes needs the array.
// RUN: rm -rf %t && mkdir %t
// RUN: %refused %t/out.acis acisc %s --config=%overlays/u280.json -o %t/out.acis | FileCheck %s --implicit-check-not=error:
// RUN: acisc %s --config=%overlays/u280.json -DONE_WAY -o %t/good.acis
#include <acis.h>
ACIS_HANDLER void joins(const int32_t *restrict in, int32_t *restrict out,
                        const int32_t *restrict mem, uint32_t *len) {
  static int32_t a[64], b[64];
  acis_sum_f32 sum = {0};
  for (uint32_t i = 0; i < 64; i++)
    a[i] = in[i];
  for (uint32_t i = 0; i < 64; i++) {
    int32_t v = a[i], r = 1, q = 0;
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
    b[i] = r + q;
    acis_sum_f32_add(&sum, (float)v);
  }
  for (uint32_t i = 0; i < 64; i++)
    out[i] = b[i] + (int32_t)acis_sum_f32_get(&sum);
}
