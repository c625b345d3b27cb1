// Handlers run natively and on the engines; packets, memory and arrays must be equal.
// Loops that are unrolled one by one may be more operations together than a launch can have: then the
// loops in the loop around them stay loops.
// RUN: acisc --config=%overlays/u280-full.json --remarks %s -o %t.acis 2>&1 | FileCheck %s
// CHECK: unrolled-step.c:30:5: remark: loop mapped:
// CHECK: unrolled-step.c:31:5: remark: loop mapped:
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: %compare --handler products --packet-bytes 576 --in %t.word.in --mem %t.word.mem %t.acis
#include <acis.h>
enum { N = 6 };
static const int32_t C[N][N] = {{64, 65, 66, 67, 68, 69},       {89, 75, 50, 18, -18, -50},
                                {83, 36, -36, -83, -84, -37},   {75, -19, -89, -51, 51, 90},
                                {60, -64, -61, 62, 63, -59},    {52, -88, 17, 76, -74, -16}};
#define PRODUCT(x, t)                                                                              \
  for (int i = 0; i < N; i++)                                                                      \
    for (int j = 0; j < N; j++) {                                                                  \
      int32_t s = 0;                                                                               \
      for (int k = 0; k < N; k++)                                                                  \
        s += C[j][k] * x[i][k];                                                                    \
      t[j][i] = s;                                                                                 \
    }
#define EACH for (int i = 0; i < N; i++) for (int j = 0; j < N; j++)
ACIS_HANDLER void products(const int32_t *restrict in, int32_t *restrict out,
                           const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t b = 0; b < *len / 288; b++) {
    int32_t x[N][N], y[N][N], t[N][N], u[N][N];
    EACH x[i][j] = in[b * 72 + i * N + j];
    EACH y[i][j] = in[b * 72 + 36 + i * N + j];
    PRODUCT(x, t)
    PRODUCT(y, u)
    EACH out[b * 72 + i * N + j] = t[i][j];
    EACH out[b * 72 + 36 + i * N + j] = u[i][j];
  }
  *len = *len / 288 * 288;
}
