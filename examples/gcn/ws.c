/* Sparse times dense matrix, weight stationary (spvacc.vx): result rows in lanes, one
 * column of the dense matrix per VPE. Beats take the dense rows in turn; the index names
 * the group of result rows that a lane adds to.
 *
 * Blocks, tiles and the stream as in os.c, with WS_ROW_TILES row tiles to a block, and
 * depth * WS_UNROLL beats of indices: groups of result rows within the block (any index
 * of WS_ROW_TILES * WS_VLEN or more: nothing to add).
 * Memory: WS_UNROLL floats per tile and column. */
#include "tiles.h"
#include <acis.h>

#define P ACIS_VPES
#define L ACIS_LANES
#define GROUPS (WS_ROW_TILES * WS_VLEN)

ACIS_PER_VPE static float x[P][WS_UNROLL][L]; /* every lane the same value */
ACIS_PER_VPE static float acc[P][GROUPS][L];

ACIS_HANDLER void gcn_ws(const uint32_t *restrict in, float *restrict out,
                         const float *restrict mem, uint32_t *len) {
  uint32_t blocks = in[0], tiles = in[1], pos = 16, o = 0;
  for (uint32_t b = 0; b < blocks; b++) {
    uint32_t rowTiles = in[pos];
    pos += 16;
    uint32_t t = acis_next_tile(in, &pos, 0);
    pos += 15;
    while (t < tiles) {
      for (uint32_t c = 0; c < P; c++)
        for (uint32_t k = 0; k < WS_UNROLL; k++) {
          float v = mem[(t * P + c) * WS_UNROLL + k];
          for (uint32_t l = 0; l < L; l++)
            x[c][k][l] = v;
        }
      t = acis_next_tile(in, &pos, t + 1);
      pos += 15;
      for (uint32_t m = 0; m < rowTiles; m++) {
        uint32_t depth = in[pos];
        pos += 16;
        for (uint32_t i = 0; i < depth; i++)
          for (uint32_t k = 0; k < WS_UNROLL; k++)
            for (uint32_t l = 0; l < L; l++) {
              uint32_t idx = in[pos + (i * WS_UNROLL + k) * L + l];
              for (uint32_t c = 0; c < P; c++)
                if (idx < GROUPS)
                  acc[c][idx][l] += x[c][k][l];
            }
        pos += depth * WS_UNROLL * L;
      }
    }
    for (uint32_t u = 0; u < rowTiles * WS_VLEN; u++)
      for (uint32_t c = 0; c < P; c++)
        for (uint32_t l = 0; l < L; l++) {
          out[o + (u * P + c) * L + l] = acc[c][u][l];
          acc[c][u][l] = 0;
        }
    o += P * rowTiles * WS_VLEN * L;
  }
  *len = o * 4;
}
