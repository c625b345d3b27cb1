/* Which sensor varies most: each rank looks at the readings of one, all compare. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define READINGS 40

static int spread(const short *series, int length) {
  short low = series[0], high = series[0];
  for (int t = 1; t < length; t++) {
    low = series[t] < low ? series[t] : low;
    high = series[t] > high ? series[t] : high;
  }
  return high - low;
}

static int widest(const int *spreads, int sensors) {
  int best = 0;
  while (--sensors > 0)
    if (spreads[sensors] > spreads[best])
      best = sensors;
  return best;
}

int main(int argc, char **argv) {
  int sensor, sensors;
  short *log = NULL, own[READINGS];
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &sensors);
  MPI_Comm_rank(MPI_COMM_WORLD, &sensor);
  int *spreads = calloc(sensors, sizeof *spreads);
  if (!sensor) {
    log = malloc(sizeof *log * READINGS * sensors);
    for (int i = 0; i < READINGS * sensors; i++)
      log[i] = (short)((i * i + 7) % (100 + i / READINGS));
  }
  MPI_Scatter(log, READINGS, MPI_SHORT, own, READINGS, MPI_SHORT, 0, MPI_COMM_WORLD); /*@scatter*/
  int mine = spread(own, READINGS);
  MPI_Allgather(&mine, 1, MPI_INT, spreads, 1, MPI_INT, MPI_COMM_WORLD); /*@gather*/
  int best = widest(spreads, sensors);
  if (best == sensor)
    printf("sensor %d varies most, by %d\n", sensor, mine);
  free(log);
  free(spreads);
  MPI_Finalize();
  return 0;
}
