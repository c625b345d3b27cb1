// A nest inside of another loop would take more values from outside than a launch has arguments for,
// if its inner loops were unrolled: they stay loops.
// RUN: acisc --config=%overlays/u280.json --remarks %s -o %t.acis 2>&1 | FileCheck %s
// CHECK: remark: loop mapped: {{.*}} float operations on
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python %S/Inputs/words.py %t
// RUN: acis-compare --config %overlays/u280.json --native %t.so --handler filter --in %t.float.in \
// RUN:   --mem %t.float.mem --packet-bytes 1024 %t.acis
// RUN: acis-compare --config %overlays/u280.json --native %t.so --handler looked_up --in %t.word.in \
// RUN:   --mem %t.word.mem --packet-bytes 236 %t.acis
#include <acis.h>
enum { H = 16, W = 16, K = 5 };
static float weights[K][K];
ACIS_HANDLER void filter(const float *restrict in, float *restrict out, const float *restrict mem,
                         uint32_t *len) {
  float x[H][W], y[H][W];
  if (*len < H * W * 4) {
    *len = 0;
    return;
  }
  for (int i = 0; i < K * K; i++)
    weights[i / K][i % K] = mem[i];
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++)
      x[i][j] = in[i * W + j];
  for (int i = 0; i < H - K + 1; i++)
    for (int j = 0; j < W - K + 1; j++) {
      float s = 0;
      for (int k = 0; k < K; k++)
        for (int l = 0; l < K; l++)
          s += weights[k][l] * x[i + k][j + l];
      y[i][j] = s;
    }
  for (int i = 0; i < H - K + 1; i++)
    for (int j = 0; j < W - K + 1; j++)
      out[i * (W - K + 1) + j] = y[i][j];
  *len = (H - K + 1) * (W - K + 1) * 4;
}

// A step between loops that uses 24 values is several, each of which takes what a launch takes.
#define WORD(k) const uint32_t w##k = in[k] * 2654435761u;
#define ADD(k) sum += table[w##k >> 26];
#define ALL(DO)                                                                                    \
  DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14)   \
  DO(15) DO(16) DO(17) DO(18) DO(19) DO(20) DO(21) DO(22) DO(23)
ACIS_HANDLER void looked_up(const uint32_t *restrict in, uint32_t *restrict out,
                            const uint32_t *restrict mem, uint32_t *len) {
  float table[64], sum = 0;
  for (uint32_t i = 0; i < 64; i++)
    table[i] = (float)mem[i];
  ALL(WORD)
  for (uint32_t i = 0; i < 64; i++)
    table[i] += (float)(w23 & 3);
  ALL(ADD)
  out[0] = (uint32_t)sum;
  *len = 4;
}
