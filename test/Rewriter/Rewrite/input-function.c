// The collective is in a function that stands behind its use, with input and other collectives
// before it; arguments are macros of the library. And one that cannot be moved up.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

void limits(int rank, double *from, double *to, int *steps, MPI_Comm comm);
double area(double left, double right, int steps);
double weights(double *values, int count, MPI_Comm comm);

int main(void) {
  int rank, size, steps, own;
  double from, to, part, all = 0, values[64], sum;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Bcast_op_Reduce to line [[#@LINE+5]]: rewritten
  limits(rank, &from, &to, &steps, MPI_COMM_WORLD);
  own = steps / size;
  part = area(from + rank * own * (to - from) / steps,
              from + (rank + 1) * own * (to - from) / steps, own);
  MPI_Reduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    values[i] = i + rank;
  // CHECK: :[[#@LINE+1]]:9: remark: semi-fused Allreduce_op: fusable, not rewritten [wrapper]: {{.*}} stands behind its use and uses 'bias' from there
  sum = weights(values, 64, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    values[i] /= sum;
  if (rank == 0)
    printf("from %g to %g: %.12f %g\n", from, to, all, values[9]);
  MPI_Finalize();
  return 0;
}

void limits(int rank, double *from, double *to, int *steps, MPI_Comm comm) {
  if (rank == 0) {
    printf("limits and steps\n");
    *from = 0;
    *to = 3;
    *steps = 4096;
  }
  MPI_Bcast(from, 1, MPI_DOUBLE, 0, comm);
  MPI_Bcast(to, 1, MPI_DOUBLE, 0, comm);
  MPI_Bcast(steps, 1, MPI_INT, 0, comm);
}

double area(double left, double right, int steps) {
  double width = (right - left) / steps, sum = 0;
  for (int i = 0; i < steps; i++)
    sum += (left + (i + 0.5) * width) * width;
  return sum;
}

static double bias = 0.5;

double weights(double *values, int count, MPI_Comm comm) {
  double part = bias, all;
  for (int i = 0; i < count; i++)
    part += values[i];
  MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
  return all;
}
