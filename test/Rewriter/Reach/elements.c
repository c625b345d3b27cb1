// A statement that sets an element of the result, or some, is of the op: the others are read behind it.
// What sets the whole result ends the chain, and what sets the only element does.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <limits.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size, x[100], split[64], count[64] = {0}, got[64], all = 0, last;
  double y[16], part = 0, sum, one;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 100; i++)
    x[i] = (i * 37 + rank * 11) % 100;

  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: remark: fused Allgather_op_Alltoall to line [[#@LINE+10]]: rewritten
  int mine = (rank + 1) * 100 / size;
  MPI_Allgather(&mine, 1, MPI_INT, split, 1, MPI_INT, MPI_COMM_WORLD);
  split[size - 1] = INT_MAX;
  for (int i = 0; i < 100; i++) {
    int j = 0;
    while (x[i] >= split[j])
      j++;
    count[j]++;
  }
  MPI_Alltoall(count, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++)
    all += got[i];
  printf("%d %d\n", rank, all);

  for (int i = 0; i < 16; i++)
    y[i] = i + rank;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+7]]: rewritten
  MPI_Allreduce(MPI_IN_PLACE, y, 16, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  y[0] *= 0.5;
  y[15] = -1;
  part = 0;
  for (int i = 0; i < 16; i++)
    part += y[i];
  MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%g\n", sum);

  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}[overwritten]: the result is overwritten at line [[#@LINE+2]]
  MPI_Bcast(y, 16, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 16; i++)
    y[i] = rank;
  part = 0;
  for (int i = 0; i < 16; i++)
    part += y[i];
  MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%g\n", sum);

  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}[overwritten]: the result is overwritten at line [[#@LINE+2]]
  MPI_Allreduce(&part, &y[3], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  y[3] = 2;
  one = 0;
  for (int i = 0; i < 16; i++)
    one += y[i];
  MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%g\n", sum);
  MPI_Scan(&rank, &last, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("%d\n", last);
  MPI_Finalize();
}
