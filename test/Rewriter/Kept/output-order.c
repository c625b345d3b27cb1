// Output between the collectives stays between: what one rank has said before the second one
// can be read by another after it.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { N = 48 };

int main(int argc, char **argv) {
  int rank, size, a[N], b[N], c[N], d[N], count = 0;
  char name[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int number = getpid();
  MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
  sprintf(name, "/tmp/acis-output-order-%d", number);
  FILE *file = fopen(name, "a");
  setvbuf(file, NULL, _IONBF, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: rewritten
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  fprintf(file, "%d\n", rank);
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  FILE *again = fopen(name, "r");
  for (char line[80]; fgets(line, sizeof line, again);)
    count++;
  printf("rank %d has read %s lines, %d\n", rank, count == size ? "all" : "not all", d[3]);
  fclose(again);
  fclose(file);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    unlink(name);
  MPI_Finalize();
  return 0;
}
