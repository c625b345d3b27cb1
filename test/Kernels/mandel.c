/* Mandelbrot set: a loop of scalars that ends early, for each point of the stream.
 *
 * in: float[128] -2..1
 * packets: 3
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>
ACIS_HANDLER void mandel(const float *restrict in, int32_t *restrict out,
                       const int32_t *restrict mem, uint32_t *len) {
  for (uint32_t p = 0; p < *len / 8; p++) {
    float cr = in[2*p], ci = in[2*p+1], x = 0, y = 0;
    int32_t n = 0;
    for (int i = 0; i < 64; i++) {
      float x2 = x * x, y2 = y * y;
      if (x2 + y2 > 4.0f)
        break;
      y = 2 * x * y + ci;
      x = x2 - y2 + cr;
      n++;
    }
    out[p] = n;
  }
  *len = *len/2;
}
