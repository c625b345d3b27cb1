/* Error checks by macros, wrappers of the project, early ends. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define CHECK(call)                                                                                \
  do {                                                                                             \
    int code = (call);                                                                             \
    if (code != MPI_SUCCESS) {                                                                     \
      fprintf(stderr, "%s:%d: MPI error %d\n", __FILE__, __LINE__, code);                          \
      MPI_Abort(MPI_COMM_WORLD, code);                                                             \
    }                                                                                              \
  } while (0)
static void global_sum(double *values, int count) {
  CHECK(MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
}
static double global_max(double value) {
  double result;
  MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return result;
}
/* softmax over all ranks */
void softmax(double *x, int n) {
  double most = x[0], sum = 0;
  for (int i = 1; i < n; i++)
    most = fmax(most, x[i]);
  double top = global_max(most); /*@top*/
  for (int i = 0; i < n; i++) {
    x[i] = exp(x[i] - top);
    sum += x[i];
  }
  global_sum(&sum, 1); /*@sum*/
  for (int i = 0; i < n; i++)
    x[i] /= sum;
}
void normalise(double *x, int n) {
  double local = 0, total;
  for (int i = 0; i < n; i++)
    local += x[i] * x[i];
  CHECK(MPI_Allreduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)); /*@norm*/
  double scale = 1.0 / sqrt(total);
  for (int i = 0; i < n; i++)
    x[i] *= scale;
}
double pi(int n) {
  int rank, size;
  double h, sum = 0.0, mine, result;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); /*@n*/
  h = 1.0 / (double)n;
  for (int i = rank + 1; i <= n; i += size) {
    double x = h * ((double)i - 0.5);
    sum += 4.0 / (1.0 + x * x);
  }
  mine = h * sum;
  MPI_Reduce(&mine, &result, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /*@pi*/
  return rank == 0 ? result : 0;
}
int jacobi(double *u, double *v, int n) {
  int rank, size, steps = 0;
  double diff, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  do {
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, (rank + size - 1) % size, 0, &u[n + 1], 1, MPI_DOUBLE,
                 (rank + 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    diff = 0;
    for (int i = 1; i <= n; i++) {
      v[i] = 0.5 * (u[i - 1] + u[i + 1]);
      diff = fmax(diff, fabs(v[i] - u[i]));
    }
    for (int i = 1; i <= n; i++)
      u[i] = v[i];
    MPI_Allreduce(&diff, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /*@residual*/
    steps++;
    if (rank == 0 && steps % 100 == 0)
      printf("%d %g\n", steps, all);
  } while (all > 1e-3 && steps < 200);
  return steps;
}
int sample(int *keys, int n, int *splitters) {
  int rank, size, *all = NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    all = malloc(size * sizeof(int));
  MPI_Gather(&keys[n / 2], 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD); /*@samples*/
  if (rank == 0)
    for (int i = 0; i < size - 1; i++)
      splitters[i] = (all[i] + all[i + 1]) / 2;
  MPI_Bcast(splitters, size - 1, MPI_INT, 0, MPI_COMM_WORLD); /*@splitters*/
  if (rank == 0)
    free(all);
  int inside = 0;
  for (int i = 0; i < n; i++)
    if (keys[i] < splitters[0])
      inside++;
  return inside;
}
int main(int argc, char **argv) {
  int rank;
  double u[66] = {0}, v[66] = {0};
  int keys[64], splitters[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 64; i++) {
    u[i] = i + rank;
    keys[i] = i * 13 % 64;
  }
  softmax(u, 64);
  normalise(u, 64);
  printf("%g %g %d %d\n", u[3], pi(100), jacobi(u, v, 64), sample(keys, 64, splitters));
  MPI_Finalize();
  return 0;
}
