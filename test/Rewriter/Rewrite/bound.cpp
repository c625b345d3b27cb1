// The same for lambdas: objects that would end with the op, and the name of the function.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <cstdio>
#include <mpi.h>
#include <vector>
#define N 64
static int a[N], b[N], c[N];

struct Adder {
  int &total, by;
  Adder(int &total, int by) : total(total), by(by) {}
  ~Adder() { total += by; }
};

static void destroyedLater() {
  int t = 0;
  {
    // CHECK: :[[#@LINE+1]]:5: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: fusable, not rewritten [extraction]: the op cannot be taken out: what is done at the end of 'adder' would be done with it
    MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    Adder adder(t, b[3]);
    for (int i = 0; i < N; i++)
      c[i] = b[i] * 3 + t;
    MPI_Allreduce(c, a, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    std::printf("%d %d\n", a[3], t);
  }
  std::printf("%d %d\n", a[3], t);
}

static void pointerInto() {
  int *first = a;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: fusable, not rewritten [extraction]: the op cannot be taken out: a pointer may lead to 'copy', which would end with it
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  std::vector<int> copy(b, b + N);
  first = copy.data();
  for (int i = 0; i < N; i++)
    c[i] = copy[i] * 3;
  MPI_Allreduce(c, a, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  std::printf("%d %d\n", a[3], first[3]);
}

static void ownCopy() {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: rewritten
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  std::vector<int> copy(b, b + N);
  for (int i = 0; i < N; i++)
    c[i] = copy[i] % 7;
  MPI_Allreduce(c, a, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  std::printf("%d\n", a[3]);
}

static void functionName() {
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [extraction]: the op cannot be taken out: it uses the name of its function
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] % 5 + __func__[i % 8];
  std::printf("%d\n", c[3]);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int i = 0; i < N; i++)
    a[i] = i;
  destroyedLater();
  pointerInto();
  ownCopy();
  functionName();
  MPI_Finalize();
}
