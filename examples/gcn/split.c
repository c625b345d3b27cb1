/* Sparse (0/1) times dense matrix, the sparse one streamed: features in lanes, the rows
 * of the dense matrix spread over the VPEs, each VPE with partial sums of all result
 * rows. A beat holds one non-zero for each VPE, so that 16 are added per cycle.
 *
 * Stream, in beats of 16 words: {tiles, version, tag}, then per tile {first float of its dense rows
 * in the memory, dense rows per VPE, beats, result rows to send} and the beats: word p is
 * for VPE p, result row << 16 | dense row. Rows are sent after their last tile.
 *
 * The memory is filled before, or by packets (store.h). */
#include "store.h"
#include "tiles.h"
#include <acis.h>

#define P ACIS_VPES
#define F FEATURES

ACIS_PER_VPE static float x[P][SPLIT_X][F];
ACIS_PER_VPE static float acc[P][SPLIT_ROWS][F]; /* zero at load, and zeroed as it is sent */

ACIS_HANDLER void gcn_split(const uint32_t *restrict in, float *restrict out, float *restrict mem,
                            uint32_t *len) {
  uint32_t tiles = in[0], pos = 16, o = 0;
  uint32_t named = in[1], tag = in[2];
  if (tiles == 0 || named != version) {
    *len = store(tiles, named, tag, in, out, mem);
    return;
  }
  if (tag != 0) {
    for (uint32_t f = 0; f < F; f++)
      out[f] = float_of(tag);
    o = F;
  }
  for (uint32_t t = 0; t < tiles; t++) {
    uint32_t base = in[pos], xrows = in[pos + 1], beats = in[pos + 2], rows = in[pos + 3];
    pos += 16;
    for (uint32_t p = 0; p < P; p++)
      for (uint32_t r = 0; r < xrows; r++)
        for (uint32_t f = 0; f < F; f++)
          x[p][r][f] = mem[base + (p * xrows + r) * F + f];
    for (uint32_t b = 0; b < beats; b++)
      for (uint32_t p = 0; p < P; p++) {
        uint32_t w = in[pos + b * P + p], row = w >> 16, col = w & 0xffff;
        for (uint32_t f = 0; f < F; f++)
          acc[p][row][f] += x[p][col][f];
      }
    pos += beats * P;
    for (uint32_t r = 0; r < rows; r++)
      for (uint32_t f = 0; f < F; f++) {
        float s = acc[0][r][f];
        acc[0][r][f] = 0;
        for (uint32_t p = 1; p < P; p++) {
          s += acc[p][r][f];
          acc[p][r][f] = 0;
        }
        out[o + r * F + f] = s;
      }
    o += rows * F;
  }
  *len = o * 4;
}
