// Names of the program that are like those of the rewritten text.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
// RUN: acisc --mpi --force -o - %s 2>/dev/null | FileCheck %s --check-prefix=TEXT
#include <mpi.h>
#include <stdio.h>

enum { N = 48 };
int acis_op_18;
static int acis_request_18, acis_args_18_2;

int main(int argc, char **argv) {
  int rank, a[N], b[N], c[N], d[N];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
  // CHECK: :[[#@LINE+2]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: rewritten
  // TEXT: struct acis_op_18_3 {
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i] + acis_op_18 + acis_request_18 + acis_args_18_2;
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  printf("%d %d\n", rank, d[4]);
  MPI_Finalize();
  return 0;
}
