/* Counting primes up to a broadcast limit: call per number, cyclic distribution, timed. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int prime_number(int n, int id, int p) {
  int i, j, prime, total = 0;
  for (i = 2 + id; i <= n; i = i + p) {
    prime = 1;
    for (j = 2; j < i; j++) {
      if ((i % j) == 0) {
        prime = 0;
        break;
      }
    }
    if (prime)
      total = total + 1;
  }
  return total;
}

void timestamp(void);
void timestamp(void) { fprintf(stderr, "now\n"); }

int main(int argc, char *argv[]) {
  int id, p, n, n_lo = 1, n_hi = 512, n_factor = 2, primes, primes_part;
  double wtime = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm_rank(MPI_COMM_WORLD, &id);
  if (id == 0) {
    timestamp();
    printf("         N        Pi\n");
  }
  n = n_lo;
  while (n <= n_hi) {
    if (id == 0)
      wtime = MPI_Wtime();
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); /*@n*/
    primes_part = prime_number(n, id, p);
    MPI_Reduce(&primes_part, &primes, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /*@primes*/
    if (id == 0) {
      wtime = MPI_Wtime() - wtime;
      fprintf(stderr, "%g\n", wtime);
      printf("  %8d  %8d\n", n, primes);
    }
    n = n * n_factor;
  }
  MPI_Finalize();
  return 0;
}
