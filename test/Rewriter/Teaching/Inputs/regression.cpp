// Linear regression by gradient descent over ranks, and correlation from sums.
#include <cmath>
#include <iostream>
#include <mpi.h>
#include <vector>

struct Sample {
  double x[3], y;
};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<Sample> samples(40);
  for (int i = 0; i < 40; i++) {
    for (int d = 0; d < 3; d++)
      samples[i].x[d] = ((i * (d + 2) + rank) % 10) / 10.0;
    samples[i].y = 1.0 + 2.0 * samples[i].x[0] - samples[i].x[2];
  }
  const double rate = 0.1;
  std::vector<double> weights(4, 0.0), gradient(4), total(4);
  double loss = 0, global_loss = 0;
  for (int epoch = 0; epoch < 25; epoch++) {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    loss = 0;
    for (const Sample &s : samples) {
      double guess = weights[3];
      for (int d = 0; d < 3; d++)
        guess += weights[d] * s.x[d];
      double error = guess - s.y;
      loss += error * error;
      for (int d = 0; d < 3; d++)
        gradient[d] += 2 * error * s.x[d];
      gradient[3] += 2 * error;
    }
    MPI_Allreduce(gradient.data(), total.data(), 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /*@gradient*/
    for (int d = 0; d < 4; d++)
      weights[d] -= rate * total[d] / (40.0 * size);
    MPI_Reduce(&loss, &global_loss, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /*@loss*/
    if (rank == 0 && epoch % 5 == 0)
      std::cout << "epoch " << epoch << " loss " << float(global_loss) << "\n";
  }
  double sums[5] = {0, 0, 0, 0, 0}, all[5];
  for (const auto &s : samples) {
    sums[0] += s.x[0];
    sums[1] += s.y;
    sums[2] += s.x[0] * s.x[0];
    sums[3] += s.y * s.y;
    sums[4] += s.x[0] * s.y;
  }
  MPI_Allreduce(sums, all, 5, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /*@sums*/
  double n = 40.0 * size;
  double r = (n * all[4] - all[0] * all[1]) /
             std::sqrt((n * all[2] - all[0] * all[0]) * (n * all[3] - all[1] * all[1]));
  if (rank == 0)
    std::cout << "w0 " << float(weights[0]) << " correlation " << float(r) << std::endl;
  MPI_Finalize();
}
