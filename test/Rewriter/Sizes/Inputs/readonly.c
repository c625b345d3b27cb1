#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
/* elements that are not written may lie in memory that cannot be written */
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int n = 200, sum = rank, all;
  int *x = p + 1024 - 100;
  for (int i = 0; i < n; i++)
    x[i] = i;
  mprotect((char *)p + 4096, 4096, PROT_READ);
  MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    if (i < 90 + all % 5)
      x[i] += all;
  printf("%d %d %d\n", rank, x[3], x[150]);
  MPI_Finalize();
  return 0;
}
