/* Gram-Schmidt: a dot product in a function, whose value goes into a loop; columns of one array. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

#define LOCAL 24
#define COLUMNS 4

static double dot(const double *x, const double *y, int n, MPI_Comm comm) {
  double local = 0.0, global = 0.0;
  for (int i = 0; i < n; i++)
    local += x[i] * y[i];
  MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, comm);
  return global;
}

int main(int argc, char **argv) {
  double q[COLUMNS][LOCAL];
  int rank, i, j, k;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (j = 0; j < COLUMNS; j++)
    for (i = 0; i < LOCAL; i++)
      q[j][i] = ((i * 13 + j * 7 + rank * 3) % 11) - 4.0;
  for (j = 0; j < COLUMNS; j++) {
    for (k = 0; k < j; k++) {
      double r = dot(q[k], q[j], LOCAL, MPI_COMM_WORLD);
      for (i = 0; i < LOCAL; i++)
        q[j][i] -= r * q[k][i];
    }
    double norm = sqrt(dot(q[j], q[j], LOCAL, MPI_COMM_WORLD));
    for (i = 0; i < LOCAL; i++)
      q[j][i] /= norm;
  }
  for (j = 0; j < COLUMNS; j++)
    printf("%d %d %.8f %.8f\n", rank, j, q[j][0], q[j][LOCAL - 1]);
  MPI_Finalize();
  return 0;
}
