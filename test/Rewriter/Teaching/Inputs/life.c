/* Game of life in strips; the population is reported, and ends the run when it is zero. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLS 40

static int count_alive(const char *grid, int rows) {
  int alive = 0;
  for (int i = 1; i <= rows; i++)
    for (int j = 0; j < COLS; j++)
      alive += grid[i * COLS + j];
  return alive;
}

static int neighbours(const char *g, int i, int j) {
  int n = 0;
  for (int di = -1; di <= 1; di++)
    for (int dj = -1; dj <= 1; dj++)
      if (di || dj)
        n += g[(i + di) * COLS + (j + dj + COLS) % COLS];
  return n;
}

int main(int argc, char **argv) {
  int rank, size, rows = 10, generation;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char *grid = calloc((rows + 2) * COLS, 1), *next = calloc((rows + 2) * COLS, 1);
  for (int i = 1; i <= rows; i++)
    for (int j = 0; j < COLS; j++)
      grid[i * COLS + j] = (i * j + rank) % 3 == 0;
  for (generation = 0; generation < 10; generation++) {
    int up = (rank + size - 1) % size, down = (rank + 1) % size;
    MPI_Sendrecv(grid + COLS, COLS, MPI_CHAR, up, 0, grid + (rows + 1) * COLS, COLS, MPI_CHAR, down,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(grid + rows * COLS, COLS, MPI_CHAR, down, 1, grid, COLS, MPI_CHAR, up, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 1; i <= rows; i++)
      for (int j = 0; j < COLS; j++) {
        int n = neighbours(grid, i, j);
        next[i * COLS + j] = n == 3 || (n == 2 && grid[i * COLS + j]);
      }
    char *swap = grid;
    grid = next;
    next = swap;
    int alive = count_alive(grid, rows), total;
    MPI_Allreduce(&alive, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /*@alive*/
    if (rank == 0)
      printf("generation %d: %d\n", generation, total);
    if (total == 0)
      break;
  }
  MPI_Finalize();
  return 0;
}
