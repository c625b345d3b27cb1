// Chains of C++ that can be fused and stay as they are; before C++11 an op cannot be a lambda.
// RUN: acisc --mpi --force --dry-run %s -- -std=c++17 2>&1 | FileCheck %s
// RUN: acisc --mpi --force --dry-run %s -- -std=c++98 2>&1 | FileCheck --check-prefix=OLD %s
// RUN: acisc --mpi --force --dry-run --config %overlays/u280-full.json --mpi-report %s -- -std=c++17 | FileCheck --check-prefix=MAPPED %s
#include <mpi.h>
#include <stdio.h>
#define N 64
int a[N], b[N], c[N], d[N];

template <typename T> T sum(T value) {
  T all;
  MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}
static void usesTemplate() {
  // CHECK: :[[#@LINE+1]]:13: remark: semi-fused Allreduce_op: rewritten
  int all = sum(a[3]);
  for (int i = 0; i < N; i++)
    c[i] += all;
}
template <int Shift> int shifted(int value) {
  int all;
  MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}
static void usesNumber() {
  // CHECK: :[[#@LINE+1]]:13: remark: semi-fused Allreduce_op: fusable, not rewritten [wrapper]: the MPI call is in a function that is, or is called by, a template
  int all = shifted<3>(a[3]);
  for (int i = 0; i < N; i++)
    c[i] += all;
}
namespace other {
static int weight = 2;
static int sum(int value) {
  int all, mine = value * weight;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}
} // namespace other
static void usesNamespace() {
  // CHECK: :[[#@LINE+1]]:13: remark: semi-fused Allreduce_op: fusable, not rewritten [wrapper]: the MPI call is in a function that uses 'weight', a name of its class or namespace or of the call's
  int all = other::sum(a[3]);
  for (int i = 0; i < N; i++)
    c[i] += all;
}

template <typename T> T chain(T shift) {
  // OLD: :[[#@LINE+2]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: fusable, not rewritten [template]: it is in a template
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: fusable, not rewritten [template]: 'first' is declared in the op and may have another type in another instance
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  T first = b[0] + shift;
  for (int i = 0; i < N; i++)
    c[i] = b[i] * 2 + first;
  MPI_Allreduce(c, d, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return first;
}

struct Sums {
  int all;
  int total(int value) {
    MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all;
  }
  void own() {
    // OLD: :[[#@LINE+4]]:5: remark: semi-fused Allreduce_op: fusable, not rewritten [method]: it is in a method
    // CHECK: :[[#@LINE+3]]:5: remark: semi-fused Allreduce_op: rewritten
    // MAPPED: not-rewritten.cpp:[[#@LINE+2]]: semi-fused Allreduce_op
    // MAPPED: switch      binary of {{[0-9]+}} bytes
    MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
      c[i] = b[i] * all;
  }
};
static void usesMethod(Sums &sums) {
  // CHECK: :[[#@LINE+1]]:13: remark: semi-fused Allreduce_op: fusable, not rewritten [wrapper]: the MPI call is in a function that is a method of another object, or has another scope
  int all = sums.total(a[3]);
  for (int i = 0; i < N; i++)
    c[i] += all;
}

static void ranged() {
  // CHECK: :[[#@LINE+3]]:3: remark: semi-fused Allreduce_op: rewritten
  // MAPPED: not-rewritten.cpp:[[#@LINE+2]]: semi-fused Allreduce_op
  // MAPPED: switch      no binary: it has a statement or a call of a kind that handlers do not have (line [[#@LINE+2]])
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int x : b)
    c[0] += x;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  Sums sums;
  ranged();
  usesTemplate();
  usesNumber();
  usesNamespace();
  printf("%d\n", chain(2));
  usesMethod(sums);
  sums.own();
  MPI_Finalize();
  return 0;
}
