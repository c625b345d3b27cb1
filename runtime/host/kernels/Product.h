/* The arithmetic of a rank. Products are rounded, then added in the order that is said here, so
 * that any machine and any vector width gives the same bits (the file is compiled without
 * contraction). */
#ifndef ACIS_KERNELS_PRODUCT_H
#define ACIS_KERNELS_PRODUCT_H

#include <stddef.h>

/* c[i][j] += a[i][0] b[0][j], then a[i][1] b[1][j], ..., a[i][k-1] b[k-1][j]; matrices in rows.
 * `bytes` is that of an element: 4 or 8. */
void productAdd(int bytes, long long m, long long n, long long k, const void *a, long long lda,
                const void *b, long long ldb, void *c, long long ldc);

/* Rows of a sparse matrix: all of them, or, where `rows` is not null, these of them. */
typedef struct {
  long long *begin; /* of each row, and the end */
  long long *columns;
  void *values;
  int *rows;
} SparseRows;
/* For rows first to end: y = its products in their order, from 0, or y += them if `rows` lists
 * them. Columns from `here` on are elements of `fetched`, those below of `x`. */
void sparseAdd(int bytes, const SparseRows *rows, long long first, long long end, const void *x,
               long long here, const void *fetched, void *y);

/* to[i] += from[i] */
void addTo(int bytes, long long n, void *to, const void *from);

#endif
