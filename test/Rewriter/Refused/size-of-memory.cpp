// Memory of a broadcast size holds nothing of the broadcast: the loop only counts to it.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <cstdio>
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, n = 64;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: remark: fused Bcast_op_Reduce to line [[#@LINE+7]]: not fused
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Bcast_op: not fused [scalar]: what is computed from the result has no loop over data
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  double *part = new double[n];
  double *all = new double[n];
  for (int i = 0; i < n; i++)
    part[i] = 0.5 * i * rank;
  MPI_Reduce(part, all, n, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("%f\n", all[7]);
  delete[] part;
  delete[] all;
  MPI_Finalize();
  return 0;
}
