// A nest whose inner loops are unrolled and then find no place is mapped with them as loops.
// RUN: acisc --config=%overlays/u280-full.json --remarks %s -o %t.acis 2>&1 | FileCheck %s
// CHECK: rolled.c:31:3: remark: loop mapped:
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler bodies --packet-bytes 192 --in %t.float.in --mem %t.float.mem %t.acis
// Where the loops fit in neither form, the error is about the last that was tried.
// RUN: not acisc --config=tiny.json -DLARGE %s -o %t.none.acis 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// NONE: rolled.c:[[#]]:[[#]]: error: loop not mapped: no place and route found for
#include <acis.h>
#include <math.h>
#ifdef LARGE
#define MORE(x) ((x) * (x) * (x) + (x) / 3.0f + (x) * 5.0f - sqrtf(x) / 7.0f)
#else
#define MORE(x) (x)
#endif
enum { N = 16 };
ACIS_HANDLER void bodies(const float *restrict in, float *restrict out, float *restrict mem,
                         uint32_t *len) {
  float p[N][3], a[N][3];
  if (*len < N * 12) {
    *len = 0;
    return;
  }
  for (int i = 0; i < N; i++)
    for (int d = 0; d < 3; d++) {
      p[i][d] = in[i * 3 + d];
      a[i][d] = 0;
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float x = p[j][0] - p[i][0], y = p[j][1] - p[i][1], z = p[j][2] - p[i][2];
      float square = MORE(x * x + y * y + z * z + 1e-3f);
      float inverse = MORE(1.0f / (square * sqrtf(square)));
      a[i][0] += x * inverse;
      a[i][1] += y * inverse;
      a[i][2] += z * inverse;
    }
  for (int i = 0; i < N; i++)
    for (int d = 0; d < 3; d++)
      out[i * 3 + d] = a[i][d];
  *len = N * 12;
}
