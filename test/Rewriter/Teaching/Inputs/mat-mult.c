/* C = A B with static arrays, the way beginners write it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 24

int a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];
int aa[SIZE * SIZE], cc[SIZE * SIZE];

void fill(int m[SIZE][SIZE], int step) {
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      m[i][j] = (i * step + j) % 10;
}

void show(const char *name, int m[SIZE][SIZE]) {
  printf("%s\n", name);
  for (int i = 0; i < SIZE; i += 8) {
    for (int j = 0; j < SIZE; j += 6)
      printf("%d ", m[i][j]);
    printf("\n");
  }
}

int main(int argc, char *argv[]) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (SIZE % size != 0) {
    if (rank == 0)
      printf("Matrix size not divisible by number of processes\n");
    MPI_Finalize();
    exit(-1);
  }
  if (rank == 0) {
    fill(a, 3);
    fill(b, 7);
  }
  MPI_Bcast(b, SIZE * SIZE, MPI_INT, 0, MPI_COMM_WORLD); /*@b*/
  MPI_Scatter(a, SIZE * SIZE / size, MPI_INT, aa, SIZE * SIZE / size, MPI_INT, 0, MPI_COMM_WORLD); /*@a*/
  for (int i = 0; i < SIZE / size; i++)
    for (int j = 0; j < SIZE; j++) {
      int sum = 0;
      for (int k = 0; k < SIZE; k++)
        sum = sum + aa[i * SIZE + k] * b[k][j];
      cc[i * SIZE + j] = sum;
    }
  MPI_Gather(cc, SIZE * SIZE / size, MPI_INT, c, SIZE * SIZE / size, MPI_INT, 0, MPI_COMM_WORLD); /*@c*/
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    show("C", c);
  MPI_Finalize();
  return 0;
}
