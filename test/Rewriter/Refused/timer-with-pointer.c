// Clocks of a library that is not given: called like clocks, with nothing but numbers.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

void timer_start(int which);
void timer_stop(int which);
double timer_read(const int *which);
int isTimed;

#define START(which) \
  if (isTimed)       \
  timer_start(which)
#define STOP(which) \
  if (isTimed)      \
  timer_stop(which)

int totals[96], sizes[96], ends[96], last[96];

int main(int argc, char **argv) {
  int rank, which = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 96; i++)
    sizes[i] = (i + rank) % 5;
  START(1);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+9]]: rewritten
  MPI_Allreduce(sizes, totals, 96, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  STOP(1);
  START(2);
  ends[0] = 0;
  for (int i = 1; i < 96; i++)
    ends[i] = ends[i - 1] + totals[i - 1];
  STOP(2);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: not fused [calls]
  MPI_Allreduce(ends, last, 96, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  // This one could look at anything.
  if (timer_read(&which) < 0)
    for (int i = 0; i < 96; i++)
      ends[i] += last[i];
  printf("%d: %d %d\n", rank, ends[95], last[95]);
  MPI_Finalize();
  return 0;
}
