#include "vec.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int cg(const matrix_t *A, const double *b, double *x, int max_iter, double *residual) {
  int n = A->rows, k;
  double *r = calloc(n + 2, sizeof(double)), *p = calloc(n + 2, sizeof(double));
  double *Ap = calloc(n + 2, sizeof(double));
  double rr, rr_old, alpha, beta, pAp, t_dot = 0, t = 0;
  halo(A, x); /*@halo0*/
  spmv(A, x, Ap); /*@product0*/
  waxpby(n, 1.0, b, -1.0, Ap, r);
  waxpby(n, 1.0, r, 0.0, r, p);
  t = elapsed();
  rr = p_dot(r, r, n); /*@start*/
  t_dot += elapsed() - t;
  for (k = 0; k < max_iter && sqrt(rr) > 1e-8; k++) {
    halo(A, p); /*@halo*/
    spmv(A, p, Ap); /*@product*/
    pAp = p_dot(p, Ap, n); /*@alpha*/
    alpha = rr / pAp;
    waxpby(n, 1.0, x, alpha, p, x);
    waxpby(n, 1.0, r, -alpha, Ap, r);
    rr_old = rr;
    t = elapsed();
    rr = p_dot(r, r, n); /*@beta*/
    t_dot += elapsed() - t;
    beta = rr / rr_old;
    waxpby(n, 1.0, r, beta, p, p);
  }
  *residual = sqrt(rr);
  fprintf(stderr, "dot time %g\n", t_dot);
  free(r);
  free(p);
  free(Ap);
  return k;
}

int main(int argc, char **argv) {
  int rank, size, n = 20;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  matrix_t A;
  A.rows = n;
  A.first = rank * n;
  A.up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  A.down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  A.start = malloc((n + 1) * sizeof(int));
  A.column = malloc(3 * n * sizeof(int));
  A.value = malloc(3 * n * sizeof(double));
  int used = 0;
  for (int i = 0; i < n; i++) {
    A.start[i] = used;
    A.column[used] = i > 0 ? i - 1 : n;
    A.value[used++] = -1.0;
    A.column[used] = i;
    A.value[used++] = 2.5;
    A.column[used] = i < n - 1 ? i + 1 : n + 1;
    A.value[used++] = -1.0;
  }
  A.start[n] = used;
  double *x = calloc(n + 2, sizeof(double)), *b = calloc(n + 2, sizeof(double)), residual;
  for (int i = 0; i < n; i++)
    b[i] = 1.0 + (i + rank) % 3;
  int iterations = cg(&A, b, x, 60, &residual);
  double top = max_norm(x, n); /*@top*/
  double t = elapsed(), t_max, t_sum;
  t = elapsed() - t;
  MPI_Allreduce(&t, &t_max, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /*@tmax*/
  MPI_Allreduce(&t, &t_sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /*@tsum*/
  if (rank == 0) {
    printf("%d iterations, %d small, max %.6f\n", iterations, residual < 1e-6, top);
    fprintf(stderr, "%g %g\n", t_max, t_sum / size);
  }
  MPI_Finalize();
  return 0;
}
