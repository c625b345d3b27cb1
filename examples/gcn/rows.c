/* Sparse (0/1) times dense matrix, the sparse one streamed, for rows with few non-zeros: features
 * in lanes, the rows of the dense matrix spread over the VPEs. A beat holds a part of one result
 * row: for each VPE a dense row, or ROWS_X - 1, which is zero. Its sum leaves while the next is
 * added, so that a beat comes and one goes per cycle; no sums are kept. Parts of a row are added at
 * the host.
 *
 * Stream, in beats of 16 words: {1, version, first float of the dense rows in the memory, dense
 * rows per VPE, beats}, and the beats: word p is for VPE p. The memory is filled before, or by
 * packets (store.h). Sums are of pairs of VPEs, from the first on: what is added then has waited
 * for two additions only, and the delays that this takes are there in the hardware. */
#include "store.h"
#include <acis.h>

#ifndef ROWS_X
#define ROWS_X 3072 /* rows of the dense matrix that a VPE's registers hold, and the zero one */
#endif

#if ACIS_VPES != 16
#error "gcn_rows is for 16 VPEs; take gcn_split, or overlay u280"
#endif

#define P ACIS_VPES
#define F 16
#define X(p) x[p][in[at + (p)]][f]
#define PAIR(p) (X(p) + X(p + 1))

ACIS_PER_VPE static float x[P][ROWS_X][F]; /* the last ones are never loaded, and zero */

ACIS_HANDLER void gcn_rows(const uint32_t *restrict in, float *restrict out, float *restrict mem,
                           uint32_t *len) {
  uint32_t kind = in[0], named = in[1], tag = in[2], o = 0;
  if (kind == 0 || named != version) {
    *len = store(kind, named, tag, in, out, mem);
    return;
  }
  if (tag != 0) {
    for (uint32_t f = 0; f < F; f++)
      out[f] = float_of(tag);
    o = F;
  }
  uint32_t base = in[3], xrows = in[4], beats = in[5];
  for (uint32_t p = 0; p < P; p++)
    for (uint32_t r = 0; r < xrows; r++)
      for (uint32_t f = 0; f < F; f++)
        x[p][r][f] = mem[base + (p * xrows + r) * F + f];
  for (uint32_t b = 0; b < beats; b++) {
    uint32_t at = 16 + b * P;
    for (uint32_t f = 0; f < F; f++) {
      float s = PAIR(0);
      s += PAIR(2);
      s += PAIR(4);
      s += PAIR(6);
      s += PAIR(8);
      s += PAIR(10);
      s += PAIR(12);
      s += PAIR(14);
      out[o + b * F + f] = s;
    }
  }
  *len = (o + beats * F) * 4;
}
