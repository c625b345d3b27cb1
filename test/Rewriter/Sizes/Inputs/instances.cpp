// Two instances of one template: a switch program has the types of one, so there is none.
#include <cstdio>
#include <mpi.h>
#include <numeric>
#include <vector>

template <typename T> MPI_Datatype typeOf();
template <> MPI_Datatype typeOf<float>() { return MPI_FLOAT; }
template <> MPI_Datatype typeOf<int>() { return MPI_INT; }

template <typename T> static T blend(std::vector<T> &mine, std::vector<T> &all) {
  const int n = int(mine.size());
  MPI_Allgather(mine.data(), n, typeOf<T>(), all.data(), n, typeOf<T>(), MPI_COMM_WORLD);
  T part = 0;
  for (int i = 0; i < n; i++) {
    mine[i] = 2 * mine[i] + all[(i * 3) % all.size()];
    part += mine[i];
  }
  T sum;
  MPI_Allreduce(&part, &sum, 1, typeOf<T>(), MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

/// A member of a class template, and a lambda of any type.
template <typename T> struct Scaled {
  std::vector<T> values = std::vector<T>(24);
  T run(T own) {
    T most;
    MPI_Allreduce(&own, &most, 1, typeOf<T>(), MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < 24; i++)
      values[i] = most * T(i) / 2;
    return values[23];
  }
};

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<int> a(24), b(24 * ranks);
  std::vector<float> x(24), y(24 * ranks);
  std::iota(a.begin(), a.end(), rank);
  std::iota(x.begin(), x.end(), rank * 0.5f);
  for (int k = 0; k < 3; k++) {
    const int s = blend(a, b);
    const float t = blend(x, y);
    std::printf("%d %d %d %g\n", k, rank, s, double(t));
  }
  std::printf("%d %g\n", Scaled<int>().run(rank + 1), double(Scaled<float>().run(rank + 0.5f)));
  auto sums = [](auto own) {
    decltype(own) all, last[24];
    MPI_Allreduce(&own, &all, 1, typeOf<decltype(own)>(), MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 24; i++)
      last[i] = all * i / 3;
    return double(last[23]);
  };
  std::printf("%g %g\n", sums(rank + 1), sums(rank + 0.5f));
  MPI_Finalize();
}
