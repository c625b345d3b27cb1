// Arrays of several dimensions as result, inbound and outbound arrays.
// RUN: acisc --mpi --force --dry-run --config %overlays/u280-full.json --mpi-report %s | FileCheck %s
#include <mpi.h>
#include <stdio.h>

#define ROWS 6
#define COLUMNS 9

int main(int argc, char **argv) {
  int part[ROWS][COLUMNS], total[ROWS][COLUMNS], weight[ROWS][COLUMNS], out[COLUMNS][ROWS];
  int cube[2][3][8], folded[48], sums[3][16], rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < COLUMNS; k++) {
      part[i][k] = i * 7 + k + rank;
      weight[i][k] = k - 3 * i;
      out[k][i] = -1;
    }
  // CHECK: matrices.c:[[#@LINE+4]]: semi-fused Allreduce_op
  // CHECK: inbound     weight (int), 216 bytes
  // CHECK: outbound    out (int), 216 bytes
  // CHECK: switch      binary of
  MPI_Allreduce(part, &total[0][0], ROWS * COLUMNS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < ROWS; i++)
    for (int k = 1; k < COLUMNS; k++)
      out[k][i] = total[i][k] * weight[i][k] + total[i][k - 1];
  for (int i = 0; i < 48; i++)
    folded[i] = i + rank;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 16; k++)
      sums[i][k] = k;
  // A matrix inside an array of three dimensions; what the op does not write keeps its value.
  // CHECK: matrices.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      binary of
  MPI_Allreduce(folded, cube, 48, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 8; k++)
      sums[i][k * 2] = cube[0][i][k] + 2 * cube[1][i][k];
  // Another row than the first.
  // CHECK: matrices.c:[[#@LINE+2]]: semi-fused Allreduce_op
  // CHECK: switch      binary of
  MPI_Allreduce(part[1], total[1], 4 * COLUMNS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 1; i < 5; i++)
    for (int k = 0; k < COLUMNS; k++)
      weight[i][k] = total[i][k] + k;
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < COLUMNS; k++)
      printf("%d %d %d: %d %d\n", rank, i, k, out[k][i], weight[i][k]);
  for (int i = 0; i < 48; i++)
    printf("%d %d: %d\n", rank, i, sums[i / 16][i % 16]);
  MPI_Finalize();
  return 0;
}
