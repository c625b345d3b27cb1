/* Sound with a gain that follows its envelope, and an echo, saturated.
 *
 * in: int16[200] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void compressor(const int16_t *restrict in, int16_t *restrict out,
                             const int16_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 2;
  int32_t env = 0, echo = 0;
  for (uint32_t i = 0; i < n; i++) {
    int32_t x = in[i], a = x < 0 ? -x : x;
    int32_t diff = a - env;
    env += diff > 0 ? diff >> 2 : diff >> 6;
    int32_t gain = env > 8192 ? 16384 - (env >> 1) : 16384;
    int32_t y = (x * gain >> 14) + (echo * 5 >> 3);
    if (y > 32767)
      y = 32767;
    if (y < -32768)
      y = -32768;
    echo = y;
    out[i] = y;
  }
}
