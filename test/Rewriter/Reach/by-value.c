// A structure that is given by value has pointers that lead where the caller's do: what a function
// reads and writes by them is read and written at the call.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
// RUN: cp %s %t.c && acisc --mpi --force --diff --no-remarks %t.c | FileCheck %s --check-prefix=DIFF
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  double *v;
  int n;
} Vector;
static double total(Vector a) {
  double s = 0;
  for (int i = 0; i < a.n; i++)
    s += a.v[i];
  return s;
}

static void twice(Vector from, Vector to) {
  double *out = to.v;
  for (int i = 0; i < from.n; i++)
    out[i] = from.v[i] * 2;
}

static Vector make(int n) {
  Vector made = {malloc(n * sizeof(double)), n};
  return made;
}

int main(int argc, char **argv) {
  int rank, size;
  double part, all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Vector a = make(16), b = make(16), c = make(16);
  for (int i = 0; i < 16; i++) {
    a.v[i] = i + rank;
    b.v[i] = c.v[i] = 0;
  }

  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Bcast_op_Allreduce to line [[#@LINE+3]]: rewritten
  MPI_Bcast(a.v, 16, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  part = total(a);
  MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%g\n", all);

  for (int i = 0; i < 16; i++)
    a.v[i] = i * rank + size;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Bcast_op_Allreduce to line [[#@LINE+3]]: rewritten
  MPI_Bcast(a.v, a.n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  twice(a, b);
  MPI_Allreduce(b.v, c.v, b.n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);

  for (int i = 0; i < 16; i++)
    a.v[i] = i * rank + size;
  // A declaration that reads the result so does not go before the collective.
  // CHECK: :[[#@LINE+3]]:{{[0-9]+}}: remark: fused Bcast_op_Allreduce to line [[#@LINE+7]]: rewritten
  // DIFF: _run(void *acis_pointer)
  // DIFF: double scale = total(a)
  MPI_Bcast(a.v, 16, MPI_DOUBLE, 1 % size, MPI_COMM_WORLD);
  double scale = total(a);
  for (int i = 0; i < 16; i++)
    b.v[i] = a.v[i] * scale;
  MPI_Allreduce(b.v, c.v, b.n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);

  // What reads the array by a copy of the structure is of the op, or comes behind the wait.
  // CHECK: :[[#@LINE+4]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: rewritten
  // DIFF: all = total(b)
  // DIFF: +  ACIS_Isemifused(ACIS_Allreduce(MPI_IN_PLACE, c.v
  // DIFF: +  MPI_Wait(
  MPI_Allreduce(MPI_IN_PLACE, c.v, c.n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < 16; i++)
    b.v[i] = c.v[i] + 1;
  all = total(b);
  printf("%g\n", all);
  MPI_Finalize();
}
