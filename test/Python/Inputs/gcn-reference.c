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

/* The same for kernel rows. Non-zeros come by row, and those of a row by VPE, of which there are 16. */
void aggregate_rows(size_t nonzeros, const int64_t *row, const int64_t *col, const int64_t *vpe,
                    const float *dense, size_t width, float *out) {
  for (size_t first = 0, end; first < nonzeros; first = end) {
    size_t starts[17] = {0}, beats = 0;
    for (end = first; end < nonzeros && row[end] == row[first]; end++)
      starts[vpe[end] + 1]++;
    for (size_t p = 0; p < 16; p++) {
      beats = starts[p + 1] > beats ? starts[p + 1] : beats;
      starts[p + 1] += starts[p];
    }
    for (size_t k = 0; k < beats; k++)
      for (size_t f = 0; f < width; f++) {
        float part[16], sum;
        for (size_t p = 0; p < 16; p++)
          part[p] = starts[p] + k < starts[p + 1] ? dense[col[first + starts[p] + k] * width + f] : 0;
        sum = part[0] + part[1];
        for (size_t p = 2; p < 16; p += 2)
          sum += part[p] + part[p + 1];
        out[row[first] * width + f] += sum;
      }
  }
}
