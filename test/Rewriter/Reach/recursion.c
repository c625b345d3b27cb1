// A function that calls itself does what its body does: sorting what was scattered, a sum by halves.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void merge(int *a, int *b, int l, int m, int r) {
  int i = l, h = l, j = m + 1;
  while (h <= m && j <= r)
    b[i++] = a[h] <= a[j] ? a[h++] : a[j++];
  while (h <= m)
    b[i++] = a[h++];
  while (j <= r)
    b[i++] = a[j++];
  for (int k = l; k <= r; k++)
    a[k] = b[k];
}

static void mergeSort(int *a, int *b, int l, int r) {
  if (l < r) {
    int m = (l + r) / 2;
    mergeSort(a, b, l, m);
    mergeSort(a, b, m + 1, r);
    merge(a, b, l, m, r);
  }
}

static int calls;
static double total(const double *x, int n) {
  calls++;
  return n == 1 ? x[0] : total(x, n / 2) + total(x + n / 2, n - n / 2);
}

// What the inner call prints, the outer one does.
static double shown(const double *x, int n) {
  if (n > 1)
    return shown(x, n / 2) + x[n - 1];
  printf("%g\n", x[0]);
  return x[0];
}

int main(int argc, char **argv) {
  int rank, size, part[16], other[16], *all = NULL, *sorted = NULL;
  double x[8], sum, got;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    all = malloc(16 * size * sizeof(int));
    sorted = malloc(16 * size * sizeof(int));
    for (int i = 0; i < 16 * size; i++)
      all[i] = i * 37 % 101;
  }
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Scatter_op_Gather to line [[#@LINE+3]]: rewritten
  MPI_Scatter(all, 16, MPI_INT, part, 16, MPI_INT, 0, MPI_COMM_WORLD);
  mergeSort(part, other, 0, 15);
  MPI_Gather(part, 16, MPI_INT, sorted, 16, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 0; i < 16 * size; i++)
      printf("%d\n", sorted[i]);

  for (int i = 0; i < 8; i++)
    x[i] = i + rank;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+3]]: rewritten
  MPI_Allreduce(MPI_IN_PLACE, x, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  sum = total(x, 8);
  MPI_Allreduce(&sum, &got, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  printf("%g %d\n", got, calls);

  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: remark: {{.*}}[io]: 'printf' prints or ends the program
  // CHECK: remark: semi-fused Allreduce_op: not fused [io]: what is computed from the result is printed in its course at line
  MPI_Allreduce(MPI_IN_PLACE, x, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  sum = shown(x, 8);
  MPI_Allreduce(&sum, &got, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  printf("%g\n", got);
  free(all);
  free(sorted);
  MPI_Finalize();
}
