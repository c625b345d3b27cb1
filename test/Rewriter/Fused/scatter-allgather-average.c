// The same with Allgather; afterwards every rank averages the averages.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

float average(const float *array, int n) {
  float sum = 0.f;
  for (int i = 0; i < n; i++)
    sum += array[i];
  return sum / n;
}

int main(int argc, char **argv) {
  int n = 64, rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  float *all = NULL;
  if (rank == 0) {
    all = malloc(sizeof(float) * n * size);
    for (int i = 0; i < n * size; i++)
      all[i] = (float)((i * 31) % 101);
  }
  float *part = malloc(sizeof(float) * n);
  assert(part != NULL);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Scatter_op_Allgather to line [[#@LINE+4]]: {{rewritten|fusable}}
  MPI_Scatter(all, n, MPI_FLOAT, part, n, MPI_FLOAT, 0, MPI_COMM_WORLD);
  float mine = average(part, n);
  float *averages = malloc(sizeof(float) * size);
  MPI_Allgather(&mine, 1, MPI_FLOAT, averages, 1, MPI_FLOAT, MPI_COMM_WORLD);
  // CHECK: :[[#@LINE-1]]:3: remark: semi-fused Allgather_op: {{rewritten|fusable}}
  float avg = average(averages, size);
  printf("rank %d: %f\n", rank, avg);
  free(averages);
  free(part);
  free(all);
  MPI_Finalize();
  return 0;
}
