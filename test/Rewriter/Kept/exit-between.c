// A rank that ends between the collectives has taken part in the first: the others print what
// came of it. Nothing that was behind the end is done before it.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
// RUN: acisc --mpi --force -o - %s 2>/dev/null | FileCheck %s --check-prefix=TEXT
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 48 };

static int own;

static void said(void) {
  if (own == 0)
    printf("at exit\n");
}

int main(int argc, char **argv) {
  int rank, a[N], b[N], c[N], d[N], *table = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  own = rank;
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
  if (argc < 5)
    table = a;
  atexit(said);
  // TEXT: acis_op_[[#FIRST:]]_run(
  // TEXT: b[i] - a[i]
  // TEXT: if (!table)
  // TEXT: start = table[1]
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+8]]: rewritten
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  if (!table)
    exit(3);
  int start = table[1];
  c[0] += start;
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  printf("%d\n", d[0]);
  MPI_Finalize();
  return 0;
}
