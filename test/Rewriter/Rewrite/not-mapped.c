// Ops that get no switch binary: the chain is rewritten all the same, its op stays on the hosts.
// RUN: acisc --mpi --force --dry-run --config %overlays/u280-full.json --mpi-report %s | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 64

struct Point {
  int x;
  double y;
};
union Either {
  int x;
  float y;
};
int a[N], b[N], c[N], d[N];

static int total(int value);

static void allocates(void) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: it allocates memory
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int *work = malloc((b[0] & 7) + N * sizeof(int));
  for (int i = 0; i < N; i++)
    work[i] = b[i];
  c[0] = work[3];
}

static void readsClock(void) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: it reads a clock, prints or may end the program
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] + (MPI_Wtime() < 0);
}

static void givesNothing(void) {
  int s = 0;
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: it gives nothing back
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    s += b[i];
}

static void structs(void) {
  static struct Point points[N];
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: 'points' is not an array of numbers (line [[#@LINE+3]])
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    points[i].x = b[i];
  c[1] = points[2].x;
}

static void unions(union Either *either) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: it goes through a union, or through pointers that lie in memory (line [[#@LINE+3]])
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    either->x += b[i];
}

static int asked;
static int half(void) {
  asked++;
  return N / 2;
}
static int part(int *x) {
  int count = N / 2;
  MPI_Allreduce(MPI_IN_PLACE, x + count, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return count;
}
static void ofPart(void) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: the function of the collective gives it a part of an array; the whole would do
  part(b);
  for (int i = 0; i < N; i++)
    c[i] = b[i];
}
static void fromPart(int *x, int at) {
  int sum = 0, most;
  // CHECK: not-mapped.c:[[#@LINE+2]]: fused Allreduce_op_Allreduce
  // CHECK: decision    rewritten as semi-fused Allreduce_op to line {{[0-9]+}} [handler]: the buffer of the second collective is a part of an array, behind a function
  sum = total(a[3]);
  for (int i = 0; i < N; i++)
    x[i] += sum;
  MPI_Allreduce(x + at, d, N / 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

static void pointerRows(void) {
  int *rows[4] = {a, b, c, d};
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: it goes through pointers that lie in memory; one array for all rows would do (line [[#@LINE+3]])
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    rows[2][i] = b[i];
}

static void middle(void) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: the buffer of a collective is a part of 'b'
  MPI_Allreduce(a, b + half(), N / 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 8; i < N; i++)
    c[i] = b[i];
}

typedef struct {
  int first, second;
} Pair;
static int sumOf(Pair pair) { return pair.first + pair.second; }

static void inside(int *x, int n) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: the buffer of a collective is a part of an array (line [[#@LINE+1]]); one that begins with it would do
  MPI_Allreduce(a, x + half(), n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    c[i] = x[n + i];
}

static void longDouble(void) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: the overlay has no 'long double'
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = (long double)b[i] / 3;
}

static void scatters(int *out, int *mine, int each, int ranks) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: fused Allreduce_op_Scatter
  // CHECK: decision    rewritten as semi-fused Allreduce_op to line {{[0-9]+}} [handler]: what a Scatter sends is known on the root only
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < each * ranks; i++)
    out[i] = b[i % N];
  MPI_Scatter(out, each, MPI_INT, mine, each, MPI_INT, 0, MPI_COMM_WORLD);
}

static void wideRows(double (*rows)[4096]) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: a row of 'rows' is larger than the room for an array
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    rows[0][i] = b[i];
}

static void fromData(int *out) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: which elements of 'out' it uses depends on data that only the op has; an array of constant size would do (line [[#@LINE+3]])
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    out[b[i]] = i;
}

static void noName(void) {
  int *rows[2] = {b, d};
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: what the first collective gives goes to memory without a name
  MPI_Allreduce(a, rows[1], N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = rows[1][i];
}

static void countChanges(int *out, int next) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: the count of a collective is none that can be computed twice
  MPI_Allreduce(a, out, next++, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = out[i];
}

static void givesStructure(void) {
  Pair pair = {1, 2};
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: 'sumOf' gets a structure or a reference (line [[#@LINE+3]])
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] + sumOf(pair);
}

static void wholeObjects(void) {
  Pair pair = {1, 2}, other;
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: it assigns a whole object (line [[#@LINE+3]])
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++) {
    other = pair;
    c[i] = b[i] + other.second;
  }
}

static void keepsValue(void) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: 'calls' keeps its value from call to call (line [[#@LINE+3]])
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++) {
    static int calls;
    c[i] = b[i] + calls++;
  }
}

static void variableArray(int n) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: the array 'work' of variable size is declared in it; a constant size would do (line [[#@LINE+3]])
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++) {
    int work[n];
    work[0] = b[i];
    c[i] = work[0];
  }
}

static void movingPointer(int *out) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: a pointer moves along; an index instead can be followed (line [[#@LINE+3]])
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    *out++ = b[i];
}

static void newPointer(int *out, int *more) {
  int *to = out;
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: a pointer gets another value; one that is declared in the op and set once can be followed (line [[#@LINE+3]])
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++) {
    to = i % 2 ? out : more;
    to[i] = b[i];
  }
}

static void chosenPointer(int *out, int *more) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: it uses a pointer that is no array with an index (line [[#@LINE+3]])
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++) {
    int *to = i % 2 ? out : more;
    to[i] = b[i];
  }
}

static void comparedPointer(int *out) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: it uses a pointer for other things than the elements of one array (line [[#@LINE+3]])
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    if (out != c)
      out[i] = b[i];
}

static void address(int *out) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: it takes an address for other things than the elements of one array (line [[#@LINE+3]])
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    if (&out[i] != c)
      out[i] = b[i];
}

static void objects(Pair *pairs) {
  Pair pair;
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: it uses a whole structure; its members one by one would do (line [[#@LINE+3]])
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++) {
    pair = pairs[i];
    c[i] = b[i] + pair.second;
  }
}

static void otherType(double *out) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: memory is read as another type than it has (line [[#@LINE+3]])
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    ((int *)out)[i] = b[i];
}

static void fills(int *out, int n) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: decision    rewritten as semi-fused Allreduce_op to line [[#@LINE+3]] [handler]: it fills memory with other bytes than zeros; a loop over elements would do (line [[#@LINE+4]])
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    c[i] = b[i];
  memset(out, c[0] & 1, n * sizeof *out);
}

static int total(int value) {
  int all;
  MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}
static void elsewhere(void) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      binary of {{[0-9]+}} bytes
  int all = total(a[3]);
  for (int i = 0; i < N; i++)
    c[i] += all;
}

static int depth(int n) {
  while (n > 1)
    n = n % 2 ? 3 * n + 1 : n / 2;
  return n;
}
static void mapperSays(void) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: loop not mapped: the number of its iterations is not known
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = depth(b[i]);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  allocates();
  readsClock();
  givesNothing();
  structs();
  pointerRows();
  union Either either = {0};
  unions(&either);
  ofPart();
  fromPart(b, 3);
  middle();
  inside(b, N / 2);
  longDouble();
  scatters(c, d, 1, 1);
  wideRows(0);
  fromData(c);
  noName();
  countChanges(b, N);
  givesStructure();
  wholeObjects();
  keepsValue();
  variableArray(3);
  movingPointer(c);
  newPointer(c, d);
  chosenPointer(c, d);
  comparedPointer(d);
  address(d);
  objects(0);
  otherType(0);
  fills(c, N);
  elsewhere();
  mapperSays();
  MPI_Finalize();
  return 0;
}
