/* Tasks and sums of a control group in an MPI program: rank 0 puts numbers, who gets one squares it, and
 * an Allreduce adds what all have, beside a sum of the group.
 *
 * usage: tasks COUNT */
#include "runtime/host/control/acis_control.h"
#include "runtime/host/mpi/acis_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#pragma weak ACIS_Control_open
#pragma weak acis_control_put
#pragma weak acis_control_next
#pragma weak acis_control_sum
#pragma weak acis_control_close

static void check(const char *problem) {
  if (problem) {
    fprintf(stderr, "tasks: %s\n", problem);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const acis_control_policy policy = {.staleness = ACIS_UNBOUNDED, .imbalance = 0.1, .timeout = 60};
  const char *error = "no library of ACiS is loaded";
  acis_control *group =
      ACIS_Control_open ? ACIS_Control_open(MPI_COMM_WORLD, &policy, &error) : NULL;
  if (!group) { // on all ranks: MPI_Abort() may lose what was printed
    fprintf(stderr, "tasks: %s\n", error);
    MPI_Finalize();
    return 1;
  }
  const int count = argc > 1 ? atoi(argv[1]) : 0;
  for (double i = 0; rank == 0 && i < count; ++i)
    check(acis_control_put(group, &i, sizeof i));
  double here[2] = {0, 0}, all[2], made_of[2];
  for (;;) {
    const void *task;
    size_t bytes;
    check(acis_control_next(group, &task, &bytes));
    if (!task)
      break;
    usleep(2000);
    here[0] += *(const double *)task * *(const double *)task;
    here[1] += 1;
  }
  MPI_Allreduce(here, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  acis_control_made made;
  check(acis_control_sum(group, here, made_of, 2, &made, NULL));
  acis_control_close(group);
  if (rank == 0)
    printf("%d ranks: squares %.0f of %.0f tasks, some elsewhere %d; the group's sum of %u of %u: "
           "%.0f\n",
           ranks, all[0], all[1], here[1] < all[1], made.contributors, made.members, made_of[0]);
  MPI_Finalize();
  return 0;
}
