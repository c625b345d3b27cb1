// One counter for loops with different starts, steps, directions and ends.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, i, k;
  long n;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  n = 31 + 2 * rank;
  int *a = malloc(n * sizeof(int)), *b = malloc((n + 2) * sizeof(int)), sum = 3, all;
  for (i = 0; i < n; i++)
    a[i] = i;
  for (i = 0; i < n + 2; i++)
    b[i] = 100;
  MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (i = 1; i < n; i += 2)
    a[i - 1] += all;
  for (i = n - 1; i > 0; i--)
    b[i + 2] = a[i] + b[i];
  for (k = 0, i = (int)n; k < i; k++)
    a[k] -= 1;
  for (long j = 0; j + 1 < n; j++)
    b[j] += a[j + 1];
  int check = 0;
  for (i = 0; i < n; i++)
    check += a[i] * 3 + b[i + 1];
  printf("%d %d\n", rank, check);
  MPI_Finalize();
  return 0;
}
