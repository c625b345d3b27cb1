/* Conjugate gradients for a tridiagonal matrix. Each process has N rows and gets the elements
 * at its borders from its neighbours. The dot products are kernels (a local sum and Allreduce);
 * what they give goes into updates of vectors (Allreduce_op). */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

#define N 64

static double x[N], r[N], p[N + 2], q[N];

int main(int argc, char **argv) {
  int rank, size, i, step;
  double local = 0.0, rr, rr_new, pq, alpha, beta;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  for (i = 0; i < N; i++)
    r[i] = p[i + 1] = 1.0 + i % 3;
  for (i = 0; i < N; i++)
    local += r[i] * r[i];
  MPI_Allreduce(&local, &rr, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);

  for (step = 0; step < 10; step++) {
    MPI_Sendrecv(&p[1], 1, MPI_DOUBLE, left, 0, &p[N + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&p[N], 1, MPI_DOUBLE, right, 1, &p[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (i = 0; i < N; i++)
      q[i] = 2.5 * p[i + 1] - p[i] - p[i + 2];
    local = 0.0;
    for (i = 0; i < N; i++)
      local += p[i + 1] * q[i];
    MPI_Allreduce(&local, &pq, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);

    alpha = rr / pq;
    local = 0.0;
    for (i = 0; i < N; i++) {
      x[i] += alpha * p[i + 1];
      r[i] -= alpha * q[i];
      local += r[i] * r[i];
    }
    MPI_Allreduce(&local, &rr_new, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);

    beta = rr_new / rr;
    rr = rr_new;
    for (i = 0; i < N; i++)
      p[i + 1] = r[i] + beta * p[i + 1];
  }
  printf("process %d: x %.12g %.12g, residual %.12g\n", rank, x[0], x[N - 1], sqrt(rr));
  MPI_Finalize();
  return 0;
}
