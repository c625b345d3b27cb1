/* Overwrites its own name, as programs do that show a title in place of it, or the pointer to it. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  int one = 1, all = 0;
  MPI_Init(&argc, &argv);
  if (argc > 1)
    memset(argv[0], 'x', strlen(argv[0]));
  argv[0] = (char *)8;
  MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (all < 1)
    printf("no sum\n");
  MPI_Finalize();
  return 0;
}
