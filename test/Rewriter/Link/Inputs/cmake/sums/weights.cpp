#include "project.h"

std::vector<double> weigh(const std::vector<double> &values) {
  double local = 0, sum = 0;
  std::vector<double> result(values.size());
  for (double value : values)
    local += value;
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < values.size(); i++)
    result[i] = weight(values[i], sum);
  return result;
}
