/* Macros round calls that say more, or do more, than the code: a block, a name, output of each. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(x)                                                                                     \
  {                                                                                                \
    int err = x;                                                                                   \
    if (err)                                                                                       \
      exit(err);                                                                                   \
  }
#define NAMED(x)                                                                                   \
  do {                                                                                             \
    if ((x) != MPI_SUCCESS) {                                                                      \
      printf("failed: " #x "\n");                                                                  \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)
#define LOGGED(x)                                                                                  \
  do {                                                                                             \
    x;                                                                                             \
    printf("%d calls\n", ++count);                                                                 \
  } while (0)

int count;

int main(int argc, char **argv) {
  double x[30], y[30], sum = 0;
  int i;
  TRY(MPI_Init(&argc, &argv))
  for (i = 0; i < 30; i++)
    x[i] = i % 7;
  TRY(MPI_Allreduce(x, y, 30, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))
  for (i = 0; i < 30; i++)
    sum += y[i];
  printf("%g\n", sum);
  NAMED(MPI_Allreduce(x, y, 30, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
  for (i = 0; i < 30; i++)
    sum += y[i];
  printf("%g\n", sum);
  LOGGED(MPI_Allreduce(x, y, 30, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD));
  for (i = 0; i < 30; i++)
    sum += y[i] + count;
  printf("%g\n", sum);
  MPI_Finalize();
  return 0;
}
