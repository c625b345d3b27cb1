#pragma once
#include <mpi.h>
#define COUNT 96
#ifdef __cplusplus
#include <vector>
std::vector<double> weigh(const std::vector<double> &values);
double weight(double value, double sum);
extern "C" {
#endif
void fill(double *values, int rank);
#ifdef __cplusplus
}
#endif
