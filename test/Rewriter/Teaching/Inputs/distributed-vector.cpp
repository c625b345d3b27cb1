// A vector class with norm, scale, axpy; used the way that applications do.
#include <cmath>
#include <cstdio>
#include <functional>
#include <mpi.h>
#include <numeric>
#include <vector>

namespace la {
class DistVector {
public:
  DistVector(int n, MPI_Comm comm) : data_(n), comm_(comm) {}
  double &operator[](int i) { return data_[i]; }
  double operator[](int i) const { return data_[i]; }
  int size() const { return static_cast<int>(data_.size()); }

  double dot(const DistVector &other) const {
    double local = 0.0;
    for (int i = 0; i < size(); ++i)
      local += data_[i] * other.data_[i];
    double global = 0.0;
    MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, comm_); /*@dot*/
    return global;
  }
  double inner(const DistVector &other) const {
    double local = std::inner_product(data_.begin(), data_.end(), other.data_.begin(), 0.0);
    double global;
    MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, comm_); /*@inner*/
    return global;
  }
  double norm() const { return std::sqrt(dot(*this)); }
  void scale(double factor) {
    for (double &value : data_)
      value *= factor;
  }
  void axpy(double factor, const DistVector &x) {
    for (int i = 0; i < size(); ++i)
      data_[i] += factor * x.data_[i];
  }
  void normalize() {
    const double n = norm(); /*@normalize*/
    if (n > 0.0)
      scale(1.0 / n);
  }
  void shift_to_zero_mean() {
    double sums[2] = {0.0, static_cast<double>(data_.size())};
    for (double value : data_)
      sums[0] += value;
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, comm_); /*@zero*/
    auto subtract = [&](double by) {
      for (auto &value : data_)
        value -= by;
    };
    subtract(sums[0] / sums[1]);
  }

private:
  std::vector<double> data_;
  MPI_Comm comm_;
};
} // namespace la

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  la::DistVector x(40, MPI_COMM_WORLD), y(40, MPI_COMM_WORLD);
  for (int i = 0; i < 40; i++) {
    x[i] = 1 + (i + rank) % 9;
    y[i] = 2 - (i * rank) % 5;
  }
  double h = x.dot(y); /*@h*/
  y.axpy(-h, x);
  y.normalize(); /*@normalize2*/
  x.shift_to_zero_mean();
  double length = x.inner(x); /*@length*/
  std::printf("rank %d %.9f %.9f %.9f\n", rank, x[3], y[4], length);
  MPI_Finalize();
}
