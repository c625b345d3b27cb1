// Vectors in a structure, as arguments by their data, and as an index.
#include <cstdio>
#include <mpi.h>
#include <vector>
struct Graph {
  std::vector<int> start, to;
  std::vector<float> rank;
};
static float sumOf(const float *x, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i];
  return sum;
}
int main(int argc, char **argv) {
  int me, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int each = 10;
  Graph g;
  for (int v = 0; v < each; v++) {
    g.start.push_back(int(g.to.size()));
    for (int e = 0; e < v % 4; e++)
      g.to.push_back((v * 3 + e * 7 + me) % (each * size));
  }
  g.start.push_back(int(g.to.size()));
  g.rank.assign(each, 1.0f / (each * size));
  std::vector<float> all(each * size);
  float total = 0;
  for (int turn = 0; turn < 3; turn++) {
    MPI_Allgather(&g.rank[0], each, MPI_FLOAT, &all[0], each, MPI_FLOAT, MPI_COMM_WORLD);
    for (size_t v = 0; v < g.rank.size(); v++) {
      float sum = 0;
      for (int e = g.start[v]; e < g.start[v + 1]; e++)
        sum += all[g.to[e]];
      g.rank[v] = 0.15f + 0.85f * sum;
    }
    total = sumOf(g.rank.data(), each);
  }
  std::printf("%d %.6g %.6g\n", me, total, g.rank[7]);
  MPI_Finalize();
}
