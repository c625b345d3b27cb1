/* A dense layer of 8 with a leaky ReLU and a norm for each row of the stream.
 *
 * in: float[256] -1..1
 * mem: float[64] -1..1
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>
#include <math.h>
ACIS_HANDLER void layer(const float *restrict in, float *restrict out, const float *restrict mem, uint32_t *len) {
  float w[8][8];
  for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) w[i][j] = mem[i * 8 + j];
  for (uint32_t b = 0; b < *len / 32; b++) {
    float x[8], y[8];
    for (int i = 0; i < 8; i++) x[i] = in[b * 8 + i];
    for (int i = 0; i < 8; i++) {
      float s = 0;
      for (int j = 0; j < 8; j++) s += w[i][j] * x[j];
      y[i] = fmaxf(s, 0.1f * s);
    }
    float m = y[0];
    for (int i = 1; i < 8; i++) m = fmaxf(m, y[i]);
    float t = 0;
    for (int i = 0; i < 8; i++) t += fabsf(y[i] - m);
    for (int i = 0; i < 8; i++) out[b * 8 + i] = y[i] / (t + 1.0f);
  }
}
