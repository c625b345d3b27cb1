// A pragma of a loop goes into the op with the loop; one round the collective does not.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
// RUN: cp %s %t.c && acisc --mpi --diff --no-remarks %t.c | FileCheck --check-prefix=DIFF %s
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  double part[8], x[64], y[48] = {0}, sum, z[48];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 8; i++)
    part[i] = i + 8 * rank;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allgather_op_Allreduce {{.*}}: rewritten as semi-fused Allgather_op to line [[#@LINE+12]] [barrier]
  MPI_Allgather(part, 8, MPI_DOUBLE, x, 8, MPI_DOUBLE, MPI_COMM_WORLD);
  // DIFF: _run
  // DIFF: #pragma omp simd
  // DIFF-NEXT: for (int row
#pragma omp simd
  for (int row = 0; row < 48; row++) {
    sum = 0;
#pragma simd reduction(+ : sum)
    for (int i = 0; i < 8 * size; i++)
      sum += x[i] * (row + i);
    y[row] += sum;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: rewritten as semi-fused {{.*}} [preprocessor]: there is a preprocessor directive in it
  MPI_Allreduce(y, z, 48, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < 48; i++)
    y[i] = z[i] / 2;
#pragma omp master
  MPI_Allreduce(y, z, 48, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  printf("%d: %g %g\n", rank, y[3], z[5]);
  MPI_Finalize();
  return 0;
}
