// Regions of OpenMP, with and without the flag that makes them so.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
// RUN: acisc --mpi --force --dry-run %s -- -fopenmp 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

enum { N = 48 };

int main(int argc, char **argv) {
  int rank, a[N], b[N], c[N], d[N], given;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
#pragma omp parallel
  {
#pragma omp master
    {
      // CHECK: :[[#@LINE+1]]:7: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: not fused [openmp]: it is in a region of OpenMP, which several threads may run
      MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      for (int i = 0; i < N; i++)
        c[i] = b[i] - a[i];
      MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
  }
  /* a comment between */
#pragma omp parallel \
    num_threads(1)
  // and one more
  for (int round = 0; round < 2; round++) {
    // CHECK: :[[#@LINE+1]]:5: remark: semi-fused Allreduce_op: not fused [openmp]: it is in a region of OpenMP
    MPI_Allreduce(d, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
      a[i] = b[i] % 1000;
  }
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    c[i] = a[i];
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: {{rewritten|fusable}}
  MPI_Allreduce(c, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  printf("%d %d\n", rank, d[4]);
  MPI_Finalize();
  return 0;
}
