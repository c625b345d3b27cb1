// No work moves over a clock that a program reads behind its collective: the op ends before it where
// the rest is for a switch, and keeps it in its place otherwise.
// RUN: acisc --mpi --force --no-remarks -o - %s | FileCheck %s --check-prefix=HOST
// RUN: acisc --mpi --force --config=%overlays/u280-full.json -o %t.c %s 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=SWITCH --input-file=%t.c
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  double x[64], y[64], z[64], part = 0, begin, end;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 64; i++)
    x[i] = i % 7 + rank;

  // HOST: static void acis_op_[[#@LINE+6]]_run(
  // HOST: z[i] = y[i] * x[i];
  // HOST: begin = MPI_Wtime();
  // HOST: part += y[i] * z[i];
  // HOST-NOT: MPI_Wtime
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: rewritten as semi-fused Allreduce_op to line [[#@LINE+3]] [handler]
  MPI_Allreduce(x, y, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    z[i] = y[i] * x[i];
  begin = MPI_Wtime();
  for (int i = 0; i < 64; i++)
    part += y[i] * z[i];
  end = MPI_Wtime();
  printf("%d: %g %d\n", rank, part, end - begin < 1000);
  // HOST: }
  // SWITCH: ACIS_Isemifused(
  // SWITCH: MPI_Wait(
  // SWITCH: begin = MPI_Wtime();
  // SWITCH: part += y[i] * z[i];
  // SWITCH: end = MPI_Wtime();

  // A clock at once: there is no op for a switch.
  // HOST: static void acis_op_[[#@LINE+5]]_run(
  // HOST: begin = MPI_Wtime();
  // HOST: part += y[i];
  // HOST: }
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: rewritten; {{.*}}
  MPI_Allreduce(x, y, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  begin = MPI_Wtime();
  for (int i = 0; i < 64; i++)
    part += y[i];
  end = MPI_Wtime();
  printf("%d: %g %d\n", rank, part, end - begin < 1000);

  // The local part of a product.
  part = 0;
  // HOST: ACIS_Isemifused(
  // HOST: ACIS_Isemifused(
  // HOST: part += x[i] * z[i];
  // HOST: end = MPI_Wtime();
  // HOST: {{ACIS_Ikernel|MPI_Allreduce}}(
  for (int i = 0; i < 64; i++)
    part += x[i] * z[i];
  end = MPI_Wtime();
  MPI_Allreduce(&part, &begin, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%d: %g %d\n", rank, begin, end > 0);
  MPI_Finalize();
  return 0;
}
