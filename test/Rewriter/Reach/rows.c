// Rows whose length is known at run time: the array goes to the op by its first row with the lengths
// that its own type has, as the variable that gave one may be another number by now.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s --implicit-check-not="rewritten;"
// RUN: acisc --mpi --force --dry-run --no-remarks --config %overlays/u280-full.json %s --mpi-report=- | FileCheck %s --check-prefix=SWITCH
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double dot(int n, const double *x, const double *y) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}

// A pointer parameter in its three forms; a row by a pointer to numbers, elements by `*`.
static void step(int n, int m, int grid[n][m], int (*twice)[m], int rank) {
  int next[n][m];
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: remark: fused Bcast_op_Allreduce to line [[#@LINE+10]]: rewritten
  // SWITCH: "line_first": [[#@LINE+1]]
  MPI_Bcast(&grid[1][0], (n - 1) * m, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) {
    int *row = next[i];
    for (int j = 0; j < m; j++) {
      twice[i][j] = 2 * grid[i][j];
      row[j] = grid[(i + 1) % n][j] + *(*(grid + i) + j / 2) + (*(twice + i))[j] + rank;
    }
  }
  MPI_Allreduce(&next[0][0], &grid[0][0], n * m, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("%d %d\n", grid[0][m - 1], twice[n - 1][m - 1]);
}
// SWITCH: "switch_binary_bytes": {{[1-9]}}

int main(int argc, char **argv) {
  int rank, size, n = 5, d = 3, k = 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  float deep[n][d][k][2], sums[8];
  double a[n][d], b[n][d], c[n][n], all[n][n];
  int grid[n][d], twice[n][d];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++) {
      a[i][j] = rank == 0 ? i - j : 0;
      b[i][j] = i * j + rank;
      grid[i][j] = twice[i][j] = i + j;
      for (int l = 0; l < k; l++)
        deep[i][j][l][0] = deep[i][j][l][1] = i + j * l;
    }

  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: remark: fused Bcast_op_Allreduce to line [[#@LINE+6]]: rewritten
  // SWITCH: "line_first": [[#@LINE+1]]
  MPI_Bcast(a, n * d, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] = dot(d, a[i], b[j]);
  MPI_Allreduce(c, all, n * n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    printf("%g\n", all[i][n - 1 - i]);
  // SWITCH: "switch_binary_bytes": {{[1-9]}}

  // The variable that gave the length is another number now, and read by the op.
  int was = d;
  d = 7;
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+10]]: rewritten
  // SWITCH: "line_first": [[#@LINE+1]]
  MPI_Allreduce(MPI_IN_PLACE, &deep[0][0][0][0], n * was * k * 2, MPI_FLOAT, MPI_SUM,
                MPI_COMM_WORLD);
  for (int j = 0; j < was; j++) {
    sums[j] = 0;
    for (int i = 0; i < n; i++)
      for (int l = 0; l < k; l++)
        sums[j] += deep[i][j][l][1] * (d - l) + deep[i][j][0][0];
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, was, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
  printf("%g %g %g\n", sums[0], sums[1], sums[2]);
  // SWITCH: "switch_binary_bytes": {{[1-9]}}
  step(n, was, grid, twice, rank);

  // Pointers to rows that the op sets cannot be given back: refused.
  double(*from)[was] = a, (*to)[was] = b, part = 0, sum;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}[extraction]: {{.*}}'from', which points to rows of variable size, is set in it
  MPI_Bcast(from, n * was, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int t = 0; t < 2; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < was; j++)
        part += from[i][j];
    from = to;
  }
  MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%g %g\n", sum, from[0][0]);

  // A size of such a row is that of the program's; the switch has none.
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: remark: fused Bcast_op_Allreduce to line [[#@LINE+9]]: rewritten
  // SWITCH: "line_first": [[#@LINE+1]]
  MPI_Bcast(a, n * was, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  // SWITCH: it takes the size of an array of variable size
  for (int i = 0; i < n; i++) {
    memcpy(b[i], a[n - 1 - i], sizeof(b[0]));
    for (int j = 0; j < was; j++)
      b[i][j] += rank;
  }
  MPI_Allreduce(MPI_IN_PLACE, b, n * was, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%g %g\n", b[1][1], b[n - 1][was - 1]);
  MPI_Finalize();
}
