// A reduction as a template whose datatype a trait gives.
#include <cstdio>
#include <mpi.h>
#include <vector>

template <typename T> MPI_Datatype mpi_type();
template <> MPI_Datatype mpi_type<double>() { return MPI_DOUBLE; }
template <> MPI_Datatype mpi_type<int>() { return MPI_INT; }

template <typename T> T all_sum(T value, MPI_Comm comm) {
  T result;
  MPI_Allreduce(&value, &result, 1, mpi_type<T>(), MPI_SUM, comm);
  return result;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<double> x(25);
  for (size_t i = 0; i < x.size(); i++)
    x[i] = (i * 3 + rank) % 7;
  double local = 0;
  for (size_t i = 0; i < x.size(); i++)
    local += x[i];
  double total = all_sum(local, MPI_COMM_WORLD);
  for (size_t i = 0; i < x.size(); i++)
    x[i] /= total;
  int count = 0;
  for (size_t i = 0; i < x.size(); i++)
    count += x[i] > 0.02;
  int most = all_sum(count, MPI_COMM_WORLD);
  for (size_t i = 0; i < x.size(); i++)
    x[i] *= most;
  std::printf("%d %.9f %.9f %d\n", rank, x[3], x[24], most);
  MPI_Finalize();
}
