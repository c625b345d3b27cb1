/* Shortest paths between all pairs: row k goes to everybody. */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define INF 1000000

static int min(int a, int b) { return a < b ? a : b; }

static int owner(int k, int n, int p) { return k / (n / p); }

static void copy_row(const int local[], int n, int p, int row[], int k) {
  int local_k = k % (n / p);
  for (int j = 0; j < n; j++)
    row[j] = local[local_k * n + j];
}

static void all_pairs(int local[], int n, int my_rank, int p, MPI_Comm comm) {
  int *row = malloc(n * sizeof(int));
  for (int k = 0; k < n; k++) {
    int root = owner(k, n, p);
    if (my_rank == root)
      copy_row(local, n, p, row, k);
    MPI_Bcast(row, n, MPI_INT, root, comm); /*@row*/
    for (int i = 0; i < n / p; i++)
      for (int j = 0; j < n; j++)
        local[i * n + j] = min(local[i * n + j], local[i * n + k] + row[j]);
  }
  free(row);
}

int main(int argc, char *argv[]) {
  int my_rank, p, n = 24, *matrix = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Comm_size(comm, &p);
  MPI_Comm_rank(comm, &my_rank);
  int *local = malloc(n * n / p * sizeof(int));
  if (my_rank == 0) {
    matrix = malloc(n * n * sizeof(int));
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        matrix[i * n + j] = i == j ? 0 : (i + j) % 3 == 0 ? (i * j) % 11 + 1 : INF;
  }
  MPI_Scatter(matrix, n * n / p, MPI_INT, local, n * n / p, MPI_INT, 0, comm); /*@scatter*/
  all_pairs(local, n, my_rank, p, comm);
  MPI_Gather(local, n * n / p, MPI_INT, matrix, n * n / p, MPI_INT, 0, comm); /*@gather*/
  if (my_rank == 0) {
    long sum = 0;
    for (int i = 0; i < n * n; i++)
      sum += matrix[i] % INF;
    printf("sum of paths %ld\n", sum);
    free(matrix);
  }
  MPI_Finalize();
  return 0;
}
