/* Functions round a collective that change what they get, return a quotient of it, or set it through
   a pointer; names of the function are names of the caller. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

#define N 16

static double mean(double value, int count, MPI_Comm comm) {
  double sum;
  int ranks;
  MPI_Comm_size(comm, &ranks);
  MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  return sum / (count * ranks);
}
static double halved(double value) {
  double sum;
  value = value / 2;
  MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum + value;
}
static int norm(const double *x, int n, double *result) {
  double local = 0, sum = 0;
  for (int i = 0; i < n; i++)
    local += x[i] * x[i];
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  *result = sqrt(sum);
  return 0;
}

int main(int argc, char **argv) {
  double x[N], value = 0, sum = 3, result, local = 1;
  int rank, n = N;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < n; i++) {
    x[i] = (i * 5 + rank) % 9;
    value += x[i];
  }
  double centre = mean(value, n, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    x[i] -= centre * local + sum * value;
  value = halved(x[2]);
  for (int i = 0; i < n; i++)
    x[i] += value * sum;
  norm(x, n, &result);
  for (int i = 0; i < n; i++)
    x[i] /= result + local;
  for (int i = 0; i < n; i++)
    printf("%d %d %.9f %.9f\n", rank, i, x[i], result);
  MPI_Finalize();
  return 0;
}
