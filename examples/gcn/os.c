/* Sparse times dense matrix, output stationary (spvacc.xv): result rows in lanes, one
 * column of the dense matrix per VPE. A lane adds the dense row that its index names.
 *
 * The sums of a block of up to OS_ROW_TILES row tiles stay in registers; each dense tile
 * is loaded once per block. The number of the next dense tile comes before the indices of
 * this one, so that its load (into a second copy of x, which the compiler adds) runs
 * beside the additions.
 *
 * Stream, in beats of 16 words: {blocks, dense tiles}; per block {row tiles}, {its first
 * dense tile that is not empty}, then per such tile {the next one, or dense tiles}, and
 * per row tile {depth} and depth * OS_UNROLL beats of indices within the dense tile, one
 * per lane (any index of OS_VLEN or more: nothing to add).
 * Memory: OS_VLEN floats per tile and column. */
#include "tiles.h"
#include <acis.h>

#define P ACIS_VPES
#define L ACIS_LANES

ACIS_PER_VPE static float x[P][OS_VLEN][L]; /* every lane the same value */
ACIS_PER_VPE static float acc[P][OS_ROW_TILES * OS_UNROLL][L];

ACIS_HANDLER void gcn_os(const uint32_t *restrict in, float *restrict out,
                         const float *restrict mem, uint32_t *len) {
  uint32_t blocks = in[0], tiles = in[1], pos = 16, o = 0;
  for (uint32_t b = 0; b < blocks; b++) {
    uint32_t rowTiles = in[pos];
    pos += 16;
    uint32_t t = acis_next_tile(in, &pos, 0);
    pos += 15;
    while (t < tiles) {
      for (uint32_t c = 0; c < P; c++)
        for (uint32_t k = 0; k < OS_VLEN; k++) {
          float v = mem[(t * P + c) * OS_VLEN + k];
          for (uint32_t l = 0; l < L; l++)
            x[c][k][l] = v;
        }
      t = acis_next_tile(in, &pos, t + 1);
      pos += 15;
      for (uint32_t m = 0; m < rowTiles; m++) {
        uint32_t depth = in[pos];
        pos += 16;
        for (uint32_t i = 0; i < depth; i++)
          for (uint32_t u = 0; u < OS_UNROLL; u++)
            for (uint32_t l = 0; l < L; l++) {
              uint32_t idx = in[pos + (i * OS_UNROLL + u) * L + l];
              for (uint32_t c = 0; c < P; c++)
                acc[c][m * OS_UNROLL + u][l] += idx < OS_VLEN ? x[c][idx][l] : 0;
            }
        pos += depth * OS_UNROLL * L;
      }
    }
    for (uint32_t u = 0; u < rowTiles * OS_UNROLL; u++)
      for (uint32_t c = 0; c < P; c++)
        for (uint32_t l = 0; l < L; l++) {
          out[o + (u * P + c) * L + l] = acc[c][u][l];
          acc[c][u][l] = 0;
        }
    o += P * rowTiles * OS_UNROLL * L;
  }
  *len = o * 4;
}
