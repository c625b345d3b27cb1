// Poisson solver on a Cartesian grid of processes, objects for the grid and the exchange.
#include <cmath>
#include <cstdio>
#include <iostream>
#include <mpi.h>
#include <vector>

class Grid {
public:
  Grid(MPI_Comm parent, int n) : n(n) {
    int size;
    MPI_Comm_size(parent, &size);
    int dims[2] = {0, 0}, periods[2] = {0, 0};
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(parent, 2, dims, periods, 0, &cart);
    MPI_Comm_rank(cart, &rank);
    MPI_Cart_coords(cart, rank, 2, coords);
    MPI_Cart_shift(cart, 0, 1, &up, &down);
    field.assign((n + 2) * (n + 2), 0.0);
    next = field;
    for (int j = 0; j < n + 2; j++)
      if (coords[0] == 0)
        field[j] = next[j] = 1.0;
  }

  double step() {
    exchange();
    double local = 0.0;
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++) {
        double value = 0.25 * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1));
        double change = value - at(i, j);
        local += change * change;
        next[i * (n + 2) + j] = value;
      }
    field.swap(next);
    double global = 0.0;
    MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, cart); /*@residual*/
    return std::sqrt(global);
  }

  // Takes the mean of all cells away from each.
  void center() {
    double sums[2] = {0.0, double(n) * n}, totals[2];
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        sums[0] += at(i, j);
    MPI_Allreduce(sums, totals, 2, MPI_DOUBLE, MPI_SUM, cart); /*@mean*/
    const double mean = totals[0] / totals[1];
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        at(i, j) -= mean;
  }

  int rank;
  double &at(int i, int j) { return field[i * (n + 2) + j]; }

private:
  void exchange() {
    MPI_Request requests[4];
    MPI_Irecv(&at(0, 1), n, MPI_DOUBLE, up, 0, cart, &requests[0]);
    MPI_Irecv(&at(n + 1, 1), n, MPI_DOUBLE, down, 1, cart, &requests[1]);
    MPI_Isend(&at(1, 1), n, MPI_DOUBLE, up, 1, cart, &requests[2]);
    MPI_Isend(&at(n, 1), n, MPI_DOUBLE, down, 0, cart, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  }
  int n, coords[2], up, down;
  MPI_Comm cart;
  std::vector<double> field, next;
};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  {
    Grid grid(MPI_COMM_WORLD, 12);
    double residual = 1;
    int steps = 0;
    while (residual > 1e-3 && steps < 50) {
      residual = grid.step();
      if (++steps % 10 == 0 && grid.rank == 0)
        std::cout << "step " << steps << " residual " << float(residual) << std::endl;
    }
    grid.center();
    std::printf("rank %d corner %.6f\n", grid.rank, grid.at(1, 1));
  }
  MPI_Finalize();
  return 0;
}
