/* Dense and sparse products. */
#include "product.h"

#include <string.h>

void combine(const float *x, const float *weights, float *out, int64_t rows, int64_t features,
             int64_t width) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; r++) {
    float *sum = out + r * width;
    memset(sum, 0, sizeof *sum * (size_t)width);
    for (int64_t k = 0; k < features; k++) {
      float factor = x[r * features + k];
      if (factor == 0) /* features are sparse, weights are finite */
        continue;
#pragma omp simd
      for (int64_t f = 0; f < width; f++)
        sum[f] += factor * weights[k * width + f];
    }
  }
}

void add_product(csr matrix, const float *dense, float *out, int64_t rows, int64_t width) {
  /* Degrees are skewed. */
#pragma omp parallel for schedule(dynamic, 64)
  for (int64_t r = 0; r < rows; r++)
    for (int64_t i = matrix.indptr[r]; i < matrix.indptr[r + 1]; i++) {
      const float *row = dense + (int64_t)matrix.indices[i] * width;
#pragma omp simd
      for (int64_t f = 0; f < width; f++)
        out[r * width + f] += row[f];
    }
}

void add(const float *part, float *out, int64_t count) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < count; i++)
    out[i] += part[i];
}

void relu(float *values, int64_t count) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < count; i++)
    values[i] = values[i] > 0 ? values[i] : 0;
}
