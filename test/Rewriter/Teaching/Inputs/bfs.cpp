// Level-synchronous breadth-first search; the frontier is a bitmap of all vertices.
#include <cstdio>
#include <mpi.h>
#include <vector>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int n = 64;
  std::vector<int> offsets(n + 1), targets, level(n, -1);
  for (int v = 0; v < n; v++) {
    offsets[v] = (int)targets.size();
    if (v % size == rank) {
      targets.push_back((v * 2 + 1) % n);
      targets.push_back((v * 3 + 2) % n);
    }
  }
  offsets[n] = (int)targets.size();
  std::vector<int> frontier(n, 0), next(n, 0), all(n, 0);
  frontier[0] = 1;
  level[0] = 0;
  int depth = 0, active = 1;
  while (active > 0) {
    for (int v = 0; v < n; v++)
      next[v] = 0;
    for (int v = 0; v < n; v++)
      if (frontier[v])
        for (int e = offsets[v]; e < offsets[v + 1]; e++)
          next[targets[e]] = 1;
    MPI_Allreduce(next.data(), all.data(), n, MPI_INT, MPI_MAX, MPI_COMM_WORLD); /*@frontier*/
    depth++;
    active = 0;
    for (int v = 0; v < n; v++) {
      frontier[v] = all[v] && level[v] < 0;
      if (frontier[v]) {
        level[v] = depth;
        active++;
      }
    }
  }
  int reached = 0, everyone;
  for (int v = rank; v < n; v += size)
    reached += level[v] >= 0;
  MPI_Reduce(&reached, &everyone, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /*@reached*/
  if (rank == 0)
    std::printf("reached %d of %d in %d levels\n", everyone, n, depth);
  MPI_Finalize();
}
