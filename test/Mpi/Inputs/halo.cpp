// An application as simulations are: a cube of cells in blocks, one for each rank, each of which
// exchanges what its up to 26 neighbours need by point-to-point messages, then takes a step whose
// length all ranks agree on. Collectives and messages alternate, and some of the latter are under
// way during the former.
// usage: halo [STEPS]
// Rank 0 compares with the whole cube, which it computes alone: cells and sums of integers bit for
// bit. The sum of floating-point numbers, whose order is the MPI library's or the switch's, is
// compared within the error of that, and printed as bits, which must be the same each time.
#include "Check.h"

#include <algorithm>
#include <array>

using namespace check;

namespace {

constexpr int Edge = 4; ///< cells along an edge of a block
constexpr uint32_t Largest = 1000003;

using Place = std::array<int, 3>;

/// Cells of a box with a layer of others around it; the world outside the cube is 0.
class Cells {
public:
  explicit Cells(Place size)
      : size(size), cells(size_t(size[0] + 2) * (size[1] + 2) * (size[2] + 2)) {}

  uint32_t &at(int x, int y, int z) {
    return cells[(size_t(z + 1) * (size[1] + 2) + (y + 1)) * (size[0] + 2) + (x + 1)];
  }

  template <typename Do> void each(Do &&visit) {
    for (int z = 0; z < size[2]; ++z)
      for (int y = 0; y < size[1]; ++y)
        for (int x = 0; x < size[0]; ++x)
          visit(x, y, z);
  }

  uint32_t highest() {
    uint32_t most = 0;
    each([&](int x, int y, int z) { most = std::max(most, at(x, y, z)); });
    return most;
  }

  /// Each cell and its 26 neighbours, weighed.
  void step(uint32_t length) {
    Cells next(size);
    each([&](int x, int y, int z) {
      uint64_t sum = 0;
      for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx)
            sum += uint64_t(at(x + dx, y + dy, z + dz)) * uint64_t(14 + dx + 3 * dy + 9 * dz);
      next.at(x, y, z) = uint32_t((sum + length) % Largest);
    });
    cells.swap(next.cells);
  }

  const Place size;

private:
  std::vector<uint32_t> cells;
};

uint32_t initial(int x, int y, int z) { return uint32_t(x * 7919 + y * 104729 + z * 31) % Largest; }

double weight(uint32_t cell) { return 1.0 / (1.0 + cell); }

/// One rank's block with its neighbours.
class Block {
public:
  explicit Block(MPI_Comm cart) : cells({Edge, Edge, Edge}), cart(cart) {
    int dims[3], periods[3];
    MPI_Cart_get(cart, 3, dims, periods, own.data());
    cells.each([&](int x, int y, int z) {
      cells.at(x, y, z) = initial(own[0] * Edge + x, own[1] * Edge + y, own[2] * Edge + z);
    });
    for (int direction = 0; direction < 27; ++direction) {
      const Place to = toward(direction);
      bool inside = direction != 13;
      int coordinates[3];
      for (int d = 0; d < 3; ++d) {
        coordinates[d] = own[d] + to[d];
        inside &= coordinates[d] >= 0 && coordinates[d] < dims[d];
      }
      neighbour[direction] = MPI_PROC_NULL;
      if (inside)
        MPI_Cart_rank(cart, coordinates, &neighbour[direction]);
    }
  }

  /// Messages are on their way when it returns; no request where there is no neighbour.
  void beginExchange() {
    for (int direction = 0; direction < 27; ++direction) {
      receives[direction] = sends[direction] = MPI_REQUEST_NULL;
      if (neighbour[direction] == MPI_PROC_NULL)
        continue;
      gather(direction);
      const int count = int(outgoing[direction].size()), to = neighbour[direction];
      incoming[direction].resize(count);
      MPI_Irecv(incoming[direction].data(), count, MPI_UINT32_T, to, 26 - direction, cart,
                &receives[direction]);
      MPI_Isend(outgoing[direction].data(), count, MPI_UINT32_T, to, direction, cart,
                &sends[direction]);
    }
  }

  void endExchange() {
    for (;;) {
      int direction = 0;
      MPI_Waitany(27, receives.data(), &direction, MPI_STATUS_IGNORE);
      if (direction == MPI_UNDEFINED)
        break;
      scatter(direction);
    }
    MPI_Waitall(27, sends.data(), MPI_STATUSES_IGNORE);
  }

  Cells cells;
  Place own{};

private:
  static Place toward(int direction) {
    return {direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1};
  }

