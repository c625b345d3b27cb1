/* Linear regression by gradient descent: sums in a structure of the file, a step on each rank. */
#include <mpi.h>
#include <stdio.h>

#define FEATURES 12
#define ROWS 18

static double data[ROWS][FEATURES], target[ROWS];
static struct {
  double weight[FEATURES];
  double gradient[FEATURES];
  double rate;
} model;

static void gradient(void) {
  double total[FEATURES];
  for (int k = 0; k < FEATURES; k++)
    model.gradient[k] = 0;
  for (int i = 0; i < ROWS; i++) {
    double error = -target[i];
    for (int k = 0; k < FEATURES; k++)
      error += model.weight[k] * data[i][k];
    for (int k = 0; k < FEATURES; k++)
      model.gradient[k] += error * data[i][k];
  }
  MPI_Allreduce(model.gradient, total, FEATURES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int k = 0; k < FEATURES; k++)
    model.weight[k] -= model.rate * total[k];
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < ROWS; i++) {
    target[i] = (i + rank) % 4;
    for (int k = 0; k < FEATURES; k++)
      data[i][k] = ((i * 5 + k * 3 + rank) % 7) / 7.0;
  }
  model.rate = 0.01;
  for (int step = 0; step < 5; step++)
    gradient();
  for (int k = 0; k < FEATURES; k++)
    printf("%d %d %.9f\n", rank, k, model.weight[k]);
  MPI_Finalize();
  return 0;
}
