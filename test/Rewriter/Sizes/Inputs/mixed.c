#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
/* many types in one op */
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int n = 33 + rank;
  char *flag = malloc(n);
  short *s = malloc(n * sizeof(short));
  int64_t *big = malloc(n * sizeof(int64_t));
  float *f = malloc(n * sizeof(float));
  double *d = malloc(n * sizeof(double));
  unsigned long mask = 0xff00ff00ff00ff00UL, bits = 1UL << (40 + rank), all;
  for (int i = 0; i < n; i++)
    flag[i] = i % 3, s[i] = -i, big[i] = i * 10000000000L, f[i] = i / 2.0f, d[i] = i / 3.0;
  MPI_Allreduce(&bits, &all, 1, MPI_UNSIGNED_LONG, MPI_BOR, MPI_COMM_WORLD);
  int hits = 0;
  for (int i = 0; i < n; i++) {
    if (flag[i] == 1) {
      big[i] += (int64_t)(all & mask) + s[i];
      hits++;
    } else {
      d[i] = d[i] * f[i] + s[i];
      flag[i] = 7;
    }
    f[i] = (float)(d[i] / 2);
  }
  int64_t sum = 0;
  double t = 0;
  for (int i = 0; i < n; i++)
    sum += big[i] + flag[i], t += d[i] + f[i];
  printf("%d %d %lld %.12g\n", rank, hits, (long long)sum, t);
  MPI_Finalize();
  return 0;
}
