/* FIR filter: 16 taps from memory over a block of samples. The sum of a sample is added in
 * the order of the taps.
 *
 * in: float[271] -1..1
 * mem: float[16] -1..1
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define TAPS 16
#define N 256

ACIS_HANDLER void fir(const float *restrict in, float *restrict out, const float *restrict mem,
                      uint32_t *len) {
  float x[N + TAPS - 1], c[TAPS];
  for (int k = 0; k < TAPS; k++)
    c[k] = mem[k];
  for (int i = 0; i < N + TAPS - 1; i++)
    x[i] = in[i];
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int k = 0; k < TAPS; k++)
      sum += c[k] * x[i + k];
    out[i] = sum;
  }
  *len = N * 4;
}
