// Dot products in other words: what is sent is computed from the sum behind the loop; a factor is a
// difference, has a name, or is a square; the sum is an element or runs over two dimensions.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#define N 64
static double x[N], y[N], grid[8][8];

static double factor(int n, double h) {
  double local = 0, sum;
  for (int i = 0; i < n; i++)
    local += x[i] * y[i];
  double part = h * local;
  // CHECK: :[[#@LINE+1]]:3: remark: kernel-dot: rewritten
  MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

static double copied(int n) {
  double norm = 0, tmp;
  for (int i = 0; i < n; i++)
    norm = norm + x[i] * x[i];
  tmp = norm;
  // CHECK: :[[#@LINE+1]]:3: remark: kernel-dot: rewritten
  MPI_Allreduce(&tmp, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sqrt(norm);
}

static double difference(int n) {
  double local = 0, sum;
  for (int i = 0; i < n; i++) {
    double d = x[i] - y[i];
    local += d * d;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: kernel-dot: rewritten
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

static double square(int n) {
  double local = 0, sum;
  for (int i = 0; i < n; i++)
    local += pow(x[i] - y[i], 2);
  local /= n;
  // CHECK: :[[#@LINE+1]]:3: remark: kernel-dot: rewritten
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

static double weighted(int n, double h) {
  double both[2] = {0, n}, sums[2];
  for (int i = 0; i < n; i++)
    both[0] += h * x[i] * y[i];
  // CHECK: :[[#@LINE+1]]:3: remark: kernel-dot: rewritten
  MPI_Allreduce(both, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sums[0] / sums[1];
}

static double plane(void) {
  double local = 0, sum;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      local += grid[i][j] * grid[j][i];
  // CHECK: :[[#@LINE+1]]:3: remark: kernel-dot: rewritten
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

// No product: one element, a cube, a sum of one of the products of a row.
static double one(int n, double h) {
  double local = 0, sum;
  for (int i = 0; i < n; i++)
    local += h * h * x[i];
  // CHECK-NOT: kernel-dot
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}
static double rows(void) {
  double local[8], sum[8];
  for (int i = 0; i < 8; i++) {
    local[i] = 0;
    for (int j = 0; j < 8; j++)
      local[i] += grid[i][j] * x[j];
  }
  MPI_Allreduce(local, sum, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum[0] + sum[7];
}
// A sweep that keeps a norm writes an array; what comes by a message is no sum of this rank.
static double sweep(int n) {
  double local = 0, sum;
  for (int i = 1; i < n; i++) {
    double d = x[i] - y[i];
    y[i] = x[i];
    local += d * d;
  }
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}
static double received(int n, int rank, int size) {
  double local = 0, sum, part;
  for (int i = 0; i < n; i++)
    local += x[i] * y[i];
  MPI_Sendrecv(&local, 1, MPI_DOUBLE, (rank + 1) % size, 0, &part, 1, MPI_DOUBLE,
               (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < N; i++) {
    x[i] = i * rank;
    y[i] = grid[i / 8][i % 8] = i + rank;
  }
  double a = factor(N, 0.5), b = copied(N), c = difference(N), d = square(N), e = weighted(N, 2);
  double f = plane(), g = one(N, 3), h = rows(), k = sweep(N), l = received(N, rank, size);
  printf("%.12g %.12g %.12g %.12g %.12g\n", a, b, c, d, e);
  printf("%.12g %.12g %.12g %.12g %.12g\n", f, g, h, k, l);
  MPI_Finalize();
}
