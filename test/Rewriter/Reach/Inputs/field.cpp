// A class with vectors: dot products by a method, norms, members of the object.
#include <cmath>
#include <cstdio>
#include <mpi.h>
#include <vector>

class Field {
public:
  explicit Field(int n) : size(n), values(n) {}
  double sum(double x) const {
    double all = 0;
    MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
  }
  void fill(int rank) {
    for (int i = 0; i < size; i++)
      values[i] = (i * 5 + rank * 3) % 9 - 2.5;
  }
  void normalise() {
    double local = 0;
    for (int i = 0; i < size; i++)
      local += values[i] * values[i];
    double all;
    MPI_Allreduce(&local, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    scale = 1.0 / std::sqrt(all);
    for (int i = 0; i < size; i++)
      values[i] *= scale;
  }
  void centre() {
    double local = 0;
    for (int i = 0; i < size; i++)
      local += values[i];
    double mean = sum(local) / sum(size);
    for (int i = 0; i < size; i++)
      values[i] -= mean;
  }
  void print(int rank) const {
    for (int i = 0; i < size; i += 7)
      std::printf("%d %d %.9f %.9f\n", rank, i, values[i], scale);
  }

private:
  int size;
  double scale = 1;
  std::vector<double> values;
};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Field field(30);
  field.fill(rank);
  field.centre();
  field.normalise();
  field.print(rank);
  MPI_Finalize();
}
