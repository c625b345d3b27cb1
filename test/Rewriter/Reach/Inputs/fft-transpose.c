/* A transpose and a twiddle: blocks by Alltoall, complex numbers as pairs. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size, m = 6;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int n = m * size;
  double *in = malloc(2 * n * sizeof(double)), *out = malloc(2 * n * sizeof(double));
  double *wr = malloc(n * sizeof(double)), *wi = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) {
    in[2 * i] = i % 5 + rank;
    in[2 * i + 1] = 0.5 * (i % 3);
    wr[i] = cos(2 * M_PI * i * rank / n);
    wi[i] = sin(2 * M_PI * i * rank / n);
  }
  MPI_Alltoall(in, 2 * m, MPI_DOUBLE, out, 2 * m, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) {
    double re = out[2 * i], im = out[2 * i + 1];
    out[2 * i] = re * wr[i] - im * wi[i];
    out[2 * i + 1] = re * wi[i] + im * wr[i];
  }
  MPI_Alltoall(out, 2 * m, MPI_DOUBLE, in, 2 * m, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    printf("%d %d %.6f %.6f\n", rank, i, in[2 * i], in[2 * i + 1]);
  free(in);
  free(out);
  free(wr);
  free(wi);
  MPI_Finalize();
  return 0;
}
