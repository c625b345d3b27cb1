// One step of k-means: assign points to the nearest centroid, add up.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  float centre[4], point[32];
  int count[4] = {0, 0, 0, 0}, all[4];
  for (int i = 0; i < 32; i++)
    point[i] = (i * 13 + rank * 5) % 40;
  if (rank == 0)
    for (int i = 0; i < 4; i++)
      centre[i] = i * 10;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Bcast_op_Reduce to line [[#@LINE+12]]: {{rewritten|fusable}}
  MPI_Bcast(centre, 4, MPI_FLOAT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 32; i++) {
    int best = 0;
    for (int k = 1; k < 4; k++) {
      float now = (point[i] - centre[k]) * (point[i] - centre[k]);
      float old = (point[i] - centre[best]) * (point[i] - centre[best]);
      if (now < old)
        best = k;
    }
    count[best]++;
  }
  MPI_Reduce(count, all, 4, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d %d %d %d\n", all[0], all[1], all[2], all[3]);
  MPI_Finalize();
  return 0;
}
