// A method round the collective, called by another method of the same object; not one of another
// object.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <cmath>
#include <cstdio>
#include <mpi.h>
#include <vector>

class Field {
public:
  explicit Field(int rank) : values(48) {
    for (int i = 0; i < 48; i++)
      values[i] = (i * 5 + rank) % 9;
  }
  void normalise() {
    // CHECK: :[[#@LINE+1]]:21: remark: semi-fused Allreduce_op: rewritten
    double length = norm(2.0);
    for (double &value : values)
      value /= length;
  }
  void subtract(Field &other) {
    // CHECK: :[[#@LINE+1]]:21: remark: semi-fused Allreduce_op: fusable, not rewritten [wrapper]: {{.*}} is a method of another object
    double length = other.norm(1.0);
    for (double &value : values)
      value -= length;
  }
  double at(int i) const { return values[i]; }

private:
  double norm(double scale) {
    double part = 0, all;
    for (double value : values)
      part += value * value;
    part *= scale;
    MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    return std::sqrt(all);
  }
  std::vector<double> values;
  MPI_Comm comm = MPI_COMM_WORLD;
};

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Field one(rank), two(rank + 3);
  one.normalise();
  two.subtract(one);
  std::printf("%d: %.12f %.12f\n", rank, one.at(7), two.at(11));
  MPI_Finalize();
  return 0;
}
