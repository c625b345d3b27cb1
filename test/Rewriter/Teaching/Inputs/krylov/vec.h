/* Distributed vectors, exchange and products of the small CG benchmark. */
#ifndef VEC_H
#define VEC_H
#include <mpi.h>
typedef struct {
  int rows, first, up, down; /* neighbours */
  int *start, *column;
  double *value;
} matrix_t;
double p_dot(const double *x, const double *y, int n);
void waxpby(int n, double alpha, const double *x, double beta, const double *y, double *w);
void halo(const matrix_t *A, double *x);
void spmv(const matrix_t *A, const double *x, double *y);
double max_norm(const double *x, int n);
double elapsed(void);
#endif
