// A distributed softmax: maximum, exponentials, sum, division; lambdas and references.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <mpi.h>
#include <vector>

static float reduce(float value, MPI_Op op) {
  float result = 0;
  MPI_Allreduce(&value, &result, 1, MPI_FLOAT, op, MPI_COMM_WORLD);
  return result;
}

static void softmax(std::vector<float> &x) {
  float most = x[0];
  for (size_t i = 1; i < x.size(); i++)
    most = x[i] > most ? x[i] : most;
  most = reduce(most, MPI_MAX);
  float sum = 0;
  for (size_t i = 0; i < x.size(); i++) {
    x[i] = x[i] - most;
    x[i] = 1.0f / (1.0f - x[i] + 0.5f * x[i] * x[i]);
    sum += x[i];
  }
  const float all = reduce(sum, MPI_SUM);
  for (size_t i = 0; i < x.size(); i++)
    x[i] /= all;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<float> x(20);
  for (size_t i = 0; i < x.size(); i++)
    x[i] = float((i * 7 + rank * 3) % 5);
  softmax(x);
  for (size_t i = 0; i < x.size(); i++)
    std::printf("%d %zu %.6f\n", rank, i, x[i]);
  MPI_Finalize();
}
