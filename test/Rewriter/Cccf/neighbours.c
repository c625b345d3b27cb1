// An op's range may be larger than what it touches. What is behind its array may change during the
// call, by a message or a thread: it must not get back the value that it had before.
// RUN: mpicc.mpich -Wall -Wextra -Werror -Wno-stringop-overflow -I%obj_root/include %s %libdir/libacis-cccf-mpich.a -o %t
// RUN: mpiexec.mpich -n 2 %t | FileCheck %s
// REQUIRES: mpich
#include <acis_cccf.h>
#include <stdio.h>

static struct {
  int out[4], behind[4];
} memory = {{1, 2, 3, 4}, {5, 6, 7, 8}};

static void run(void *unused) { (void)unused; }

/* What a switch does for this op, while something else writes behind the array. */
static int serve(const ACIS_Coll *first, const ACIS_Op *op, MPI_Comm comm, MPI_Request *request) {
  (void)first;
  ((int *)op->arrays[1].base)[1] = 20;
  memory.behind[2] = 70;
  op->done(op->done_args, 1);
  return MPI_Ibarrier(comm, request);
}

int main(int argc, char **argv) {
  static const unsigned char binary[] = {0};
  int in = 1, sum = 0, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const ACIS_Driver driver = {ACIS_CCCF_VERSION, NULL, serve, NULL};
  ACIS_Set_driver(&driver);
  ACIS_Array arrays[] = {{ACIS_STREAM_IN, &sum, sizeof sum}, {ACIS_OUTBOUND, memory.out, 64}};
  const ACIS_Use uses[] = {{0, sizeof sum}, {1, sizeof memory}};
  ACIS_Op op = ACIS_Size_op(ACIS_Make_switch_op(run, NULL, binary, 1, arrays, 2), uses);
  MPI_Request request;
  int error = ACIS_Isemifused(ACIS_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM), op, MPI_COMM_WORLD,
                              &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  // CHECK-COUNT-2: rank {{[01]}}: 0, 1 20 3 4, 5 6 70 8
  printf("rank %d: %d, %d %d %d %d, %d %d %d %d\n", rank, error, memory.out[0], memory.out[1],
         memory.out[2], memory.out[3], memory.behind[0], memory.behind[1], memory.behind[2],
         memory.behind[3]);
  MPI_Finalize();
  return 0;
}
