#include "solver.hpp"
int product(Sparse *A, const double *const x, double *const y) {
  const int nrow = (const int)A->rows;
  for (int i = 0; i < nrow; i++) {
    double sum = 0.0;
    const double *const values = (const double *const)A->values_of[i];
    const int *const columns = (const int *const)A->columns_of[i];
    const int count = (const int)A->counts[i];
    for (int j = 0; j < count; j++)
      sum += values[j] * x[columns[j]];
    y[i] = sum;
  }
  return (0);
}
