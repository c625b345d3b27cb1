// Classes, templates, containers.
#include "library.hpp"
#include <cmath>
#include <cstdio>
#include <numeric>
class Vector {
public:
  Vector(int n, MPI_Comm comm) : data(n, 1.0), comm(comm) {}
  double norm() const {
    double local = 0, global;
    for (double v : data)
      local += v * v;
    MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, comm); /*@methodnorm*/
    return std::sqrt(global);
  }
  void center() {
    double local = std::accumulate(data.begin(), data.end(), 0.0), global;
    int size;
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, comm); /*@center*/
    double mean = global / (size * data.size());
    for (size_t i = 0; i < data.size(); i++)
      data[i] -= mean;
  }
  std::vector<double> data;

private:
  MPI_Comm comm;
};
template <typename T> T dot(const std::vector<T> &a, const std::vector<T> &b) {
  T local = 0, global = 0;
  for (size_t i = 0; i < a.size(); i++)
    local += a[i] * b[i];
  MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /*@templatedot*/
  return global;
}
void axpy(double a, const std::vector<double> &x, std::vector<double> &y) {
  for (size_t i = 0; i < x.size(); i++)
    y[i] += a * x[i];
}
void step(std::vector<double> &x, std::vector<double> &r, std::vector<double> &p, double &rho) {
  double pq = dot(p, r); /*@alpha*/
  double alpha = rho / pq;
  axpy(alpha, p, x);
  axpy(-alpha, p, r);
}
void power(const Comm &world, const std::vector<double> &matrix, std::vector<double> &x, int rows) {
  std::vector<double> all(rows * world.size()), next(rows);
  for (int k = 0; k < 5; k++) {
    world.gather_all(x, all); /*@gather*/
    double local = 0;
    for (int i = 0; i < rows; i++) {
      next[i] = 0;
      for (size_t j = 0; j < all.size(); j++)
        next[i] += matrix[i * all.size() + j] * all[j];
      local += next[i] * next[i];
    }
    double norm = std::sqrt(world.sum(local)); /*@norm*/
    for (int i = 0; i < rows; i++)
      x[i] = next[i] / norm;
  }
}
void kmeans(const Comm &world, const std::vector<double> &points, double *centres, int k) {
  std::vector<double> sums(k), total(k);
  std::vector<int> counts(k), all(k);
  for (int round = 0; round < 3; round++) {
    world.broadcast(centres, k); /*@centres*/
    std::fill(sums.begin(), sums.end(), 0.0);
    std::fill(counts.begin(), counts.end(), 0);
    for (size_t i = 0; i < points.size(); i++) {
      int best = 0;
      for (int c = 1; c < k; c++)
        if (std::fabs(points[i] - centres[c]) < std::fabs(points[i] - centres[best]))
          best = c;
      sums[best] += points[i];
      counts[best]++;
    }
    world.sum(sums.data(), total.data(), k); /*@sums*/
    world.sum(counts.data(), all.data(), k); /*@all*/
    for (int c = 0; c < k; c++)
      if (all[c])
        centres[c] = total[c] / all[c];
  }
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  {
    Comm world(MPI_COMM_WORLD);
    Vector v(64, MPI_COMM_WORLD);
    v.center();
    std::vector<double> x(16, 1.0), r(16, 2.0), p(16, 0.5), matrix(16 * 16 * world.size(), 0.25);
    double rho = 2, centres[3] = {1, 2, 3};
    step(x, r, p, rho);
    power(world, matrix, x, 16);
    kmeans(world, x, centres, 3);
    std::printf("%g %g %g\n", v.norm(), x[3], centres[1]);
  }
  MPI_Finalize();
  return 0;
}
