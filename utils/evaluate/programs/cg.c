/* Conjugate gradients as miniFE and HPCCG have them, weak scaling: a block of rows of a Laplacian
 * for each rank, vector updates behind each scalar product (Allreduce_op), and an exchange with the
 * neighbours before each matrix product. */
#include <mpi.h>
#include <stdio.h>

#define ROWS 1000
#define EDGE 100
#define STEPS 40

static double x[ROWS], r[ROWS], p[ROWS], ap[ROWS], below[EDGE], above[EDGE];

static void exchange(int rank, int size) {
  int down = rank > 0 ? rank - 1 : MPI_PROC_NULL, up = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(p + ROWS - EDGE, EDGE, MPI_DOUBLE, up, 0, below, EDGE, MPI_DOUBLE, down, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(p, EDGE, MPI_DOUBLE, down, 1, above, EDGE, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

static void product(void) {
  for (int i = 0; i < ROWS; i++) {
    double left = i >= EDGE ? p[i - EDGE] : below[i];
    double right = i + EDGE < ROWS ? p[i + EDGE] : above[i + EDGE - ROWS];
    ap[i] = 4.5 * p[i] - left - right;
  }
}

int main(int argc, char **argv) {
  int rank, size;
  double mine, rr, old = 1, pap, alpha, beta;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < ROWS; i++) {
    x[i] = p[i] = 0;
    r[i] = 1 + (i * 7 + rank) % 13;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  for (int step = 0; step < STEPS; step++) {
    mine = 0;
    for (int i = 0; i < ROWS; i++)
      mine += r[i] * r[i];
    MPI_Allreduce(&mine, &rr, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    beta = step == 0 ? 0 : rr / old;
    for (int i = 0; i < ROWS; i++)
      p[i] = r[i] + beta * p[i];
    old = rr;
    exchange(rank, size);
    product();
    mine = 0;
    for (int i = 0; i < ROWS; i++)
      mine += p[i] * ap[i];
    MPI_Allreduce(&mine, &pap, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    alpha = rr / pap;
    for (int i = 0; i < ROWS; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * ap[i];
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double time = (MPI_Wtime() - start) * 1e6;
  if (rank == 0)
    printf("%.3f us, check %.6g %.6g\n", time, x[ROWS / 2], rr);
  MPI_Finalize();
  return 0;
}
