/* Exponential moving average and deviation in fixed point, with an alarm where a value is
 * far off: two recurrences, one of which needs the other.
 *
 * in: int32[256] -3000..3000
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void moving(const int32_t *restrict in, int32_t *restrict out,
                         const int32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  int32_t mean = 0, spread = 0;
  for (uint32_t i = 0; i < n; i++) {
    int32_t error = (in[i] << 4) - mean;
    mean += error >> 3;
    int32_t distance = error < 0 ? -error : error;
    spread += (distance - spread) >> 2;
    out[i] = distance > spread + (spread >> 1) ? 1 : 0;
  }
}
