// Mean and variance through templates round MPI.
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <vector>

namespace mpi {
template <typename T> MPI_Datatype datatype();
template <> inline MPI_Datatype datatype<double>() { return MPI_DOUBLE; }
template <> inline MPI_Datatype datatype<float>() { return MPI_FLOAT; }

inline void check(int code, const char *what) {
  if (code != MPI_SUCCESS) {
    std::fprintf(stderr, "%s failed with %d\n", what, code);
    std::abort();
  }
}

template <typename T> T allreduce_sum(T value, MPI_Comm comm = MPI_COMM_WORLD) {
  T result;
  check(MPI_Allreduce(&value, &result, 1, datatype<T>(), MPI_SUM, comm), "Allreduce");
  return result;
}
} // namespace mpi

template <typename T> struct Moments {
  T mean, variance;
};

template <typename T> Moments<T> moments(const std::vector<T> &x, long total) {
  T sum = 0;
  for (auto value : x)
    sum += value;
  const T mean = mpi::allreduce_sum(sum) / total; /*@mean*/
  T squares = 0;
  for (auto value : x)
    squares += (value - mean) * (value - mean);
  const T variance = mpi::allreduce_sum(squares) / total; /*@variance*/
  return {mean, variance};
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<double> x(50);
  std::vector<float> y(50);
  for (int i = 0; i < 50; i++) {
    x[i] = (i * 3 + rank) % 17;
    y[i] = (float)((i + 5 * rank) % 8);
  }
  Moments<double> mx = moments(x, 50L * size);
  Moments<float> my = moments(y, 50L * size);
  if (rank == 0)
    std::printf("%.6f %.6f %.4f %.4f\n", mx.mean, mx.variance, my.mean, my.variance);
  MPI_Finalize();
}
