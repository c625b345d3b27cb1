// Objects that communicate or print when they end: between the collectives nothing is hidden.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <cstdio>
#include <memory>
#include <mpi.h>
#include <stdexcept>
#include <vector>

enum { N = 48 };
static int a[N], b[N], c[N], d[N];

struct Last {
  int number;
  ~Last() { MPI_Barrier(MPI_COMM_WORLD); }
};
struct Holder {
  Last last;
};

static void deleted() {
  Last *last = new Last{1};
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: not fused [intervening-comm]: MPI_Barrier communicates
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  delete last;
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

static void inContainer() {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+7]]: not fused [intervening-comm]: MPI_Barrier communicates
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  {
    std::vector<Holder> holders(1);
  }
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

static int thrown(unsigned limit) {
  std::vector<int> table(limit, 7);
  try {
    // CHECK: :[[#@LINE+1]]:5: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: rewritten
    MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
      c[i] = b[i] - table.at(i);
    MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  } catch (const std::out_of_range &) {
    return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
  deleted();
  inContainer();
  int many = thrown(N), few = thrown(N - 1);
  std::printf("%d %d %d %d\n", rank, many, few, d[3]);
  MPI_Finalize();
  return 0;
}
