// What begins a block of the root is an op, and the rest of the block stays behind the wait. A block is
// cut where both parts do what the whole did: the condition is the same, and nobody comes in or leaves by
// another way.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
// RUN: acisc --mpi --force --diff --no-remarks %s | FileCheck %s --check-prefix=DIFF
#include <math.h>
#include <mpi.h>
#include <stdio.h>

static double x[64], y[64], z[64];

static void plain(int rank) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Reduce_op_Bcast to line [[#@LINE+7]]: rewritten
  MPI_Reduce(x, y, 64, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    for (int i = 0; i < 64; i++)
      y[i] /= 64;
    printf("first %g\n", y[1]);
  }
  MPI_Bcast(y, 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

// What both parts name is declared before.
// DIFF: {{^}}+{{ *}}double sum;
// DIFF-NEXT: {{^}}+{{ *}}double most;
// DIFF-NEXT: {{^}}+{{ *}}double least;
static void names(int rank) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Gather_op_Bcast to line [[#@LINE+14]]: rewritten
  MPI_Gather(x, 4, MPI_DOUBLE, y, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    double sum = 0;
    double most = y[0], least = y[0];
    for (int i = 0; i < 8; i++) {
      sum += y[i];
      most = fmax(most, y[i]);
      least = fmin(least, y[i]);
    }
    for (int i = 0; i < 8; i++)
      z[i] = y[i] / (sum + 1);
    printf("sum %g from %g to %g\n", sum, least, most);
  }
  MPI_Bcast(z, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

// The condition reads what the op writes.
static void changes(int rank) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Reduce_op_Bcast to line [[#@LINE+8]]: fusable, not rewritten [blocks]: the op is a part of a larger statement
  MPI_Reduce(x, y, 64, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    for (int i = 0; i < 64; i++)
      y[i] /= 64;
    rank = (int)y[0] - (int)y[0] + 1;
    printf("changed %g\n", y[1]);
  }
  MPI_Bcast(y, 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

// Another one is there with that name, or something would be constructed in the middle.
static void shadows(int rank) {
  double sum = 7;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Reduce_op_Bcast to line [[#@LINE+10]]: fusable, not rewritten [blocks]
  MPI_Reduce(x, y, 64, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    double sum = 0;
    for (int i = 0; i < 64; i++)
      sum += y[i];
    for (int i = 0; i < 64; i++)
      y[i] /= sum + 1;
    printf("shadow %g\n", sum);
  }
  MPI_Bcast(y, 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  printf("outer %g\n", sum);
}

// What is declared in the first part hides something that the second names, or is pointed to from there.
static void declares(int rank) {
  typedef double Real;
  int tmp[4] = {0}, *best = tmp;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Reduce_op_Bcast to line [[#@LINE+9]]: fusable, not rewritten [blocks]
  MPI_Reduce(x, y, 64, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    typedef int Real;
    for (int i = 0; i < 64; i++)
      y[i] = y[i] / 64;
    Real t = (Real)y[1];
    printf("type %d\n", (int)((Real)2.5 + t));
  }
  MPI_Bcast(y, 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Reduce_op_Bcast to line [[#@LINE+9]]: fusable, not rewritten [blocks]
  MPI_Reduce(x, y, 64, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    int inner[4] = {4, 3, 2, 1};
    best = inner;
    for (int i = 0; i < 64; i++)
      y[i] = y[i] / 64 + inner[i % 4];
    printf("best %d\n", best[0]);
  }
  MPI_Bcast(y, 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  printf("real %g\n", (Real)2.5);
}

// The array of the first part ends with it, and nobody has its address. The condition is a macro's.
#define MASTER 0
static void ends(int rank) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Reduce_op_Bcast to line [[#@LINE+10]]: rewritten
  MPI_Reduce(x, y, 64, MPI_DOUBLE, MPI_SUM, MASTER, MPI_COMM_WORLD);
  if (rank == MASTER) {
    double scale[4];
    for (int i = 0; i < 4; i++)
      scale[i] = i + 1;
    for (int i = 0; i < 64; i++)
      y[i] *= scale[i % 4];
    printf("scaled %g\n", y[5]);
  }
  MPI_Bcast(y, 64, MPI_DOUBLE, MASTER, MPI_COMM_WORLD);
}

// Somebody comes in by a label; there is an else; the block has no braces round it.
static void ways(int rank, int again) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}: {{fusable, not rewritten|not fused}}
  MPI_Reduce(x, y, 64, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (again)
    goto inside;
  if (rank == 0) {
    for (int i = 0; i < 64; i++)
      y[i] /= 64;
  inside:
    printf("inside\n");
  }
  MPI_Bcast(y, 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Reduce_op_Bcast to line [[#@LINE+8]]: {{fusable, not rewritten|not fused}}
  MPI_Reduce(x, y, 64, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    for (int i = 0; i < 64; i++)
      y[i] /= 64;
    printf("root\n");
  } else
    z[0] = rank;
  MPI_Bcast(y, 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Reduce_op_Bcast to line [[#@LINE+8]]: {{fusable, not rewritten|not fused}}
  MPI_Reduce(x, y, 64, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (again)
    if (rank == 0) {
      for (int i = 0; i < 64; i++)
        y[i] /= 64;
      printf("nested\n");
    }
  MPI_Bcast(y, 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 64; i++)
    x[i] = i % 7 + rank;
  plain(rank);
  names(rank);
  changes(rank);
  shadows(rank);
  declares(rank);
  ends(rank);
  ways(rank, 0);
  double all = 0;
  for (int i = 0; i < 64; i++)
    all += y[i] + z[i];
  printf("%d: %g\n", rank, all);
  MPI_Finalize();
}
