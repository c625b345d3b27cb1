/* One stage of radix-2 butterflies, decimation in time: complex numbers as pairs of floats,
 * twiddle factors in memory.
 *
 * in: float[256] -1..1
 * mem: float[128] -1..1
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define HALF 64

ACIS_HANDLER void fft(const float *restrict in, float *restrict out, const float *restrict mem,
                      uint32_t *len) {
  float re[2 * HALF], im[2 * HALF];
  for (int i = 0; i < 2 * HALF; i++)
    re[i] = in[i];
  for (int i = 0; i < 2 * HALF; i++)
    im[i] = in[2 * HALF + i];
  for (int i = 0; i < HALF; i++) {
    float wr = mem[i], wi = mem[HALF + i];
    float tr = wr * re[i + HALF] - wi * im[i + HALF];
    float ti = wr * im[i + HALF] + wi * re[i + HALF];
    float r = re[i], m = im[i];
    re[i] = r + tr;
    im[i] = m + ti;
    re[i + HALF] = r - tr;
    im[i + HALF] = m - ti;
  }
  for (int i = 0; i < 2 * HALF; i++)
    out[i] = re[i];
  for (int i = 0; i < 2 * HALF; i++)
    out[2 * HALF + i] = im[i];
}
