/* Smallest, largest, sum and sum of squares of a packet.
 *
 * in: int32[350] -30000..30000
 * packets: 3
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void range(const int32_t *restrict in, int32_t *restrict out,
                        const int32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4, sum = 0, squares = 0;
  int32_t low = 2147483647, high = -2147483647;
  for (uint32_t i = 0; i < n; i++) {
    int32_t v = in[i];
    low = v < low ? v : low;
    high = v > high ? v : high;
    sum += v;
    squares += v * v;
  }
  out[0] = low;
  out[1] = high;
  out[2] = sum;
  out[3] = squares;
  *len = 16;
}
