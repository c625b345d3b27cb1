/* Sums of dense rows in the order that docs/gcn.md defines, for gcn.py. */
#include <stddef.h>
#include <stdint.h>

/* Non-zero i is at (row[i], col[i]); those of a row come by their rounds. Piece k has the rows first[k] to
 * end[k] - 1 and the non-zeros low[k] to high[k] - 1. `dense` has `width` columns, `out` is zero at first. */
void aggregate(size_t pieces, const int64_t *first, const int64_t *end, const int64_t *low,
               const int64_t *high, const int64_t *row, const int64_t *col, const int64_t *vpe,
               size_t vpes, const float *dense, size_t width, float *out) {
  for (size_t k = 0; k < pieces; k++)
    for (size_t f = 0; f < width; f++) {
      int64_t i = low[k];
      for (int64_t r = first[k]; r < end[k]; r++) {
        float sums[16] = {0};
        for (; i < high[k] && row[i] == r; i++)
          sums[vpe[i]] += dense[col[i] * width + f];
        float sum = sums[0];
        for (size_t p = 1; p < vpes; p++)
          sum += sums[p];
        out[r * width + f] += sum;
      }
    }
}
