// Members of an object: numbers, arrays, vectors, structures of structures, by name and by this.
#include <cstdio>
#include <mpi.h>
#include <vector>

struct Point {
  float x, y;
};

class Cloud {
public:
  Cloud(int rank, int n) : points(n), weight(n), n(n) {
    for (int i = 0; i < n; i++) {
      points[i].x = float((i * 3 + rank) % 7);
      points[i].y = float((i * 5 + 2 * rank) % 11);
      weight[i] = 1.0f + float(i % 2);
    }
  }
  void step() {
    float local[3] = {0, 0, 0};
    for (int i = 0; i < n; i++) {
      local[0] += weight[i] * points[i].x;
      local[1] += weight[i] * points[i].y;
      local[2] += weight[i];
    }
    MPI_Allreduce(local, this->sums, 3, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++) {
      points[i].x -= this->sums[0] / sums[2] * rate;
      points[i].y -= this->sums[1] / sums[2] * rate;
    }
    steps++;
  }
  void print(int rank) const {
    for (int i = 0; i < n; i += 5)
      std::printf("%d %d %.5f %.5f %d\n", rank, i, points[i].x, points[i].y, steps);
  }

private:
  std::vector<Point> points;
  std::vector<float> weight;
  int n, steps = 0;
  float sums[3] = {0, 0, 0}, rate = 0.25f;
};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Cloud cloud(rank, 21);
  for (int t = 0; t < 3; t++)
    cloud.step();
  cloud.print(rank);
  MPI_Finalize();
}
