// Particles in bins: a class that owns the data, std::array, range loops.
#include <array>
#include <cmath>
#include <cstdio>
#include <mpi.h>
#include <numeric>
#include <vector>
constexpr int Bins = 16;
class Particles {
public:
  Particles(int n, int rank) : position(n), bin(n) {
    for (int i = 0; i < n; i++)
      position[i] = std::fmod(0.37 * i + 0.11 * rank, 1.0);
  }
  std::array<int, Bins> count() {
    std::array<int, Bins> counts{};
    for (std::size_t i = 0; i < position.size(); i++) {
      bin[i] = int(position[i] * Bins);
      counts[bin[i]]++;
    }
    return counts;
  }
  void spread(const std::array<int, Bins> &load) {
    int total = 0;
    for (int c : load)
      total += c;
    for (std::size_t i = 0; i < position.size(); i++)
      position[i] += 0.01 * load[bin[i]] / total;
  }
  double sum() const { return std::accumulate(position.begin(), position.end(), 0.0); }
private:
  std::vector<double> position;
  std::vector<int> bin;
};
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Particles particles(50, rank);
  for (int step = 0; step < 3; step++) {
    std::array<int, Bins> mine = particles.count(), all;
    MPI_Allreduce(mine.data(), all.data(), Bins, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /*@bins*/
    particles.spread(all);
  }
  double local = particles.sum(), global;
  MPI_Reduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /*@sum*/
  if (rank == 0)
    std::printf("%.9f\n", global);
  MPI_Finalize();
}
