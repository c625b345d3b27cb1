/* Processor time of a blocking collective on all ranks, to see what recording supersteps costs
 * (docs/control.md): run it with ACIS_STEPS and without, by acis-mpirun -n 1, where nobody waits.
 *
 * usage: steps-cost CALLS
 *
 * Prints nanoseconds of a call: the least of 20 rounds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int calls = argc > 1 ? atoi(argv[1]) : 0;
  double least = 1e18;
  for (int round = 0; calls > 0 && round < 20; ++round) {
    const double begun = now();
    for (int i = 0; i < calls; ++i) {
      double in = i, out;
      MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    const double took = (now() - begun) / calls;
    least = took < least ? took : least;
  }
  printf("%.0f\n", least);
  MPI_Finalize();
  return calls > 0 ? 0 : 1;
}