  /// The cells next to the neighbour, or with `beyond` the layer that holds the neighbour's.
  template <typename Do> void along(int direction, bool beyond, Do &&visit) {
    const Place to = toward(direction);
    Place low, high;
    for (int d = 0; d < 3; ++d) {
      low[d] = to[d] > 0 ? Edge - 1 + beyond : to[d] < 0 ? -int(beyond) : 0;
      high[d] = to[d] == 0 ? Edge - 1 : low[d];
    }
    for (int z = low[2]; z <= high[2]; ++z)
      for (int y = low[1]; y <= high[1]; ++y)
        for (int x = low[0]; x <= high[0]; ++x)
          visit(cells.at(x, y, z));
  }

  void gather(int direction) {
    outgoing[direction].clear();
    along(direction, false, [&](uint32_t &cell) { outgoing[direction].push_back(cell); });
  }

  void scatter(int direction) {
    size_t next = 0;
    along(direction, true, [&](uint32_t &cell) { cell = incoming[direction][next++]; });
  }

  MPI_Comm cart;
  std::array<int, 27> neighbour{};
  std::array<MPI_Request, 27> receives, sends;
  std::array<std::vector<uint32_t>, 27> incoming, outgoing;
};

/// What a run ends with.
struct Outcome {
  std::vector<uint32_t> cells; ///< of the whole cube, on rank 0
  uint64_t sum = 0;
  double weights = 0;
};

Outcome inBlocks(MPI_Comm cart, const Place &dims, int steps) {
  Block block(cart);
  const int rank = rankOf(cart), size = sizeOf(cart);
  for (int s = 0; s < steps; ++s) {
    block.beginExchange();
    uint32_t highest = block.cells.highest(), length = 0;
    MPI_Allreduce(&highest, &length, 1, MPI_UINT32_T, MPI_MAX, cart);
    block.endExchange();
    block.cells.step(length);
  }
  Outcome outcome;
  std::vector<uint32_t> mine;
  uint64_t sum = 0;
  double weights = 0;
  block.cells.each([&](int x, int y, int z) {
    mine.push_back(block.cells.at(x, y, z));
    sum += mine.back();
    weights += weight(mine.back());
  });
  MPI_Reduce(&sum, &outcome.sum, 1, MPI_UINT64_T, MPI_SUM, 0, cart);
  MPI_Allreduce(&weights, &outcome.weights, 1, MPI_DOUBLE, MPI_SUM, cart);

  // By ranks, then in the order of the cube.
  std::vector<uint32_t> byRank(rank == 0 ? mine.size() * size : 0);
  MPI_Gather(mine.data(), int(mine.size()), MPI_UINT32_T, byRank.data(), int(mine.size()),
             MPI_UINT32_T, 0, cart);
  outcome.cells.resize(byRank.size());
  for (int from = 0; rank == 0 && from < size; ++from) {
    Place at;
    MPI_Cart_coords(cart, from, 3, at.data());
    size_t next = size_t(from) * mine.size();
    block.cells.each([&](int x, int y, int z) {
      const size_t row = size_t(at[2] * Edge + z) * (dims[1] * Edge) + (at[1] * Edge + y);
      outcome.cells[row * (dims[0] * Edge) + (at[0] * Edge + x)] = byRank[next++];
    });
  }
  return outcome;
}

Outcome alone(const Place &dims, int steps) {
  Cells cube({dims[0] * Edge, dims[1] * Edge, dims[2] * Edge});
  cube.each([&](int x, int y, int z) { cube.at(x, y, z) = initial(x, y, z); });
  for (int s = 0; s < steps; ++s)
    cube.step(cube.highest());
  Outcome outcome;
  cube.each([&](int x, int y, int z) {
    outcome.cells.push_back(cube.at(x, y, z));
    outcome.sum += outcome.cells.back();
    outcome.weights += weight(outcome.cells.back());
  });
  return outcome;
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int steps = argc > 1 ? std::atoi(argv[1]) : 20;
  Place dims{}, periods{};
  MPI_Dims_create(sizeOf(MPI_COMM_WORLD), 3, dims.data());
  MPI_Comm cart;
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims.data(), periods.data(), /*reorder=*/1, &cart);
  const Outcome got = inBlocks(cart, dims, steps);
  if (rankOf(cart) == 0) {
    const Outcome wanted = alone(dims, steps);
    require(got.cells == wanted.cells, "cells of the cube");
    require(got.sum == wanted.sum, "sum of the cells");
    require(std::fabs(got.weights - wanted.weights) <= 1e-12 * wanted.weights, "sum of weights");
    std::printf("weights %a\n", got.weights);
    std::fflush(stdout);
  }
  MPI_Comm_free(&cart);
  return finish();
}
