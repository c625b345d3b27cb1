// Names that the rewritten text and acis_cccf.h cannot do without.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
// RUN: acisc --mpi --force --dry-run %s -- -DAS_MACRO 2>&1 | FileCheck %s --check-prefix=MACRO
// RUN: acisc --mpi --force --dry-run %s -- -DAS_FUNCTION 2>&1 | FileCheck %s --check-prefix=FUNCTION
#include <mpi.h>
#include <stdio.h>

enum { N = 48 };
#if defined(AS_MACRO)
#define root 0
#define other 3
#elif defined(AS_FUNCTION)
static void ACIS_Ifused(void) {}
#define other 3
#else
static int acis = 3;
#define other acis
#endif

int main(int argc, char **argv) {
  int rank, a[N], b[N], c[N], d[N];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
  // CHECK: :[[#@LINE+3]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: fusable, not rewritten [names]: the program has the name 'acis', which the rewritten text needs
  // MACRO: :[[#@LINE+2]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: fusable, not rewritten [names]: acis_cccf.h cannot be read where the program has a macro 'root'
  // FUNCTION: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: fusable, not rewritten [names]: the program has the name 'ACIS_Ifused'
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i] + other;
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  printf("%d %d\n", rank, d[4]);
  MPI_Finalize();
  return 0;
}
