// Clocks of a file that is not given: called like clocks, with nothing but numbers. The chain is
// reported; it is rewritten only when the file is given too, or the functions are vouched for.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s --check-prefixes=CHECK,GUESS
// RUN: acisc --mpi --dry-run --assume-local=timer_start,timer_stop %s 2>&1 | FileCheck %s --check-prefixes=CHECK,SURE
// RUN: acisc --mpi --dry-run %s %S/Inputs/clocks.c 2>&1 | FileCheck %s --check-prefix=SURE
// RUN: acisc --mpi --dry-run %s --context=%S/Inputs/clocks.c 2>&1 | FileCheck %s --check-prefix=SURE
// RUN: acisc --mpi --dry-run --mpi-report %s | FileCheck %s --check-prefix=TEXT
// RUN: acisc --mpi --dry-run --no-remarks --mpi-report=- %s | FileCheck %s --check-prefix=JSON
// A file with functions of these names that communicate is no proof.
// RUN: acisc --mpi --dry-run %s %S/Inputs/not-clocks.c 2>&1 | FileCheck %s --check-prefix=COMM
// JSON: "assumes": [
// JSON-NEXT: "timer_start",
// JSON-NEXT: "timer_stop"
// JSON: "decision": "kept"
// TEXT: assumes     'timer_start' is a clock; no rewriting without its file
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
  // GUESS: :[[#@LINE+3]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+11]]: fusable, not rewritten [assumed]: 'timer_start' is held for a clock because of its name; give its file too, or say that it does not communicate: --assume-local=timer_start,timer_stop
  // SURE: :[[#@LINE+2]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+10]]: rewritten
  // COMM: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+9]]: not fused [intervening-comm]
  MPI_Allreduce(sizes, totals, 96, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  STOP(1);
  START(2);
  ends[0] = 0;
  for (int i = 1; i < 96; i++)
    ends[i] = ends[i - 1] + totals[i - 1];
  STOP(2);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: not fused [calls]: 'timer_read' gets the result at line {{[0-9]+}} and what it does is not visible; give its file too, or name it in --assume-local if it does not communicate
  MPI_Allreduce(ends, last, 96, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  // This one could look at anything.
  if (timer_read(&which) < 0)
    for (int i = 0; i < 96; i++)
      ends[i] += last[i];
  printf("%d: %d %d\n", rank, ends[95], last[95]);
  MPI_Finalize();
  return 0;
}
