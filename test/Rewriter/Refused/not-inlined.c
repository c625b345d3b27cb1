// Functions round a collective whose body would not mean the same at the call.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#define N 48
static double scale = 2;
static int calls;

static double scaled(double value) {
  double all;
  value *= scale;
  MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}
static double counted(double value) {
  static int number;
  double all;
  number++;
  MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all + 0 * number;
}
static double late(double value) {
  double all;
  MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    calls += all > i;
  return all;
}
static double twice(double value) {
  double all;
  MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
  calls++;
}
static double coded(double value) {
  double all;
  int code;
  code = MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all + code;
}
static double early(double value) {
  double all;
  if (value < 0)
    value = 0;
#ifdef __sparc__
  MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#else
  MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
#endif
  return all;
}

int main(int argc, char **argv) {
  double x[N], y, scale = 5;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    x[i] = i + rank * scale;
  // CHECK: :[[#@LINE+1]]:7: remark: {{.*}}fused Allreduce_op{{.*}}: fusable, not rewritten [wrapper]: {{.*}} uses 'scale', which is something else at the call
  y = scaled(x[3]);
  for (int i = 0; i < N; i++)
    x[i] += y;
  MPI_Barrier(MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:7: remark: {{.*}}fused Allreduce_op{{.*}}: fusable, not rewritten [wrapper]: {{.*}} has static variables
  y = counted(x[3]);
  for (int i = 0; i < N; i++)
    x[i] += y;
  MPI_Barrier(MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:7: remark: {{.*}}fused Allreduce_op{{.*}}: fusable, not rewritten [wrapper]: {{.*}} does more after it than to compute numbers
  y = late(x[3]);
  for (int i = 0; i < N; i++)
    x[i] += y;
  MPI_Barrier(MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:7: remark: {{.*}}fused Allreduce_op{{.*}}: fusable, not rewritten [wrapper]: {{.*}} goes on behind a return
  y = twice(x[3]);
  for (int i = 0; i < N; i++)
    x[i] += y;
  MPI_Barrier(MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:7: remark: {{.*}}fused Allreduce_op{{.*}}: fusable, not rewritten [wrapper]: {{.*}} uses the return code of the collective
  y = coded(x[3]);
  for (int i = 0; i < N; i++)
    x[i] += y;
  MPI_Barrier(MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:7: remark: {{.*}}fused Allreduce_op{{.*}}: fusable, not rewritten [wrapper]: {{.*}} has macros or directives in it
  y = early(x[3]);
  for (int i = 0; i < N; i++)
    x[i] += y;
  printf("%d: %g\n", rank, x[2]);
  MPI_Finalize();
  return 0;
}
