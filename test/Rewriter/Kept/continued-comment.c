// Comments that go on in the next line.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

enum { N = 48 };

int main(int argc, char **argv) {
  int rank, a[N], b[N], c[N], d[N];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: rewritten
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD); // the sum of all \
                                                               ranks
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i]; // less the own one \\
  this is still the comment
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD); /* one */ // two \  
  three
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: rewritten
  MPI_Allreduce(d, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD); // to the end \
     of the line \
     and on
  for (int i = 0; i < N; i++)
    c[i] = b[i] * 2; // behind \
     the last one
  printf("%d %d %d\n", rank, d[4], c[5]);
  MPI_Finalize();
  return 0;
}
