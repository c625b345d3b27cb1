// A loop that uses the result for one thing and sums up another: only what it sums is sent.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank;
  double r[48], u[48], slope = 0, steepest, length = 0, total;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 48; i++) {
    r[i] = (i * 5 + rank) % 7;
    u[i] = i;
    slope += r[i];
  }
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+7]]: not fused [not-consumed]: what MPI_Allreduce sends does not depend on the result
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: rewritten
  MPI_Allreduce(&slope, &steepest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < 48; i++) {
    u[i] -= steepest * r[i];
    length += r[i] * r[i];
  }
  MPI_Allreduce(&length, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%d: %f %f\n", rank, u[5], total);
  MPI_Finalize();
  return 0;
}
