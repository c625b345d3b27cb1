/* k-means: the master broadcasts centres, ranks count and add the points that are nearest to each,
 * the master gets the sums (Bcast_op_Reduce). */
#include <mpi.h>
#include <stdio.h>

#define K 32
#define POINTS 1000
#define STEPS 20

int main(int argc, char **argv) {
  int centre[K], sums[2 * K], all[2 * K], point[POINTS], rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < POINTS; i++)
    point[i] = (i * 7919 + rank * 104729) % 10007;
  for (int k = 0; k < K; k++)
    centre[k] = k * 300;
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  for (int step = 0; step < STEPS; step++) {
    MPI_Bcast(centre, K, MPI_INT, 0, MPI_COMM_WORLD);
    for (int k = 0; k < 2 * K; k++)
      sums[k] = 0;
    for (int i = 0; i < POINTS; i++) {
      int best = 0, distance = 1 << 30;
      for (int k = 0; k < K; k++) {
        int d = point[i] - centre[k];
        if (d * d < distance) {
          distance = d * d;
          best = k;
        }
      }
      sums[best] += point[i];
      sums[K + best]++;
    }
    MPI_Reduce(sums, all, 2 * K, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
      for (int k = 0; k < K; k++)
        if (all[K + k] > 0)
          centre[k] = all[k] / all[K + k];
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double time = (MPI_Wtime() - start) * 1e6;
  if (rank == 0)
    printf("%.3f us, check %d %d %d\n", time, centre[0], centre[K / 2], centre[K - 1]);
  MPI_Finalize();
  return 0;
}
