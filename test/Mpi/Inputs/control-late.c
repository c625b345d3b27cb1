// A member that does not go on: the others are told who, and after how long.
#include "runtime/host/control/acis_control.h"
#include "runtime/host/mpi/acis_mpi.h"
#include <mpi.h>
#include <stdio.h>

/* Of the library that acis-mpirun preloads. */
#pragma weak ACIS_Control_open
#pragma weak acis_control_begin
#pragma weak acis_control_end
#pragma weak acis_control_close

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const acis_control_policy policy = {.timeout = 0.5};
  const char *error = NULL;
  acis_control *group = ACIS_Control_open(MPI_COMM_WORLD, &policy, &error);
  if (error)
    printf("error: %s\n", error);
  acis_control_begin(group, 0);
  if (rank == 0) {
    acis_control_end(group, 0);
    error = acis_control_begin(group, 1);
    printf("%s\n", error ? error : "has begun");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  acis_control_close(group);
  MPI_Finalize();
}
