/* DCT of 8x8 blocks as two products of matrices, whose blocks are too large to be scalars.
 *
 * in: int16[128] -128..127
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>
static const int16_t C[8][8] = {
 {64,64,64,64,64,64,64,64},{89,75,50,18,-18,-50,-75,-89},{83,36,-36,-83,-83,-36,36,83},{75,-18,-89,-50,50,89,18,-75},
 {64,-64,-64,64,64,-64,-64,64},{50,-89,18,75,-75,-18,89,-50},{36,-83,83,-36,-36,83,-83,36},{18,-50,75,-89,89,-75,50,-18}};
ACIS_HANDLER void dct8x8(const int16_t *restrict in, int16_t *restrict out, const void *restrict mem, uint32_t *len) {
  for (uint32_t b = 0; b < *len / 128; b++) {
    int16_t x[8][8], t[8][8];
    for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) x[i][j] = in[b * 64 + i * 8 + j];
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++) {
        int32_t s = 0;
        for (int k = 0; k < 8; k++) s += C[j][k] * x[i][k];
        t[j][i] = (s + 64) >> 7;
      }
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++) {
        int32_t s = 0;
        for (int k = 0; k < 8; k++) s += C[j][k] * t[i][k];
        out[b * 64 + i * 8 + j] = (s + 64) >> 7;
      }
  }
}
