// Dot products as mini-applications write them: with conditionals of the preprocessor in the loops,
// and with the loop in a function that gives its sum away through a pointer. The loops go as they
// are written, so whatever a conditional leaves out is left out there, too.
// RUN: rm -rf %t && mkdir %t
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
// RUN: cp %s %t/copy.c && acisc --mpi --diff --no-remarks %t/copy.c | FileCheck --check-prefix=DIFF %s
// REQUIRES: mpich
// RUN: mpicc.mpich %s -o %t/plain
// RUN: env ACIS_MPICC=mpicc.mpich acis-mpicc %s -o %t/rewritten
// RUN: mpiexec.mpich -n 3 %t/plain > %t/plain.out
// RUN: mpiexec.mpich -n 3 %t/rewritten | diff %t/plain.out -
// RUN: mpicc.mpich -DSQUARES %s -o %t/plain
// RUN: env ACIS_MPICC=mpicc.mpich acis-mpicc -DSQUARES %s -o %t/rewritten
// RUN: mpiexec.mpich -n 3 %t/plain > %t/squares.out
// RUN: mpiexec.mpich -n 3 %t/rewritten | diff %t/squares.out -
// RUN: not diff %t/plain.out %t/squares.out
#include <mpi.h>
#include <stdio.h>

double conditional(int n, const double *x, const double *y) {
  double local = 0.0, sum = 0.0;
  // DIFF: acis_op_{{[0-9]+}}_run
  // DIFF: if (x == y) {
  // DIFF: #ifdef SQUARES
  // DIFF: #else
  // DIFF: #endif
  // DIFF: ACIS_Ikernel(
  if (x == y) {
    for (int i = 0; i < n; i++)
      local += x[i] * x[i];
  } else {
#ifdef SQUARES
#if 1
    for (int i = 0; i < n; i++)
      local += x[i] * x[i];
#endif
#else
    for (int i = 0; i < n; i++)
      local += x[i] * y[i];
#endif
  }
  // CHECK: :[[#@LINE+1]]:3: remark: kernel-dot: rewritten
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

static void part(int n, const double *x, const double *y, double *result) {
  double local = 0.0;
  for (int i = 0; i < n; i++)
    local += x[i] * y[i];
  *result = local;
}

double given(int n, const double *x, const double *y) {
  double local, sum = 0.0;
  part(n, x, y, &local);
  // CHECK: :[[#@LINE+1]]:3: remark: kernel-dot: rewritten
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

/* Gives something else away. */
static void other(int n, const double *x, const double *y, double *result) {
  double local = 0.0;
  for (int i = 0; i < n; i++)
    local += x[i] * y[i];
  *result = n + (local < 0);
}

double taken(int n, const double *x, const double *y) {
  double local = 0.0, sum = 0.0;
  other(n, x, y, &local);
  // CHECK-NOT: [[#@LINE+1]]:3: remark: kernel-dot
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

/* A conditional round the call, and one that is open where the loop ends: a part of it would stay. */
double around(int n, const double *x, const double *y) {
  double local = 0.0, sum = 0.0;
  for (int i = 0; i < n; i++)
    local += x[i] * y[i];
#ifndef ALONE
  // CHECK: :[[#@LINE+1]]:3: remark: kernel-dot: fusable, not rewritten [preprocessor]
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#else
  sum = local;
#endif
  return sum;
}

double half(int n, const double *x, const double *y) {
  double local = 0.0, sum = 0.0;
  for (int i = 0; i < n; i++) {
#ifndef ALONE
    local += x[i] * y[i];
  }
  // CHECK: :[[#@LINE+1]]:3: remark: kernel-dot: fusable, not rewritten [preprocessor]: there is a part of a preprocessor conditional in it
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#else
    sum += x[i] * y[i];
  }
#endif
  return sum;
}

/* Arguments of the call are written anew. */
double argument(int n, const double *x, const double *y) {
  double local = 0.0, sum = 0.0;
  for (int i = 0; i < n; i++)
    local += x[i] * y[i];
  // CHECK: :[[#@LINE+1]]:3: remark: kernel-dot: fusable, not rewritten [preprocessor]
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE,
#ifdef LARGEST
                MPI_MAX,
#else
                MPI_SUM,
#endif
                MPI_COMM_WORLD);
  return sum;
}

/* A definition means something else at another place. */
double defines(int n, const double *x, const double *y) {
  double local = 0.0, sum = 0.0;
  for (int i = 0; i < n; i++) {
#define FACTOR 1
    local += x[i] * y[i];
  }
  // CHECK: :[[#@LINE+1]]:3: remark: kernel-dot: fusable, not rewritten [preprocessor]
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

/* acisc is another compiler than the one that compiles what it writes. */
double compiler(int n, const double *x, const double *y) {
  double local = 0.0, sum = 0.0;
  for (int i = 0; i < n; i++) {
#ifdef __clang__
    local += x[i] * y[i];
#else
    local += y[i] * x[i];
#endif
  }
  // CHECK: :[[#@LINE+1]]:3: remark: kernel-dot: fusable, not rewritten [preprocessor]
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

int main(int argc, char **argv) {
  int rank;
  double x[64], y[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 64; i++) {
    x[i] = 1.0 / (1 + i + rank);
    y[i] = i * 0.3;
  }
  double a = conditional(64, x, y), b = conditional(64, x, x), c = given(64, x, y);
  double d = taken(64, x, y), e = around(64, x, y) + half(64, x, y) + argument(64, x, y);
  double f = defines(64, x, y) + compiler(64, x, y);
  if (rank == 0)
    printf("%a %a %a %a %a %a\n", a, b, c, d, e, f);
  MPI_Finalize();
  return 0;
}
