// Mean, then local squared differences, then their sum on the root; the mean is printed later.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size, n = 100, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  float *values = (float *)malloc(sizeof(float) * n);
  for (i = 0; i < n; i++)
    values[i] = (float)((i * 37 + rank * 11) % 64);
  float local_sum = 0;
  for (i = 0; i < n; i++)
    local_sum += values[i];

  float global_sum;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Reduce to line [[#@LINE+10]]: {{rewritten|fusable}}
  MPI_Allreduce(&local_sum, &global_sum, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  float mean = global_sum / (n * size);

  // Squared differences from the mean.
  float local_sq_diff = 0;
  for (i = 0; i < n; i++)
    local_sq_diff += (values[i] - mean) * (values[i] - mean);

  float global_sq_diff;
  MPI_Reduce(&local_sq_diff, &global_sq_diff, 1, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
  // CHECK: :[[#@LINE-1]]:3: remark: semi-fused Reduce_op: not fused [scalar+io]

  if (rank == 0) {
    float stddev = sqrt(global_sq_diff / (n * size));
    printf("mean %f, deviation %f\n", mean, stddev);
  }
  free(values);
  MPI_Finalize();
  return 0;
}
