/* All-pole lattice filter of order 4 in fixed point: the forward value of a sample goes
 * through four stages, each of which takes what the stage before it left last time.
 *
 * in: int32[200] -8000..8000
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void lattice(const int32_t *restrict in, int32_t *restrict out,
                          const int32_t *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  int32_t b0 = 0, b1 = 0, b2 = 0, b3 = 0;
  for (uint32_t i = 0; i < n; i++) {
    int32_t f = in[i];
    f -= (b3 * 1200) >> 14;
    int32_t b4 = b3 + ((f * 1200) >> 14);
    f -= (b2 * -3100) >> 14;
    b3 = b2 + ((f * -3100) >> 14);
    f -= (b1 * 5400) >> 14;
    b2 = b1 + ((f * 5400) >> 14);
    f -= (b0 * -7000) >> 14;
    b1 = b0 + ((f * -7000) >> 14);
    b0 = f;
    out[i] = f + (b4 >> 8);
  }
}
