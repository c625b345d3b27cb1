/* What a rank computes itself, with threads (OpenMP) over rows and vector instructions over
 * columns. */
#ifndef ACIS_GCN_PRODUCT_H
#define ACIS_GCN_PRODUCT_H

#include "plan.h"

/* out = x weights; x is rows x features, weights features x width. */
void combine(const float *x, const float *weights, float *out, int64_t rows, int64_t features,
             int64_t width);
/* out += matrix dense, in the order of each row's columns. */
void add_product(csr matrix, const float *dense, float *out, int64_t rows, int64_t width);
void add(const float *part, float *out, int64_t count);
void relu(float *values, int64_t count);

#endif
