// A macro that hides the call: found, and never changed in the text.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#define CHECKED(call)                                                                              \
  do {                                                                                             \
    int error = call;                                                                              \
    if (error != MPI_SUCCESS)                                                                      \
      fprintf(stderr, "%d\n", error);                                                              \
  } while (0)
#define SUM_ALL(from, to, n) MPI_Allreduce(from, to, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD)

int main(int argc, char **argv) {
  int a[64] = {1}, b[64], c[64];
  MPI_Init(&argc, &argv);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: fusable
  SUM_ALL(a, b, 64);
  for (int i = 0; i < 64; i++)
    c[i] = b[i] * 2;
  printf("%d\n", c[0]);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op:
  CHECKED(MPI_Allreduce(c, b, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  for (int i = 0; i < 64; i++)
    c[i] = b[i] * 2;
  printf("%d\n", c[0]);
  MPI_Finalize();
  return 0;
}
