// Offsets by Scan in a helper of a namespace; the result shifts own indices.
#include <cstdio>
#include <mpi.h>
#include <vector>

namespace par {
inline long scan(long mine, MPI_Comm comm) {
  long upto = 0;
  MPI_Scan(&mine, &upto, 1, MPI_LONG, MPI_SUM, comm);
  return upto;
}
} // namespace par

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<long> index(10 + 3 * rank);
  long mine = long(index.size());
  long end = par::scan(mine, MPI_COMM_WORLD);
  for (size_t i = 0; i < index.size(); i++)
    index[i] = end - mine + long(i);
  for (long at : index)
    std::printf("%d %ld\n", rank, at);
  MPI_Finalize();
}
