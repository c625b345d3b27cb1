// The same in C++, where the op is a lambda.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <cstdio>
#include <mpi.h>
#include <vector>

static double globalSum(const std::vector<double> &values, double start = 0);

static double globalMax(double value) {
  double most;
  MPI_Allreduce(&value, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

static double total(const std::vector<double> &values) {
  double local = 0, all;
  for (double value : values)
    local += value;
  MPI_Allreduce(&local, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return 2 * all;
}

int main(int argc, char **argv) {
  std::vector<double> values(40), all(40);
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 40; i++)
    values[i] = (i * 3 + rank) % 11;
  // CHECK: :[[#@LINE+1]]:23: remark: {{semi-fused Allreduce_op|fused Allreduce_op.* line [0-9]+}}: rewritten
  double most = 0.5 * globalMax(values[7]);
  for (int i = 0; i < 40; i++)
    all[i] = values[i] / (1 + most);
  MPI_Barrier(MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:10: remark: {{semi-fused Allreduce_op|fused Allreduce_op.* line [0-9]+}}: rewritten
  most = total(all);
  for (double &value : values)
    value -= most;
  MPI_Barrier(MPI_COMM_WORLD);
  // Defined behind its use.
  // CHECK: :[[#@LINE+1]]:16: remark: semi-fused Allreduce_op: fusable, not rewritten [wrapper]
  double sum = globalSum(values);
  for (double &value : values)
    value -= sum;
  std::printf("%d: %.9g %.9g %.9g\n", rank, most, values[3], sum);
  MPI_Finalize();
  return 0;
}

static double globalSum(const std::vector<double> &values, double start) {
  double local = start, all;
  for (double value : values)
    local += value;
  MPI_Allreduce(&local, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}
