/* Sparse times dense matrix, weight stationary (spvacc.vx): result rows in lanes, one
 * column of the dense matrix per VPE. Beats take the dense rows in turn; the index names
 * the group of result rows that a lane adds to.
 *
 * Stream, in beats of 16 words: {row tiles, tiles}, then per row tile its dense tiles
 * that are not empty: {tile, depth}, and depth * WS_UNROLL beats of indices, one per lane
 * (WS_VLEN or more: nothing to add); at the end {number of tiles}.
 * Memory: WS_UNROLL floats per tile and column. */
#include "tiles.h"
#include <acis.h>

#define P ACIS_VPES
#define L ACIS_LANES

ACIS_PER_VPE static float x[P][WS_UNROLL][L]; /* every lane the same value */
ACIS_PER_VPE static float acc[P][WS_VLEN][L];

ACIS_HANDLER void gcn_ws(const uint32_t *restrict in, float *restrict out,
                         const float *restrict mem, uint32_t *len) {
  uint32_t rowTiles = in[0], tiles = in[1], pos = 16, o = 0;
  for (uint32_t m = 0; m < rowTiles; m++) {
    uint32_t t = acis_next_tile(in, &pos, 0);
    while (t < tiles) {
      uint32_t depth = in[pos];
      pos += 15;
      for (uint32_t c = 0; c < P; c++)
        for (uint32_t k = 0; k < WS_UNROLL; k++) {
          float v = mem[(t * P + c) * WS_UNROLL + k];
          for (uint32_t l = 0; l < L; l++)
            x[c][k][l] = v;
        }
      for (uint32_t i = 0; i < depth; i++)
        for (uint32_t k = 0; k < WS_UNROLL; k++)
          for (uint32_t l = 0; l < L; l++) {
            uint32_t idx = in[pos + (i * WS_UNROLL + k) * L + l];
            for (uint32_t c = 0; c < P; c++)
              if (idx < WS_VLEN)
                acc[c][idx][l] += x[c][k][l];
          }
      pos += depth * WS_UNROLL * L;
      t = acis_next_tile(in, &pos, t + 1);
    }
    pos += 15;
    for (uint32_t u = 0; u < WS_VLEN; u++)
      for (uint32_t c = 0; c < P; c++)
        for (uint32_t l = 0; l < L; l++) {
          out[o + (u * P + c) * L + l] = acc[c][u][l];
          acc[c][u][l] = 0;
        }
    o += P * WS_VLEN * L;
  }
  *len = o * 4;
}
