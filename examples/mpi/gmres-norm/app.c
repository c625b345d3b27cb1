/* The norm computation of GMRES: a new direction is made orthogonal to an old one and its norm
 * is taken. A dot product over all processes (Allreduce), the local update and the local square
 * of the new vector (the op), and the sum of the squares (Allreduce). Allreduce_op_Allreduce. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

#define N 1024

int main(int argc, char **argv) {
  static double v[N], w[N];
  double local = 0.0, h, square = 0.0, norm;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++) {
    v[i] = 1.0 / 64;
    w[i] = (i * 7 % 31) * 0.5 + rank;
  }
  for (int i = 0; i < N; i++)
    local += v[i] * w[i];

  MPI_Allreduce(&local, &h, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++) {
    w[i] -= h * v[i];
    square += w[i] * w[i];
  }
  MPI_Allreduce(&square, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);

  printf("process %d: h %.12g, norm %.12g, w %.12g\n", rank, h, sqrt(norm), w[N - 1]);
  MPI_Finalize();
  return 0;
}
