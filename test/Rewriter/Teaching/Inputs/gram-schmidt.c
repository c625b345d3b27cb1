/* Orthogonal basis of distributed columns: modified, then classical with one Allreduce a column. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define COLS 5
#define ROWS 24

double v[COLS][ROWS], w[COLS][ROWS];

static double dot_local(const double *a, const double *b, int n) {
  double s = 0.0;
  int i;
  for (i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}

static double dot_global(const double *a, const double *b, int n) {
  double mine = dot_local(a, b, n), all;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /*@dotglobal*/
  return all;
}

void mgs(void) {
  int i, j, k;
  for (j = 0; j < COLS; j++) {
    for (i = 0; i < j; i++) {
      double r = dot_global(v[i], v[j], ROWS); /*@r*/
      for (k = 0; k < ROWS; k++)
        v[j][k] -= r * v[i][k];
    }
    double norm = sqrt(dot_global(v[j], v[j], ROWS)); /*@n*/
    for (k = 0; k < ROWS; k++)
      v[j][k] /= norm;
  }
}

void cgs(void) {
  double h[COLS], hall[COLS], part, norm2;
  for (int j = 0; j < COLS; j++) {
    for (int i = 0; i < j; i++)
      h[i] = dot_local(w[i], w[j], ROWS);
    MPI_Allreduce(h, hall, j, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /*@h*/
    for (int i = 0; i < j; i++)
      for (int k = 0; k < ROWS; k++)
        w[j][k] -= hall[i] * w[i][k];
    part = 0;
    for (int k = 0; k < ROWS; k++)
      part += w[j][k] * w[j][k];
    MPI_Allreduce(&part, &norm2, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /*@norm*/
    double scale = 1.0 / sqrt(norm2);
    for (int k = 0; k < ROWS; k++)
      w[j][k] *= scale;
  }
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int j = 0; j < COLS; j++)
    for (int k = 0; k < ROWS; k++)
      v[j][k] = w[j][k] = 1.0 / (1 + (j * 5 + k * 3 + rank) % 13);
  mgs();
  cgs();
  printf("rank %d: %.9f %.9f\n", rank, v[2][7], w[4][11]);
  MPI_Finalize();
  return 0;
}
