// An average of each block in a visible function; a root-only allocation and an assertion between.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static float compute_avg(float *array, int n) {
  float sum = 0.f;
  int i;
  for (i = 0; i < n; i++)
    sum += array[i];
  return sum / n;
}

int main(int argc, char **argv) {
  int n = 128, rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  float *all = NULL;
  if (rank == 0) {
    all = (float *)malloc(sizeof(float) * n * size);
    for (int i = 0; i < n * size; i++)
      all[i] = (float)(i % 97);
  }
  float *part = (float *)malloc(sizeof(float) * n);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Scatter_op_Gather to line [[#@LINE+11]]: {{rewritten|fusable}}
  MPI_Scatter(all, n, MPI_FLOAT, part, n, MPI_FLOAT, 0, MPI_COMM_WORLD);

  float sub_avg = compute_avg(part, n);

  float *sub_avgs = NULL;
  if (rank == 0) {
    sub_avgs = (float *)malloc(sizeof(float) * size);
    assert(sub_avgs != NULL);
  }

  MPI_Gather(&sub_avg, 1, MPI_FLOAT, sub_avgs, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);
  // CHECK: :[[#@LINE-1]]:3: remark: semi-fused Gather_op: {{rewritten|fusable}}
  if (rank == 0) {
    float avg = compute_avg(sub_avgs, size);
    printf("average %f\n", avg);
    printf("again %f\n", compute_avg(all, n * size));
  }
  if (rank == 0) {
    free(all);
    free(sub_avgs);
  }
  free(part);
  MPI_Finalize();
  return 0;
}
