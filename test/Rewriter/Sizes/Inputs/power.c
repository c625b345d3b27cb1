#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct {
  double *a, *x, *y;
  int rows, n, first;
} State;
static double step(State *s, MPI_Comm comm) {
  double local = 0.0, norm = 0.0;
  for (int i = 0; i < s->rows; i++)
    local += s->y[i] * s->y[i];
  MPI_Allreduce(&local, &norm, 1, MPI_DOUBLE, MPI_SUM, comm);
  norm = sqrt(norm);
  for (int i = 0; i < s->rows; i++)
    s->y[i] = s->y[i] / norm;
  MPI_Allgather(s->y, s->rows, MPI_DOUBLE, s->x, s->rows, MPI_DOUBLE, comm);
  for (int i = 0; i < s->rows; i++) {
    double sum = 0;
    for (int j = 0; j < s->n; j++)
      sum += s->a[(size_t)i * s->n + j] * s->x[j];
    s->y[i] = sum;
  }
  return norm;
}
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  State s;
  s.rows = 8;
  s.n = 8 * size;
  s.first = 8 * rank;
  s.a = malloc(sizeof(double) * s.rows * s.n);
  s.x = malloc(sizeof(double) * s.n);
  s.y = malloc(sizeof(double) * s.rows);
  for (int i = 0; i < s.rows; i++) {
    s.y[i] = 1 + i;
    for (int j = 0; j < s.n; j++)
      s.a[i * s.n + j] = 1.0 / (1 + abs(s.first + i - j));
  }
  double norm = 0;
  for (int t = 0; t < 5; t++)
    norm = step(&s, MPI_COMM_WORLD);
  printf("%d %.10f %.10f\n", rank, norm, s.y[0]);
  MPI_Finalize();
  return 0;
}
