/* Dynamic time warping: distances of the prefixes of a packet from a reference of 64 samples.
 *
 * in: int32[24] -1000..1000
 * mem: int32[64] -1000..1000
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void dtw(const int32_t *restrict in, int32_t *restrict out,
                      const int32_t *restrict mem, uint32_t *len) {
  int32_t row[64], ref[64];
  for (int j = 0; j < 64; j++) {
    row[j] = 1 << 28;
    ref[j] = mem[j];
  }
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++) {
    int32_t x = in[i], diag = i == 0 ? 0 : 1 << 28, left = 1 << 28;
    for (int j = 0; j < 64; j++) {
      int32_t d = x - ref[j], up = row[j];
      d = d < 0 ? -d : d;
      int32_t m = up < left ? up : left;
      m = diag < m ? diag : m;
      left = d + m;
      row[j] = left;
      diag = up;
    }
    out[i] = left;
  }
}
