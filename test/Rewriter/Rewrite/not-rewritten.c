// Chains that can be fused and stay as they are: one function for each reason.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 64

struct Point {
  int x, y;
};
int a[N], b[N], c[N], d[N], rank, size;
int *same = c, *other = d;

// CHECK: chain.h:3:3: remark: semi-fused Allreduce_op: fusable, not rewritten [header]: it is in a header
#include "Inputs/chain.h"

static void sent(int *data) { MPI_Bcast(data, N, MPI_INT, 0, MPI_COMM_WORLD); }
static void lastElsewhere(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Bcast to line [[#@LINE+4]]: rewritten as semi-fused {{.*}} [wrapper]: the last collective is in another function or a larger statement
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] * 2;
  sent(c);
}

static void inCondition(void) {
  // CHECK: :[[#@LINE+1]]:7: remark: semi-fused Allreduce_op: fusable, not rewritten [wrapper]: the collective is part of a larger statement
  if (MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS)
    abort();
  for (int i = 0; i < N; i++)
    c[i] = b[i] * 2;
}

static void twoChains(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: rewritten
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] * 2;
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [taken]: a part of it belongs to a chain before it
  MPI_Allreduce(c, d, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = d[i] * 2;
}

static void onRoot(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Reduce_op_Bcast to line [[#@LINE+7]]: fusable, not rewritten [blocks]: the op is a part of a larger statement
  MPI_Reduce(a, b, N, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%d\n", b[3]);
    for (int i = 0; i < N; i++)
      c[i] = b[i] * 2;
  }
  MPI_Bcast(c, N, MPI_INT, 0, MPI_COMM_WORLD);
}

static void nested(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: fusable, not rewritten [blocks]: the chain does not lie in one block of the source
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  {
    for (int i = 0; i < N; i++)
      c[i] = b[i] * 2;
    MPI_Allreduce(c, d, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
}

static void declaredBetween(void) {
  int n = N;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: rewritten as semi-fused {{.*}} [order]: an argument of the last collective is computed between
  MPI_Allreduce(a, b, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i];
  int first = *same;
  n = 32;
  MPI_Allreduce(c, d, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  a[0] = first;
}

static void printedThroughPointer(void) {
  int n = N;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+7]]: rewritten as semi-fused {{.*}} [order]: an argument of the last collective is computed between
  MPI_Allreduce(a, b, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int first = 4;
  printf("%d\n", *same + first);
  for (int i = 0; i < N; i++)
    c[i] = b[i];
  n = 32;
  MPI_Allreduce(c, d, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static int receivedOverPrinted(void) {
  int error;
  // CHECK: :[[#@LINE+1]]:11: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: fusable, not rewritten [order]: the return code of the first collective is used between
  error = MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] + error;
  printf("%d\n", *other);
  MPI_Allreduce(c, d, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return error;
}

#define TRY(call)                                                                                  \
  if ((call) != MPI_SUCCESS)                                                                       \
    exit(1)
static void tested(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: rewritten as semi-fused {{.*}} [macro]: a macro tests the return code of the first collective
  TRY(MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  for (int i = 0; i < N; i++)
    c[i] = b[i];
  MPI_Allreduce(c, d, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

#define HEAD           \
  rank = rank;         \
  for (int i = 0; i < N; i++)
static void halfMacro(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [macro]: a part of it is written by a macro
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  HEAD c[i] = b[i];
}

static void loopOfOtherFile(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [macro]: it is spread over files
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#include "Inputs/loop.inc"
}

static void localType(void) {
  struct Inner {
    int v;
  } in[N];
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [extraction]: the op cannot be taken out: the type of 'in' is declared inside the function
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    in[i].v = b[i];
  printf("%d\n", in[4].v);
}

static void localFunction(void) {
  extern int later(int);
  int later(int);
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [extraction]: the op cannot be taken out: it calls a function that is declared inside this one
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = later(b[i]);
}
int later(int value) { return value + 1; }

static void declaredInOp(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: fusable, not rewritten [extraction]: the op cannot be taken out: 'p' is declared in it and used after it
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  struct Point p = {b[0], b[1]};
  for (int i = 0; i < N; i++)
    c[i] = b[i] + p.x;
  MPI_Allreduce(c, d, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("%d\n", p.y);
}

static void inRegister(void) {
  register int k = 3;
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [extraction]: the op cannot be taken out: 'k' is a register variable
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] + k;
}

static void pointerToRows(int n) {
  int rows[4][n], (*first)[n] = rows, (**row)[n] = &first;
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [extraction]: the op cannot be taken out: 'row' has a type of variable size
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 4; i++)
    (*row)[i][0] = b[i];
  printf("%d\n", rows[2][0]);
}

static void sizeTaken(void) {
  int e[N];
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [extraction]: the op cannot be taken out: it takes the size or type of 'e'
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (unsigned i = 0; i < sizeof(e) / sizeof(e[0]); i++)
    e[i] = b[i];
  printf("%d\n", e[5]);
}

static void variableRows(int n) {
  int rows[4][n], (*row[n])[n];
  row[0] = rows, row[1] = rows + 2;
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [extraction]: the op cannot be taken out: 'row' has rows of variable size
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 4; i++)
    row[i / 2][i % 2][0] = b[i];
  printf("%d\n", rows[2][0]);
}

static void fill(int (*to)[N], const int *from) {
  for (int i = 0; i < N; i++)
    (*to)[i] = from[i];
}
static void addressOfArray(void) {
  int e[N];
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [extraction]: the op cannot be taken out: it takes the address of the array 'e'
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  fill(&e, b);
  printf("%d\n", e[5]);
}

static void addressKept(void) {
  int k = 3, *kept = &k;
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [extraction]: the op cannot be taken out: the address of 'k' is kept elsewhere
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] + k + (*kept)++;
  printf("%d\n", *kept);
}

#define SUM(value) sum(value)
static int sum(int value) {
  int all;
  MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}
static void calledByMacro(void) {
  int all;
  // CHECK: :[[#@LINE+1]]:9: remark: semi-fused Allreduce_op: fusable, not rewritten [wrapper]: the MPI call is in a function that is not simply called
  all = SUM(a[3]);
  for (int i = 0; i < N; i++)
    c[i] += all;
}

static int early(int value) {
  int all;
  if (value > 100000)
    return 0;
  MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}
static void leavesBefore(void) {
  // CHECK: :[[#@LINE+1]]:13: remark: semi-fused Allreduce_op: fusable, not rewritten [wrapper]: the MPI call is in a function that may leave, or calls what cannot be seen, before it
  int all = early(a[3]);
  for (int i = 0; i < N; i++)
    c[i] += all;
}

static void coded(void) {
  int code = MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  (void)code;
}
static void largerInside(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [wrapper]: the MPI call is in a function that makes it in a larger statement
  coded();
  for (int i = 0; i < N; i++)
    c[i] += b[i];
}

static struct Point pair(int value) {
  struct Point all;
  MPI_Allreduce(&value, &all.x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}
static void returnsStruct(void) {
  // CHECK: :[[#@LINE+1]]:22: remark: semi-fused Allreduce_op: fusable, not rewritten [wrapper]: the MPI call is in a function that returns more than a number
  struct Point all = pair(a[3]);
  for (int i = 0; i < N; i++)
    c[i] += all.x;
}

static int behind(int value);
static void usesBehind(void) {
  // CHECK: :[[#@LINE+1]]:13: remark: semi-fused Allreduce_op: fusable, not rewritten [wrapper]: the MPI call is in a function that uses a macro that is another one at the call
  int all = behind(a[3]);
  for (int i = 0; i < N; i++)
    c[i] += all;
}
#define FACTOR 2
static int behind(int value) {
  int all;
  value *= FACTOR;
  MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < N; i++)
    a[i] = i + rank;
  lastElsewhere();
  inCondition();
  twoChains();
  onRoot();
  nested();
  declaredBetween();
  printedThroughPointer();
  receivedOverPrinted();
  halfMacro();
  loopOfOtherFile();
  localType();
  localFunction();
  declaredInOp();
  inRegister();
  pointerToRows(5);
  sizeTaken();
  variableRows(5);
  addressOfArray();
  addressKept();
  calledByMacro();
  leavesBefore();
  largerInside();
  returnsStruct();
  usesBehind();
  ofHeader(a, b, c);
  MPI_Finalize();
  return 0;
}
