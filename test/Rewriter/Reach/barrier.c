// A barrier between the collectives of a chain stays in its place. The op before it, and one behind
// it that nobody else can see, become that of a semi-fused call.
// RUN: acisc --mpi --force -o - %s 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAY --input-file=%t.remarks
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                               \
  do {                                                                                            \
    int code = call;                                                                              \
    if (code != MPI_SUCCESS)                                                                      \
      MPI_Abort(MPI_COMM_WORLD, code);                                                            \
  } while (0)

double open[64]; // other files may give its address away

int main(int argc, char **argv) {
  double x[64], y[64], z[64], part = 0, all, elapsed;
  double *heap = malloc(64 * sizeof(double));
  int rank, code;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 64; i++)
    x[i] = i % 7 + rank;

  // SAY: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Reduce to line [[#@LINE+5]]: rewritten as semi-fused Allreduce_op to line [[#@LINE+3]] [barrier]: a barrier stands between the collectives, and has to stay there
  MPI_Allreduce(x, y, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    part += y[i] * x[i];
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Reduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  // CHECK: ACIS_Isemifused(ACIS_Allreduce(x, y
  // CHECK: MPI_Wait(
  // CHECK: MPI_Barrier(
  // CHECK: MPI_Reduce(

  // Behind it; the code of the barrier is not the op's.
  // SAY: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Bcast_op_Allreduce to line [[#@LINE+8]]: rewritten as semi-fused Bcast_op to line [[#@LINE+7]] [barrier]
  MPI_Bcast(heap, 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  code = MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    z[i] = heap[i] * x[i];
  CHECK(MPI_Barrier(MPI_COMM_SELF));
  for (int i = 0; i < 64; i++)
    part += z[i];
  MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  // CHECK: ACIS_Isemifused(ACIS_Bcast(heap
  // CHECK: MPI_Wait(
  // CHECK: code = MPI_Barrier(
  // CHECK: CHECK(MPI_Barrier(
  // CHECK: MPI_Allreduce(
  printf("%d: %g %d\n", rank, all, code);

  // Not over a barrier: memory that others may write, what the barrier gives, a clock behind it.
  // SAY: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Reduce to line [[#@LINE+5]]: fusable, not rewritten [order]: what is behind a barrier cannot be done before it
  MPI_Allreduce(x, open, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    part += open[i];
  MPI_Reduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  // SAY: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Reduce to line [[#@LINE+5]]: fusable, not rewritten [order]: what is behind a barrier cannot be done before it
  MPI_Allreduce(x, y, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  code = MPI_Barrier(MPI_COMM_WORLD);
  for (int i = code; i < 64; i++)
    part += y[i];
  MPI_Reduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  // SAY: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: fusable, not rewritten [order]: what is behind a barrier cannot be done before it
  MPI_Allreduce(x, y, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  elapsed = -MPI_Wtime();
  for (int i = 0; i < 64; i++)
    part += y[i];
  elapsed += MPI_Wtime();
  printf("%d: %g %d\n", rank, part, elapsed < 1000);

  // Memory of a window.
  double *shown;
  MPI_Win_allocate(64 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &shown,
                   &window);
  // SAY: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: fusable, not rewritten [order]
  MPI_Allreduce(x, shown, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    part += shown[i];
  printf("%d: %g\n", rank, part);
  MPI_Win_free(&window);
  free(heap);
  MPI_Finalize();
  return 0;
}
