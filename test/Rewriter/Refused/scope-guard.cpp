// A constructor or destructor that prints, or that cannot be seen, is a call like any other.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <cstdio>
#include <mpi.h>
#include <thread>
#include <vector>

struct Section {
  const double &value;
  explicit Section(const double &value) : value(value) {}
  ~Section() { std::printf("%g\n", value); }
};
struct Hidden {
  explicit Hidden(double value);
};

int main(int argc, char **argv) {
  std::vector<double> x(64), sums(64);
  double total = 0;
  MPI_Init(&argc, &argv);
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: not fused [io]: what is computed from the result is printed in its course at line {{[0-9]+}}
  MPI_Allreduce(x.data(), sums.data(), 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++) {
    Section section(sums[i]);
    x[i] = sums[i] * 2;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: not fused [calls]: 'Hidden::Hidden' gets the result at line {{[0-9]+}} and what it does is not visible
  MPI_Allreduce(x.data(), sums.data(), 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++) {
    Hidden hidden(sums[i]);
    x[i] = sums[i] * 2;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: not fused [calls]: 'std::thread::thread' is called at line {{[0-9]+}} and what it does is not visible
  MPI_Allreduce(x.data(), sums.data(), 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  std::thread other([&] {
    for (int i = 0; i < 64; i++)
      total += sums[i];
  });
  other.join();
  MPI_Finalize();
  return total > 0;
}
