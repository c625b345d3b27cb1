// Errors are returned and their codes kept, in one variable or two.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

enum { N = 48 };
static int a[N], b[N], c[N], d[N];

static int one(int root) {
  int code;
  // CHECK: :[[#@LINE+1]]:10: remark: fused Bcast_op_Allreduce to line [[#@LINE+4]]: rewritten
  code = MPI_Bcast(b, N, MPI_INT, root, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  code = MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return code != MPI_SUCCESS;
}

static int two(int root) {
  int first, second;
  // CHECK: :[[#@LINE+1]]:11: remark: fused Bcast_op_Allreduce to line [[#@LINE+4]]: rewritten as semi-fused {{.*}} [order]: the return code of the first collective is kept beyond the second
  first = MPI_Bcast(b, N, MPI_INT, root, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] + a[i];
  second = MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return 10 * (first != MPI_SUCCESS) + (second != MPI_SUCCESS);
}

static int onlyFirst(int root) {
  int first;
  // CHECK: :[[#@LINE+1]]:11: remark: fused Bcast_op_Allreduce to line [[#@LINE+4]]: rewritten as semi-fused {{.*}} [order]: the return code of the first collective is kept beyond the second
  first = MPI_Bcast(b, N, MPI_INT, root, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] * 2;
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return first != MPI_SUCCESS;
}

static int inTable(int root) {
  int codes[4] = {9, 9, 9, 9}, count = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Bcast_op_Allreduce to line [[#@LINE+5]]: rewritten as semi-fused {{.*}} [order]: the place of a return code is computed between
  MPI_Bcast(b, N, MPI_INT, root, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] * 3;
  count++;
  codes[count] = MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return codes[0] * 10 + (codes[1] != MPI_SUCCESS);
}

static int semi(int root) {
  int code;
  // CHECK: :[[#@LINE+1]]:10: remark: semi-fused Bcast_op: rewritten
  code = MPI_Bcast(b, N, MPI_INT, root, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - 1;
  return code != MPI_SUCCESS;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    a[i] = b[i] = rank + i;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int root = 0; root < 100; root += 99) {
    int codes[5] = {one(root), two(root), onlyFirst(root)};
    codes[3] = inTable(root);
    codes[4] = semi(root);
    printf("%d %d: %d %d %d %d %d, %d %d\n", rank, root, codes[0], codes[1], codes[2], codes[3],
           codes[4], c[3], d[4]);
  }
  MPI_Finalize();
  return 0;
}
