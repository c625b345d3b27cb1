// Arguments of the last collective that do more than give a value, and checks that leave between.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

enum { N = 48 };
static int a[N], b[N], c[N], d[N], asked;

static MPI_Comm world(void) {
  asked++;
  return MPI_COMM_WORLD;
}

static void counted(void) {
  int n = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: rewritten as semi-fused {{.*}} [order]: an argument of the last collective does more than give a value
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  MPI_Allreduce(c, d, n++ + N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  printf("%d\n", n);
}

static void called(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: {{rewritten as semi-fused Allreduce_op to line [0-9]+ .order.: an argument of the last collective does more than give a value|not fused}}
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, world());
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, world());
}

static int checked(void) {
  int rank, code = MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: fusable, not rewritten [order]: a statement between may leave
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (code != MPI_SUCCESS)
    return code;
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return 0;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
  counted();
  called();
  printf("%d %d %d\n", rank, asked, checked());
  MPI_Finalize();
  return 0;
}
