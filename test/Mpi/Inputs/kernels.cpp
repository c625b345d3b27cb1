// Random distributed kernels, several under way at a time, against sums made here in the documented
// order: bit for bit. Every element follows from its place, so each rank knows all of them.
//
//   kernels COUNT [SEED [waitall]]
//
// With `waitall` only that completes them: SMPI's other calls are not MPI's (docs/simulation.md).
// Rank 0 prints a number made from all results: it is the same with any MPI library and any switch.
#include "runtime/host/kernels/acis_kernels.h"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <vector>

namespace {

int rank, ranks, errors = 0;
bool onlyWaitall = false;
uint64_t digest = 0;

uint64_t mix(uint64_t x) {
  x = (x ^ x >> 31) * 0x9e3779b97f4a7c15;
  x = (x ^ x >> 27) * 0xbf58476d1ce4e5b9;
  return x ^ x >> 29;
}
uint64_t place(uint64_t a, uint64_t b, uint64_t c) { return mix(mix(mix(a) + b) + c); }

/// A number whose sums round: exponents from -6 to 5.
double numberAt(uint64_t a, uint64_t b, uint64_t c) {
  const uint64_t bits = place(a, b, c);
  return std::ldexp(double(int64_t(bits)), int(bits >> 17 & 7) - 66 + int(bits >> 11 & 3));
}

void check(bool isRight, const char *what, long long i, double found, double expected) {
  if (!isRight && ++errors < 20)
    std::printf("rank %d: %s %lld: found %a, expected %a\n", rank, what, i, found, expected);
}
void require(int code, const char *what) {
  if (code != MPI_SUCCESS)
    check(false, what, code, 0, 0);
}

template <typename T> MPI_Datatype typeOf() { return sizeof(T) == 4 ? MPI_FLOAT : MPI_DOUBLE; }

/// One kernel under way: what its result has to be is looked at when it is complete.
struct Flight {
  MPI_Request request = MPI_REQUEST_NULL;
  std::function<void()> verify;
};

template <typename T>
void compare(const char *what, const std::vector<T> &found, const std::vector<T> &expected) {
  for (size_t i = 0; i < found.size(); i++) {
    check(std::memcmp(&found[i], &expected[i], sizeof(T)) == 0, what, (long long)i,
          double(found[i]), double(expected[i]));
    uint64_t bits = 0;
    std::memcpy(&bits, &found[i], sizeof(T));
    digest += mix(bits + i);
  }
}

/// The exact sum, rounded once: non-overlapping partial sums (Shewchuk), with his last step.
double exactSum(const std::vector<double> &values) {
  std::vector<double> parts;
  for (double x : values) {
    size_t count = 0;
    for (double y : parts) {
      if (std::fabs(x) < std::fabs(y))
        std::swap(x, y);
      const double high = x + y, low = y - (high - x);
      if (low != 0)
        parts[count++] = low;
      x = high;
    }
    parts.resize(count);
    parts.push_back(x);
  }
  if (parts.empty())
    return 0;
  size_t n = parts.size() - 1;
  double high = parts[n], low = 0;
  while (n > 0) {
    const double x = high, y = parts[--n];
    high = x + y;
    low = y - (high - x);
    if (low != 0)
      break;
  }
  if (n > 0 && ((low < 0 && parts[n - 1] < 0) || (low > 0 && parts[n - 1] > 0))) {
    const double twice = low * 2, x = high + twice;
    if (twice == x - high)
      high = x;
  }
  return high;
}

int countOf(std::mt19937 &random, int most) { return random() % 4 ? int(random() % most) : 0; }

template <typename T> Flight dot(std::mt19937 &random, uint64_t id) {
  struct State {
    std::vector<T> x, y, result = std::vector<T>(1);
  };
  const ACIS_Sum order = random() % 4 ? ACIS_SUM_EXACT : ACIS_SUM_MPI;
  std::vector<int> counts;
  for (int r = 0; r < ranks; r++)
    counts.push_back(countOf(random, 5000));
  auto state = std::make_shared<State>();
  std::vector<double> partial;
  for (int r = 0; r < ranks; r++) {
    T sum = 0;
    for (int i = 0; i < counts[r]; i++) {
      const T x = T(numberAt(id, r, 2 * i)), y = T(numberAt(id, r, 2 * i + 1));
      const T product = x * y;
      sum += product;
      if (r == rank) {
        state->x.push_back(x);
        state->y.push_back(y);
      }
    }
    partial.push_back(sum);
  }
  Flight flight;
  require(ACIS_Idot(state->x.data(), state->y.data(), counts[rank], typeOf<T>(),
                    state->result.data(), order, MPI_COMM_WORLD, &flight.request),
          "ACIS_Idot");
  flight.verify = [state, partial, order] {
    const double exact = exactSum(partial);
    if (order == ACIS_SUM_EXACT) {
      compare<T>("dot", state->result, {T(exact)});
      return;
    }
    double size = 0;
    for (double one : partial)
      size += std::fabs(one);
    const double error = std::fabs(double(state->result[0]) - exact);
    check(error <= size * ranks * (sizeof(T) == 4 ? 6e-8 : 1.2e-16), "dot of MPI", 0,
          state->result[0], exact);
  };
  return flight;
}

/// Columns of a row, rising: near it, and some anywhere.
std::vector<long long> columnsOf(uint64_t id, long long row, long long all) {
  std::vector<long long> columns;
  for (long long c = std::max(0LL, row - 3); c <= std::min(all - 1, row + 3); c++)
    if (place(id, uint64_t(row), uint64_t(c)) % 3)
      columns.push_back(c);
  for (int i = 0; i < int(place(id, uint64_t(row), 1u << 30) % 4); i++)
    columns.push_back((long long)(place(id, uint64_t(row), (2u << 30) + i) % uint64_t(all)));
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

template <typename T>
T rowSum(uint64_t id, long long row, const std::vector<long long> &starts, ACIS_Order order) {
  T sum = 0;
  const auto isHere = [&](long long c) { return starts[rank] <= c && c < starts[rank + 1]; };
  for (int turn = 0; turn < (order == ACIS_ORDER_ROW ? 1 : 2); turn++)
    for (long long c : columnsOf(id, row, starts.back())) {
      if (order == ACIS_ORDER_SPLIT && isHere(c) == (turn == 1))
        continue;
      const T product = T(numberAt(id, row, c)) * T(numberAt(id + 1, c, 0));
      sum += product;
    }
  return sum;
}

template <typename T>
Flight spmv(std::mt19937 &random, uint64_t id, std::vector<ACIS_Spmv> &plans) {
  struct State {
    std::vector<T> x, y, expected;
  };
  std::vector<long long> starts = {0};
  for (int r = 0; r < ranks; r++)
    starts.push_back(starts.back() + countOf(random, 200));
  ACIS_Spmv_options options = {};
  options.order = random() % 2 ? ACIS_ORDER_SPLIT : ACIS_ORDER_ROW;
  static unsigned turn = 0;
  options.fetch = ACIS_Fetch(turn++ % 3);
  options.batch_bytes = random() % 2 ? 0 : 8 + random() % 100;
  const int rows = int(starts[rank + 1] - starts[rank]);
  std::vector<int> begin = {0};
  std::vector<long long> columns;
  std::vector<T> values;
  auto state = std::make_shared<State>();
  state->y.resize(rows, T(1e30));
  for (long long row = starts[rank]; row < starts[rank + 1]; row++) {
    for (long long c : columnsOf(id, row, starts.back())) {
      columns.push_back(c);
      values.push_back(T(numberAt(id, row, c)));
    }
    begin.push_back(int(columns.size()));
    state->x.push_back(T(numberAt(id + 1, row, 0)));
    state->expected.push_back(rowSum<T>(id, row, starts, options.order));
  }
  ACIS_Spmv plan;
  require(ACIS_Spmv_plan(rows, begin.data(), columns.data(), values.data(), typeOf<T>(), &options,
                         MPI_COMM_WORLD, &plan),
          "ACIS_Spmv_plan");
  plans.push_back(plan);
  Flight flight;
  require(ACIS_Ispmv(plan, state->x.data(), state->y.data(), MPI_COMM_WORLD, &flight.request),
          "ACIS_Ispmv");
  flight.verify = [state] { compare<T>("spmv", state->y, state->expected); };
  return flight;
}

/// One of the grids of all ranks.
ACIS_Grid gridOf(std::mt19937 &random) {
  std::vector<ACIS_Grid> grids;
  for (int m = 1; m <= ranks; m++)
    for (int n = 1; m * n <= ranks; n++)
      if (ranks % (m * n) == 0)
        grids.push_back({m, n, ranks / m / n});
  return grids[random() % grids.size()];
}

template <typename T> std::vector<T> part(uint64_t id, const ACIS_Part &part, long long ld) {
  std::vector<T> elements(size_t(part.rows * ld) + 1, T(1e30));
  for (long long i = 0; i < part.rows; i++)
    for (long long j = 0; j < part.columns; j++)
      elements[size_t(i * ld + j)] = T(numberAt(id, part.row + i, part.column + j));
  return elements;
}

template <typename T>
T element(uint64_t id, long long row, long long column, long long k, int parts) {
  T sum = 0;
  for (int p = 0, l = 0; p < parts; p++) {
    T one = 0;
    for (const long long end = l + k / parts + (p < k % parts); l < end; l++) {
      const T product = T(numberAt(id, row, l)) * T(numberAt(id + 1, l, column));
      one += product;
    }
    sum = p == 0 ? one : sum + one;
  }
  return sum;
}

template <typename T>
Flight multiply(uint64_t id, ACIS_Gemm plan, long long k, int pk, long long pad) {
  struct State {
    std::vector<T> a, b, c, expected;
  };
  ACIS_Part a, b, c;
  require(ACIS_Gemm_parts(plan, &a, &b, &c), "ACIS_Gemm_parts");
  auto state = std::make_shared<State>();
  state->a = part<T>(id, a, a.columns + pad);
  state->b = part<T>(id + 1, b, b.columns + 2 * pad);
  state->c.assign(size_t(c.rows * (c.columns + pad)) + 1, T(7));
  state->expected = state->c;
  for (long long i = 0; i < c.rows; i++)
    for (long long j = 0; j < c.columns; j++)
      state->expected[size_t(i * (c.columns + pad) + j)] =
          element<T>(id, c.row + i, c.column + j, k, pk);
  Flight flight;
  require(ACIS_Igemm(plan, state->a.data(), a.columns + pad, state->b.data(), b.columns + 2 * pad,
                     state->c.data(), c.columns + pad, &flight.request),
          "ACIS_Igemm");
  flight.verify = [state] { compare<T>("gemm", state->c, state->expected); };
  return flight;
}

template <typename T>
void gemm(std::mt19937 &random, uint64_t id, std::vector<ACIS_Gemm> &plans,
          std::vector<Flight> &flights) {
  const ACIS_Grid grid = gridOf(random);
  MPI_Comm comms[3];
  require(ACIS_Gemm_comms(&grid, MPI_COMM_WORLD, &comms[0], &comms[1], &comms[2]),
          "ACIS_Gemm_comms");
  const long long m = countOf(random, 60), n = countOf(random, 60), k = countOf(random, 90);
  const ACIS_Gemm_mode mode = random() % 2 ? ACIS_GEMM_LM : ACIS_GEMM_SM;
  const ACIS_Gemm_schedule schedule = {int(random() % 20), int(random() % 4)};
  ACIS_Gemm plan;
  require(
      ACIS_Gemm_plan(m, n, k, typeOf<T>(), mode, &schedule, comms[0], comms[1], comms[2], &plan),
      "ACIS_Gemm_plan");
  for (MPI_Comm &comm : comms)
    MPI_Comm_free(&comm);
  plans.push_back(plan);
  for (int i = int(random() % 3); i >= 0; i--)
    flights.push_back(
        multiply<T>(id + 10 * uint64_t(i), plan, k, grid.pk, (long long)(random() % 3)));
}

/// Completes all of them in one of the ways that MPI has; ranks do not choose alike.
void complete(std::vector<Flight> &flights, std::mt19937 &own) {
  std::vector<MPI_Request> requests;
  for (const Flight &flight : flights)
    if (flight.request != MPI_REQUEST_NULL) // else it is complete
      requests.push_back(flight.request);
  const int count = int(requests.size());
  std::vector<int> indices(count);
  std::vector<MPI_Status> statuses(count);
  int flag = 0, index, done;
  switch (onlyWaitall ? 0 : own() % 8) {
  case 0:
    require(MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    break;
  case 1:
    for (int i = count; i-- > 0;)
      require(MPI_Wait(&requests[i], &statuses[i]), "MPI_Wait");
    break;
  case 2:
    while (!flag)
      require(MPI_Testall(count, requests.data(), &flag, statuses.data()), "MPI_Testall");
    break;
  case 3:
    for (int i = 0; i < count; i++)
      require(MPI_Waitany(count, requests.data(), &index, MPI_STATUS_IGNORE), "MPI_Waitany");
    break;
  case 4:
    for (int all = 0; all < count; all += done)
      require(MPI_Waitsome(count, requests.data(), &done, indices.data(), statuses.data()),
              "MPI_Waitsome");
    break;
  case 5:
    for (int i = 0; i < count; i++)
      for (flag = 0; !flag;)
        require(MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE), "MPI_Test");
    break;
  case 6:
    for (int all = 0; all < count; all += done)
      require(MPI_Testsome(count, requests.data(), &done, indices.data(), MPI_STATUSES_IGNORE),
              "MPI_Testsome");
    break;
  default:
    for (int all = 0; all < count; all += flag)
      require(MPI_Testany(count, requests.data(), &index, &flag, MPI_STATUS_IGNORE), "MPI_Testany");
  }
  for (const MPI_Request &request : requests)
    check(request == MPI_REQUEST_NULL || onlyWaitall, "request", 0, 0, 0);
  for (Flight &flight : flights)
    flight.verify();
}

void round(std::mt19937 &random, std::mt19937 &own, uint64_t id) {
  std::vector<Flight> flights;
  std::vector<ACIS_Spmv> matrices;
  std::vector<ACIS_Gemm> grids;
  for (int i = 0; i < 3; i++, id += 100)
    switch (random() % 6) {
    case 0:
      flights.push_back(dot<float>(random, id));
      break;
    case 1:
      flights.push_back(dot<double>(random, id));
      break;
    case 2:
      flights.push_back(spmv<float>(random, id, matrices));
      break;
    case 3:
      flights.push_back(spmv<double>(random, id, matrices));
      break;
    case 4:
      gemm<float>(random, id, grids, flights);
      break;
    default:
      gemm<double>(random, id, grids, flights);
    }
  complete(flights, own);
  for (ACIS_Spmv &plan : matrices)
    require(ACIS_Spmv_free(&plan), "ACIS_Spmv_free");
  for (ACIS_Gemm &plan : grids)
    require(ACIS_Gemm_free(&plan), "ACIS_Gemm_free");
}

/// Sums of a few numbers of all sizes, where rounding is decided by bits far away.
void extremes(std::mt19937 &random) {
  for (int i = 0; i < 40; i++) {
    std::vector<double> values;
    for (int r = 0; r < ranks; r++) {
      const int exponent = i % 3 ? int(random() % 120) - 60 : int(random() % 2098) - 1074;
      const double size = i % 7 ? double(random()) : 1 + std::ldexp(double(random() % 2), -52);
      values.push_back((random() % 2 ? -1 : 1) * std::ldexp(size, exponent - 40));
    }
    const double one = 1;
    double result = 0;
    MPI_Request request;
    require(ACIS_Idot(&values[rank], &one, 1, MPI_DOUBLE, &result, ACIS_SUM_EXACT, MPI_COMM_WORLD,
                      &request),
            "ACIS_Idot");
    require(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    check(result == exactSum(values), "exact sum", i, result, exactSum(values));
  }
  const double special[] = {INFINITY, -INFINITY, NAN, 1, -0.0};
  for (double own : special) {
    const double x = rank == 0 ? own : 2, y = 1;
    double result = 0, expected = own + 2 * (ranks - 1);
    MPI_Request request;
    require(ACIS_Idot(&x, &y, 1, MPI_DOUBLE, &result, ACIS_SUM_EXACT, MPI_COMM_WORLD, &request),
            "ACIS_Idot");
    require(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    check(result == expected || (std::isnan(result) && std::isnan(expected)), "special", 0, result,
          expected);
  }
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int count = argc > 1 ? std::atoi(argv[1]) : 20;
  const unsigned seed = argc > 2 ? unsigned(std::atoi(argv[2])) : 1;
  onlyWaitall = argc > 3;
  std::mt19937 random(seed), own(seed * 1000 + unsigned(rank));
  extremes(random);
  for (int i = 0; i < count; i++)
    round(random, own, uint64_t(i) * 1000 + seed);
  uint64_t all = 0;
  int allErrors = 0;
  MPI_Reduce(&digest, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&errors, &allErrors, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0 && allErrors)
    std::printf("%d errors\n", allErrors);
  else if (rank == 0)
    std::printf("No Errors\nbits %016llx\n", (unsigned long long)all);
  MPI_Finalize();
  return allErrors != 0;
}
