// A structure by its name, with an array in it, and one inside another.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
struct Range {
  int first, last;
};
struct Block {
  struct Range rows;
  double weight[6];
  double *value;
};
static struct Block block;
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  block.rows.first = 2;
  block.rows.last = 18 + rank;
  block.value = malloc(block.rows.last * sizeof(double));
  for (int i = 0; i < block.rows.last; i++)
    block.value[i] = i;
  for (int i = 0; i < 6; i++)
    block.weight[i] = 1.0 / (i + 1);
  double sum = rank, all;
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = block.rows.first; i < block.rows.last; i++)
    block.value[i] = block.value[i] * block.weight[i % 6] + all;
  block.rows.first = 3;
  double check = 0;
  for (int i = 0; i < block.rows.last; i++)
    check += block.value[i] * (i + 1);
  printf("%d %.12g\n", rank, check);
  MPI_Finalize();
  return 0;
}
