/* FFT of 64 complex points, all stages: twiddle factors at a stride that changes.
 *
 * in: float[128] -1..1
 * mem: float[64] -1..1
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>
ACIS_HANDLER void fft64(const float *restrict in, float *restrict out, const float *restrict mem, uint32_t *len) {
  float re[64], im[64], wr[32], wi[32];
  for (int i = 0; i < 64; i++) { re[i] = in[2 * i]; im[i] = in[2 * i + 1]; }
  for (int i = 0; i < 32; i++) { wr[i] = mem[2 * i]; wi[i] = mem[2 * i + 1]; }
  for (int s = 1; s < 64; s <<= 1)
    for (int k = 0; k < 64; k += 2 * s)
      for (int j = 0; j < s; j++) {
        int a = k + j, b = a + s, t = j * (32 / s);
        float xr = re[b] * wr[t] - im[b] * wi[t], xi = re[b] * wi[t] + im[b] * wr[t];
        re[b] = re[a] - xr; im[b] = im[a] - xi;
        re[a] += xr; im[a] += xi;
      }
  for (int i = 0; i < 64; i++) { out[2 * i] = re[i]; out[2 * i + 1] = im[i]; }
}
