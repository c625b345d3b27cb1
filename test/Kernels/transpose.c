/* Transposes a 16x16 tile of bytes.
 *
 * in: uint8[256] any
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define N 16

ACIS_HANDLER void transpose(const uint8_t *restrict in, uint8_t *restrict out,
                            const uint8_t *restrict mem, uint32_t *len) {
  uint8_t tile[N][N];
  for (int r = 0; r < N; r++)
    for (int c = 0; c < N; c++)
      tile[r][c] = in[r * N + c];
  for (int r = 0; r < N; r++)
    for (int c = 0; c < N; c++)
      out[r * N + c] = tile[c][r];
}
