// Functions of <algorithm> that move elements about, and qsort, as op: of numbers, pairs of them and
// bytes that a callable compares. A comparison of the program's own that communicates is seen.
// RUN: acisc --mpi --force --dry-run %s -- -std=c++17 2>&1 | FileCheck %s
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <numeric>
#include <utility>
#include <vector>

struct Point {
  double x;
  int id;
};

struct Loud {
  double x;
  bool operator<(const Loud &other) const {
    MPI_Barrier(MPI_COMM_WORLD);
    return x < other.x;
  }
};

static int byValue(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static int calls;
static int counted(const void *a, const void *b) {
  printf("%d\n", calls++);
  return byValue(a, b);
}

static double all(double part) {
  double sum;
  MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

int main(int argc, char **argv) {
  int rank, size;
  double sum, part;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<double> x(16), y(16 * size);
  for (int i = 0; i < 16; i++)
    x[i] = (rank * 7 + i * 5) % 13;

  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allgather_op_Allreduce to line [[#@LINE+4]]: rewritten
  MPI_Allgather(x.data(), 16, MPI_DOUBLE, y.data(), 16, MPI_DOUBLE, MPI_COMM_WORLD);
  std::sort(y.begin(), y.end(), [](double a, double b) { return a > b; });
  part = y[1];
  MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%d %g\n", rank, sum);

  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allgather_op_Allreduce to line [[#@LINE+6]]: rewritten
  MPI_Allgather(x.data(), 16, MPI_DOUBLE, y.data(), 16, MPI_DOUBLE, MPI_COMM_WORLD);
  std::nth_element(y.begin(), y.begin() + 8, y.end());
  std::reverse(y.begin(), y.end());
  std::qsort(y.data(), y.size() / 2, sizeof(double), byValue);
  part = std::unique(y.begin(), y.begin() + 4) - y.begin() + y[0];
  MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%d %g\n", rank, sum);

  std::vector<Point> points(8 * size), own(8);
  for (int i = 0; i < 8; i++)
    own[i] = {(rank * 3 + i * 7) % 11 * 1.0, i};
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allgather_op_Allreduce to line [[#@LINE+5]]: rewritten
  MPI_Allgather(own.data(), 8 * sizeof(Point), MPI_BYTE, points.data(), 8 * sizeof(Point), MPI_BYTE, MPI_COMM_WORLD);
  std::stable_sort(points.begin(), points.end(),
                   [](const Point &a, const Point &b) { return a.x < b.x; });
  part = points[3].x;
  MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%d %g\n", rank, sum);

  std::vector<Loud> loud(8 * size), quiet(8);
  for (int i = 0; i < 8; i++)
    quiet[i] = {(rank * 3 + i * 7) % 11 * 1.0};
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allgather_op_Allreduce to line [[#@LINE+4]]: not fused [calls]: 'std::sort'
  MPI_Allgather(quiet.data(), 8, MPI_DOUBLE, loud.data(), 8, MPI_DOUBLE, MPI_COMM_WORLD);
  std::sort(loud.begin(), loud.end());
  part = loud[3].x;
  MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%d %g\n", rank, sum);

  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allgather_op_Allreduce to line [[#@LINE+4]]: not fused [intervening-comm]
  MPI_Allgather(x.data(), 16, MPI_DOUBLE, y.data(), 16, MPI_DOUBLE, MPI_COMM_WORLD);
  std::sort(y.begin(), y.begin() + 2, [](double a, double b) { return all(a) < all(b); });
  part = y[1];
  MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%d %g\n", rank, sum);

  // Numbers of the library's generator are drawn in their order, and what a comparison prints is
  // printed between.
  std::srand(3 + rank);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allgather_op_Allreduce to line [[#@LINE+6]]: rewritten
  MPI_Allgather(x.data(), 16, MPI_DOUBLE, y.data(), 16, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < 8; i++)
    y[i] += std::rand() % 5;
  int drawn = std::rand() % 100;
  part = y[1] + drawn;
  MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%d %g\n", rank, sum);
  if (size < 0) {
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allgather_op_Allreduce to line [[#@LINE+4]]: not fused [io]
    MPI_Allgather(x.data(), 16, MPI_DOUBLE, y.data(), 16, MPI_DOUBLE, MPI_COMM_WORLD);
    std::qsort(y.data(), y.size(), sizeof(double), counted);
    part = y[1];
    MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
