// What a rank gives without an answer must arrive, however soon it ends: more reductions than a
// switch has slots, MPI_Comm_free and MPI_Finalize at once, while the root is far behind.
#include "Check.h"

#include <chrono>
#include <thread>

using namespace check;

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int rank = rankOf(MPI_COMM_WORLD), size = sizeOf(MPI_COMM_WORLD), root = size - 1;
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (rank == root)
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  for (MPI_Comm comm : {copy, MPI_COMM_WORLD}) {
    for (int i = 0; i < 150; ++i) {
      int mine[2] = {rank, i}, sum[2] = {-1, -1};
      MPI_Reduce(mine, sum, 2, MPI_INT, MPI_SUM, root, comm);
      if (rank == root)
        require(sum[0] == size * (size - 1) / 2 && sum[1] == size * i, "MPI_Reduce to one behind");
    }
    if (comm != MPI_COMM_WORLD)
      MPI_Comm_free(&comm);
  }
  if (rank == root)
    std::printf(errors ? "errors\n" : "No Errors\n");
  MPI_Finalize();
  return errors != 0;
}
