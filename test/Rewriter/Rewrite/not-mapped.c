// Ops that get no switch binary: the chain is rewritten all the same, its op stays on the hosts.
// RUN: acisc --mpi --force --dry-run --config %overlays/u280.json --mpi-report %s | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define N 64

struct Point {
  int x, y;
};
int a[N], b[N], c[N], d[N];

static void longs(void) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: 'long' has another size on the overlay
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (long i = 0; i < N; i++)
    c[i] = b[i];
}

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

static void unknownSize(int *out) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: the size of 'out' is known only at run time
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    out[i] = b[i];
}

static void structs(void) {
  static struct Point points[N];
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: 'points' is not an array of numbers
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    points[i].x = b[i];
  c[1] = points[2].x;
}

static void pointerRows(void) {
  int *rows[4] = {a, b, c, d};
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: 'rows' is not an array of numbers
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    rows[2][i] = b[i];
}

static void structure(void) {
  struct Point p = {3, 4};
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: 'p' is not a number
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] * p.x;
}

static void twoTypes(void) {
  static double x[N];
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: a stream or memory would have elements of two types
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] + d[i] + (x[i] > 0);
}

static void middle(void) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: the buffer of a collective is a part of 'b'
  MPI_Allreduce(a, b + 8, N - 8, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 8; i < N; i++)
    c[i] = b[i];
}

static int total(int value) {
  int all;
  MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}
static void elsewhere(void) {
  // CHECK: not-mapped.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      no binary: the collective is in a function of the program
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
  longs();
  allocates();
  readsClock();
  givesNothing();
  unknownSize(c);
  structs();
  pointerRows();
  structure();
  twoTypes();
  middle();
  elsewhere();
  mapperSays();
  MPI_Finalize();
  return 0;
}
