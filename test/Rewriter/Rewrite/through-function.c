// A collective in a function of the program: its body goes to the call, so that what follows the
// call can be the op. Names of the function and of its caller may be the same.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
// RUN: cp %s %t.c && acisc --mpi --diff --no-remarks %t.c | FileCheck --check-prefix=DIFF %s
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#define N 48

static double dot(const double *x, const double *y, int n) {
  double local = 0.0, all;
  for (int i = 0; i < n; i++)
    local += x[i] * y[i]; /* the local part */
  MPI_Allreduce(&local, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

static float norm(float values[], int n, MPI_Comm comm) {
  float part = 0, whole;
  for (int i = 0; i < n; i++)
    part += values[i] * values[i];
  MPI_Allreduce(&part, &whole, 1, MPI_FLOAT, MPI_SUM, comm);
  return sqrt(whole);
}

static void add_up(double *from, double *to, int count) {
  MPI_Allreduce(from, to, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  double x[N], y[N], p[N], sums[N], local = 0, part = 0, total = 0, all = 3;
  float v[N];
  int rank, n = N;
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++) {
    x[i] = 1 + (i + rank) % 5;
    y[i] = p[i] = 2 - i % 3;
    v[i] = (float)((i * 3 + rank) % 7);
  }
  // CHECK: :[[#@LINE+2]]:18: remark: semi-fused Allreduce_op: rewritten
  // DIFF: const double *acis_arg0_[[#@LINE+1]] = p;
  double alpha = dot(p, y, n) / all;
  for (int i = 0; i < n; i++)
    x[i] += alpha * p[i];
  // DIFF: *acis->acis_local_whole
  // CHECK: :[[#@LINE+1]]:11: remark: semi-fused Allreduce_op: rewritten
  local = norm(v, n, world);
  for (int i = 0; i < n; i++)
    v[i] /= local;
  // CHECK: :[[#@LINE+2]]:3: remark: fused Allreduce_op_Reduce to line [[#@LINE+5]]: rewritten
  // DIFF: ACIS_Coll acis_second_[[#@LINE+1]] = ACIS_Reduce(&part, &total, 1,
  add_up(x, sums, n);
  for (int i = 0; i < n; i++)
    part += sums[i] * y[i];
  MPI_Reduce(&part, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  printf("%d: %.9g %.9g %.6g %.9g %.9g\n", rank, alpha, x[5], v[3], local, rank ? 0 : total);
  MPI_Finalize();
  return 0;
}
