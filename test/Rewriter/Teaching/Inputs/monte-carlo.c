/* Monte Carlo estimates: one with the library's generator, one with its own. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long lcg(unsigned long *state) {
  *state = (*state * 1103515245UL + 12345UL) & 0x7fffffffUL;
  return *state;
}

static long throw_darts(long darts, unsigned long seed) {
  long hits = 0;
  unsigned long state = seed;
  for (long i = 0; i < darts; i++) {
    double x = lcg(&state) / 2147483648.0;
    double y = lcg(&state) / 2147483648.0;
    if (x * x + y * y <= 1.0)
      hits++;
  }
  return hits;
}

int main(int argc, char **argv) {
  int rank, size;
  long trials = 0, hits, total_hits;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    trials = argc > 1 ? atol(argv[1]) : 4000;
  MPI_Bcast(&trials, 1, MPI_LONG, 0, MPI_COMM_WORLD); /*@trials*/
  hits = throw_darts(trials / size, 42 + rank);
  MPI_Reduce(&hits, &total_hits, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD); /*@hits*/
  if (rank == 0) {
    double pi = 4.0 * total_hits / (trials / size * size);
    printf("pi is about %.10f\n", pi);
  }

  /* the same with rand() */
  srand(rank + 1);
  MPI_Bcast(&trials, 1, MPI_LONG, 0, MPI_COMM_WORLD); /*@again*/
  hits = 0;
  for (long i = 0; i < trials / size; i++) {
    double x = (double)rand() / RAND_MAX, y = (double)rand() / RAND_MAX;
    if (x * x + y * y <= 1.0)
      hits++;
  }
  MPI_Reduce(&hits, &total_hits, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD); /*@rand*/
  if (rank == 0)
    printf("with rand about %.10f\n", 4.0 * total_hits / (trials / size * size));
  MPI_Finalize();
  return 0;
}
