/* An FIR filter with 8 taps; the coefficients are the first 8 floats of the memory. The
 * window lives in scalars that move on by one in each iteration. */
#include <acis.h>

ACIS_HANDLER void fir(const float *restrict in, float *restrict out, const float *restrict mem,
                      uint32_t *len) {
  uint32_t n = *len / 4;
  float c0 = mem[0], c1 = mem[1], c2 = mem[2], c3 = mem[3];
  float c4 = mem[4], c5 = mem[5], c6 = mem[6], c7 = mem[7];
  float w0 = 0, w1 = 0, w2 = 0, w3 = 0, w4 = 0, w5 = 0, w6 = 0, w7 = 0;
  for (uint32_t i = 0; i < n; i++) {
    w7 = w6;
    w6 = w5;
    w5 = w4;
    w4 = w3;
    w3 = w2;
    w2 = w1;
    w1 = w0;
    w0 = in[i];
    out[i] = c0 * w0 + c1 * w1 + c2 * w2 + c3 * w3 + c4 * w4 + c5 * w5 + c6 * w6 + c7 * w7;
  }
}
