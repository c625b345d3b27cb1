// What means something else in another function, or ends with it, stays where it is. The test that
// runs programs compares what this one prints.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <alloca.h>
#include <mpi.h>
#include <stdio.h>
#define N 64
static int *stored, ended, rank;

static void keep(int *p) { stored = p; }
static void passOn(int *p) { keep(p + 0); }
static void bump(int by) { *stored += by; }
static void end(int *p) { ended += *p; }

static void fill(int *a) {
  for (int i = 0; i < N; i++)
    a[i] = i + rank;
}

static void keptByCallee(void) {
  int a[N], b[N], c[N], n = 1;
  fill(a);
  passOn(&n);
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [extraction]: the op cannot be taken out: the address of 'n' is kept elsewhere
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++) {
    c[i] = b[i] * n;
    bump(b[i]);
  }
  printf("kept %d %d %d\n", c[3], c[40], n);
}

static void functionName(void) {
  int a[N], b[N], c[N];
  fill(a);
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [extraction]: the op cannot be taken out: it uses the name of its function, '__func__' or the like
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] + __func__[i % 8];
  printf("name %d %d\n", c[3], c[40]);
}

static void literal(void) {
  int a[N], b[N], c[N], *p = a;
  fill(a);
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [extraction]: the op cannot be taken out: a compound literal in it would end with it
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  p = (int[]){b[0], b[1], b[2], b[3]};
  for (int i = 0; i < N; i++)
    c[i] = b[i] + p[i & 3];
  printf("literal %d %d %d\n", c[3], p[1], p[3]);
}

static void stack(void) {
  int a[N], b[N], c[N], *p = a;
  fill(a);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: fusable, not rewritten [extraction]: the op cannot be taken out: memory of 'alloca' would end with it
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  p = alloca((b[1] & 3) * 4 + 64);
  for (int i = 0; i < 16; i++) {
    c[i] = p[i] = b[i];
  }
  MPI_Allreduce(c, a, 16, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("stack %d %d %d\n", a[3], p[2], p[7]);
}

static void pointerToDeclared(void) {
  int a[N], b[N], c[N], *q = a;
  fill(a);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: fusable, not rewritten [extraction]: the op cannot be taken out: a pointer may lead to 't', which would end with it
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int t = b[3];
  q = &t;
  for (int i = 0; i < N; i++)
    c[i] = b[i] + *q;
  MPI_Allreduce(c, a, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  *q = 7;
  printf("pointer %d %d\n", a[3], t);
}

static void cleanedUp(void) {
  int a[N], b[N], c[N];
  fill(a);
  {
    // CHECK: :[[#@LINE+1]]:5: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: fusable, not rewritten [extraction]: the op cannot be taken out: what is done at the end of 'k' would be done with it
    MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    __attribute__((cleanup(end))) int k = b[3];
    for (int i = 0; i < N; i++)
      c[i] = b[i] * 3 + k;
    MPI_Allreduce(c, a, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("cleanup %d %d\n", a[3], ended);
  }
}

static void typeOfArray(void) {
  int a[N], b[N], c[N];
  fill(a);
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [extraction]: the op cannot be taken out: it takes the size or type of 'c'
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++) {
    __typeof__(c) f;
    f[i] = b[i];
    c[i] = f[i] * 3 + (int)sizeof(f);
  }
  printf("type %d %d\n", c[3], c[50]);
}

static void caseLabels(int way) {
  int a[N], b[N] = {0}, c[N] = {0};
  fill(a);
  switch (way) {
  case 0:
    a[1] = 4;
    // CHECK: :[[#@LINE+1]]:5: remark: semi-fused Allreduce_op: not fused [not-consumed]: nothing reads the result before the chain ends: control may leave the block at line [[#@LINE+2]]
    MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  case 1:
    for (int i = 0; i < N; i++)
      c[i] = b[i] * 3 + 1;
  }
  printf("case %d %d\n", c[3], c[40]);
}

static int said(int value) {
  int all;
  value += __func__[0];
  MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}
static void boundBody(void) {
  int c[N];
  fill(c);
  // CHECK: :[[#@LINE+1]]:13: remark: {{.*}}fused Allreduce_op{{.*}}: fusable, not rewritten [wrapper]: the MPI call is in a function whose body is bound to it: it uses the name of its function
  int all = said(c[3]);
  for (int i = 0; i < N; i++)
    c[i] += all;
  printf("body %d %d\n", c[3], c[40]);
}

static void pointerBeside(void) {
  int a[N], b[N], c[N], n = 2;
  fill(a);
  passOn(&n);
  // The op reaches 'n' by its name only.
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: rewritten
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] * n;
  printf("beside %d %d\n", c[3], *stored);
}

typedef int Small;
static void localType(void) {
  typedef signed char Small;
  int a[N], b[N], c[N];
  fill(a);
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [extraction]: the op cannot be taken out: it uses a type or a constant that is declared inside the function
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = (Small)(b[i] * 50);
  printf("type %d %d\n", c[3], c[40]);
}

enum { FACTOR = 100 };
static void localConstant(void) {
  enum { FACTOR = 3 };
  int a[N], b[N], c[N];
  fill(a);
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [extraction]: the op cannot be taken out: it uses a type or a constant that is declared inside the function
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] * FACTOR;
  printf("constant %d %d\n", c[3], c[40]);
}

static void ownType(void) {
  int a[N], b[N], c[N];
  fill(a);
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: rewritten
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++) {
    typedef signed char Tiny;
    Small plain = b[i] * 50;
    Tiny tiny = plain;
    c[i] = tiny;
  }
  printf("own %d %d\n", c[3], c[40]);
}

#define STEP 5
#define TWICE (STEP * 2)
#define WIDE 7
static int scaledSum(int value) {
  int all;
  value *= TWICE;
  MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}
static int wideSum(int value) {
  int all;
  value *= WIDE;
  MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}
static void otherMacro(void) {
  int a[N], b[N], c[N];
  fill(a);
#undef STEP
#define STEP 6
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: fusable, not rewritten [macro]: the op uses a macro that is another one before the function
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] + TWICE;
  printf("macro %d %d\n", c[3], c[40]);
}
static void otherMacroInBody(void) {
  int c[N];
  fill(c);
  // CHECK: :[[#@LINE+1]]:13: remark: {{.*}}fused Allreduce_op{{.*}}: fusable, not rewritten [wrapper]: the MPI call is in a function that uses a macro that is another one at the call
  int all = scaledSum(c[3]);
  for (int i = 0; i < N; i++)
    c[i] += all;
  printf("body %d %d\n", c[3], c[40]);
  MPI_Barrier(MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:9: remark: semi-fused Allreduce_op: rewritten
  all = wideSum(c[3]);
  for (int i = 0; i < N; i++)
    c[i] += all;
  printf("body %d %d\n", c[3], c[40]);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  keptByCallee();
  functionName();
  literal();
  stack();
  pointerToDeclared();
  cleanedUp();
  typeOfArray();
  caseLabels(argc - 1);
  caseLabels(argc);
  boundBody();
  pointerBeside();
  localType();
  localConstant();
  ownType();
  otherMacro();
  otherMacroInBody();
  MPI_Finalize();
  return 0;
}
