// A clock behind the chain measures it: the wait stays before it, and goes over other statements.
// RUN: acisc --mpi --force --no-remarks -o - %s | FileCheck %s
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  static double x[64], y[64], all[64], z[8];
  double begin, end;
  MPI_Init(&argc, &argv);
  begin = MPI_Wtime();
  // CHECK: ACIS_Ifused(
  MPI_Allreduce(x, y, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    x[i] = y[i] * 2;
  MPI_Allreduce(x, all, 64, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  // CHECK: z[i] = i;
  for (int i = 0; i < 8; i++)
    z[i] = i;
  // CHECK: MPI_Wait(
  // CHECK: end = MPI_Wtime();
  end = MPI_Wtime();
  printf("%g %g %d\n", all[0], z[1], end > begin);
  MPI_Finalize();
  return 0;
}
