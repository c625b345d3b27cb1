// Replicas exchange their best; a wrapper namespace, auto, structured data, exceptions.
#include <cstdio>
#include <mpi.h>
#include <stdexcept>
#include <vector>
namespace par {
inline int rank() {
  int r;
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  return r;
}
inline void throwIf(int code) {
  if (code != MPI_SUCCESS)
    throw std::runtime_error("MPI");
}
template <class T> MPI_Datatype type() {
  if constexpr (std::is_same_v<T, double>)
    return MPI_DOUBLE;
  else
    return MPI_INT;
}
template <class T> std::vector<T> gatherAll(const std::vector<T> &mine, int size) {
  std::vector<T> all(mine.size() * size);
  throwIf(MPI_Allgather(mine.data(), int(mine.size()), type<T>(), all.data(), int(mine.size()), type<T>(), /*@allgather*/
                        MPI_COMM_WORLD));
  return all;
}
template <class T> T sum(const T &value) {
  T total;
  throwIf(MPI_Allreduce(&value, &total, 1, type<T>(), MPI_SUM, MPI_COMM_WORLD));
  return total;
}
} // namespace par
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<double> mine(10);
  for (int i = 0; i < 10; i++)
    mine[i] = (i * 7 + par::rank()) % 10;
  auto all = par::gatherAll(mine, size); /*@all*/
  double local = 0;
  for (std::size_t i = 0; i < all.size(); i++)
    local += all[i] * (i % 3);
  double total = par::sum(local); /*@total*/
  for (auto &x : mine)
    x /= total;
  std::vector<int> flags(4, par::rank());
  auto everyone = par::gatherAll(flags, size); /*@flags*/
  if (par::rank() == 0)
    std::printf("%.6f %.6f %d\n", total, mine[3], everyone[4]);
  MPI_Finalize();
}
