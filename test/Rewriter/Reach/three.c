// A collective is part of one call only. Of three with two ops the first has its op for itself; of
// four the one in the middle stays with the hosts.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  double x[64], y[64], z[64], w[64], part = 0, all;
  int rank, most;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 64; i++)
    x[i] = i % 7 + rank;

  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: rewritten as semi-fused Allreduce_op to line [[#@LINE+3]] [chain]: its last collective begins the next chain
  MPI_Allreduce(x, y, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    z[i] = y[i] * x[i];
  z[3] = y[4] + 1;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Reduce to line [[#@LINE+4]]: rewritten;
  MPI_Allreduce(z, w, 64, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    part += w[i] * x[i];
  MPI_Reduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%g\n", all);

  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: rewritten;
  MPI_Allreduce(x, y, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    z[i] = y[i] * x[i];
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: fusable, not rewritten [taken]
  MPI_Allreduce(z, w, 64, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    x[i] = w[i] * 0.5 + x[i];
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Reduce to line [[#@LINE+4]]: rewritten;
  MPI_Allreduce(x, w, 64, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    part += w[i] * x[i];
  MPI_Reduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%g\n", all);

  // Where the rest cannot be written, the first two are one call.
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: rewritten;
  MPI_Allreduce(x, y, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    z[i] = y[i] * x[i];
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Bcast to line [[#@LINE+4]]: not fused [control]
  MPI_Allreduce(z, w, 64, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (most = 0; most < 4; most++)
    w[most] = w[most] * 0.5 + rank;
  MPI_Bcast(w + most, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  printf("%d: %g\n", rank, w[5]);
  MPI_Finalize();
  return 0;
}
