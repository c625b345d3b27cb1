/* Two passes over a distributed matrix with a transpose between, as in multi-dimensional FFTs. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define B 6 /* edge of a block */

static void pack(const double *rows, double *send, int p, int n) {
  for (int q = 0; q < p; q++)
    for (int i = 0; i < B; i++)
      for (int j = 0; j < B; j++)
        send[(q * B + i) * B + j] = rows[i * n + q * B + j];
}

static void unpack(const double *recv, double *rows, int p, int n) {
  for (int q = 0; q < p; q++)
    for (int i = 0; i < B; i++)
      for (int j = 0; j < B; j++)
        rows[j * n + q * B + i] = recv[(q * B + i) * B + j];
}

static void smooth(double *rows, int n) {
  for (int i = 0; i < B; i++) {
    double last = rows[i * n];
    for (int j = 1; j < n; j++) {
      double now = rows[i * n + j];
      rows[i * n + j] = 0.5 * (now + last);
      last = now;
    }
  }
}

int main(int argc, char **argv) {
  int rank, p;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  int n = B * p;
  double *rows = malloc(B * n * sizeof(double));
  double *send = malloc(B * n * sizeof(double)), *recv = malloc(B * n * sizeof(double));
  for (int i = 0; i < B * n; i++)
    rows[i] = (i * 5 + rank) % 13;
  smooth(rows, n);
  pack(rows, send, p, n);
  MPI_Alltoall(send, B * B, MPI_DOUBLE, recv, B * B, MPI_DOUBLE, MPI_COMM_WORLD); /*@there*/
  unpack(recv, rows, p, n);
  smooth(rows, n);
  pack(rows, send, p, n);
  MPI_Alltoall(send, B * B, MPI_DOUBLE, recv, B * B, MPI_DOUBLE, MPI_COMM_WORLD); /*@back*/
  unpack(recv, rows, p, n);
  double sum = 0;
  for (int i = 0; i < B * n; i++)
    sum += rows[i] * (i % 7);
  printf("rank %d: %.6f\n", rank, sum);
  free(rows);
  free(send);
  free(recv);
  MPI_Finalize();
  return 0;
}
