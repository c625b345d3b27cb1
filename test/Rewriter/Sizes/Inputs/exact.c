#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
/* arrays that end at the end of their page; what a condition leaves out lies beyond */
static double *atEnd(int n) {
  char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(p + 4096, 4096);
  return (double *)(p + 4096) - n;
}
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int n = 40, have = 30 + rank;
  double *x = atEnd(have), *y = atEnd(have), sum = 0, all;
  for (int i = 0; i < have; i++)
    x[i] = i, y[i] = -1, sum += i;
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    if (i < have && x[i] < 20)
      y[i] = x[i] / all;
  double s = 0;
  for (int i = 0; i < have; i++)
    s += y[i];
  printf("%d %.15g\n", rank, s);
  MPI_Finalize();
  return 0;
}
