/* Reductions in inline functions of a header. */
#include "comm-util.h"
#include <math.h>
#include <stdio.h>

enum { N = 20 };

int main(int argc, char **argv) {
  double x[N], moments[3] = {0, 0, 0}, result;
  int rank, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (i = 0; i < N; i++)
    x[i] = (i * 7 + 3 * rank) % 13;
  double sum = 0;
  for (i = 0; i < N; i++)
    sum += x[i];
  sum = global_sum(sum, MPI_COMM_WORLD);
  for (i = 0; i < N; i++)
    x[i] /= sum;
  for (i = 0; i < N; i++) {
    moments[0] += x[i];
    moments[1] += x[i] * x[i];
    moments[2] += x[i] * x[i] * x[i];
  }
  sum_all(moments, 3);
  result = 0;
  for (i = 0; i < N; i++)
    result += fabs(x[i] - moments[0] / N) * moments[1] + moments[2];
  printf("%d %.9f\n", rank, result);
  MPI_Finalize();
  return 0;
}
