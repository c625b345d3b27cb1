// Wrong arguments of distributed kernels: the error handler is called once on each rank that has to
// learn of it, with a text that says what is wrong, and what comes after works.
#include "runtime/host/kernels/acis_kernels.h"

#include <mpi.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

int rank, ranks, errors = 0, calls = 0, lastCode = 0;

void handle(MPI_Comm *, int *code, ...) {
  calls++;
  lastCode = *code;
}

/// The call fails on `all` ranks, or on this one where it makes the mistake.
void fails(const char *name, const std::string &text, const std::function<int()> &call) {
  calls = lastCode = 0;
  const int code = call();
  char found[MPI_MAX_ERROR_STRING] = "";
  int length = 0, errorClass = 0;
  MPI_Error_string(code, found, &length);
  MPI_Error_class(code, &errorClass);
  if (code == MPI_SUCCESS || errorClass == MPI_SUCCESS || calls != 1 || lastCode != code ||
      !std::strstr(found, text.c_str())) {
    errors++;
    std::printf("rank %d: %s: code %d, handler called %d times with %d: %s\n", rank, name, code,
                calls, lastCode, found);
  }
}

MPI_Request request;
double x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8], result;

void dots() {
  const auto dot = [](const void *a, long long n, MPI_Datatype type, void *to, ACIS_Sum sum,
                      MPI_Comm comm) {
    request = MPI_REQUEST_NULL;
    return ACIS_Idot(a, x, n, type, to, sum, comm, &request);
  };
  fails("null x", "ACIS_Idot: found 3 elements",
        [&] { return dot(nullptr, 3, MPI_DOUBLE, &result, ACIS_SUM_EXACT, MPI_COMM_WORLD); });
  fails("null result", "result at",
        [&] { return dot(x, 3, MPI_DOUBLE, nullptr, ACIS_SUM_EXACT, MPI_COMM_WORLD); });
  fails("negative", "found -1 elements",
        [&] { return dot(x, -1, MPI_DOUBLE, &result, ACIS_SUM_EXACT, MPI_COMM_WORLD); });
  fails("type", "MPI_FLOAT and MPI_DOUBLE",
        [&] { return dot(x, 3, MPI_INT, &result, ACIS_SUM_EXACT, MPI_COMM_WORLD); });
  fails("sum", "ACIS_SUM_EXACT and ACIS_SUM_MPI",
        [&] { return dot(x, 3, MPI_DOUBLE, &result, ACIS_Sum(3), MPI_COMM_WORLD); });
  fails("null communicator", "MPI_COMM_NULL",
        [&] { return dot(x, 3, MPI_DOUBLE, &result, ACIS_SUM_EXACT, MPI_COMM_NULL); });
  fails("null request", "request is a null pointer", [&] {
    return ACIS_Idot(x, x, 3, MPI_DOUBLE, &result, ACIS_SUM_EXACT, MPI_COMM_WORLD, nullptr);
  });
}

struct Rows {
  int rows = 2;
  std::vector<int> begin = {0, 2, 3};
  std::vector<long long> columns = {0, 2, 1};
  std::vector<double> values = {1, 2, 3};
  MPI_Datatype type = MPI_DOUBLE;
  ACIS_Spmv_options options = {ACIS_ORDER_ROW, ACIS_FETCH_MESSAGES, 0};
};

int plan(const Rows &m, ACIS_Spmv *made) {
  return ACIS_Spmv_plan(m.rows, m.begin.data(), m.columns.data(), m.values.data(), m.type,
                        &m.options, MPI_COMM_WORLD, made);
}

/// The last rank has a wrong matrix; all ranks get the error.
void matrix(const char *name, const std::string &text, const std::function<void(Rows &)> &spoil) {
  Rows rows;
  if (rank == ranks - 1)
    spoil(rows);
  ACIS_Spmv made = nullptr;
  fails(name, text, [&] { return plan(rows, &made); });
  errors += made != nullptr;
}

void matrices() {
  const std::string at = "ACIS_Spmv_plan: rank " + std::to_string(ranks - 1) + ": ";
  matrix("unsorted", at + "row 0 has column 0 after 2", [](Rows &m) { m.columns = {2, 0, 1}; });
  matrix("twice", at + "row 0 has column 2 after 2", [](Rows &m) { m.columns = {2, 2, 1}; });
  matrix("beyond", at + "row 1 has column 100, allowed are 0 to " + std::to_string(2 * ranks - 1),
         [](Rows &m) { m.columns[2] = 100; });
  matrix("negative column", at + "row 0 has column -1", [](Rows &m) { m.columns[0] = -1; });
  matrix("rows backwards", at + "row 1 has its end 1 before its begin 2",
         [](Rows &m) { m.begin = {0, 2, 1}; });
  matrix("negative rows", at + "found -2 rows", [](Rows &m) { m.rows = -2; });
  matrix("begin", at + "row_begin begins with 1", [](Rows &m) { m.begin = {1, 2, 3}; });
  matrix("type", at + "found another type", [](Rows &m) { m.type = MPI_INT; });
  if (ranks > 1)
    matrix("type of one", "type or options differ", [](Rows &m) { m.type = MPI_FLOAT; });
  if (ranks > 1)
    matrix("options of one", "type or options differ",
           [](Rows &m) { m.options.order = ACIS_ORDER_SPLIT; });
  matrix("order", at + "found order 3", [](Rows &m) { m.options.order = ACIS_Order(3); });

  ACIS_Spmv made, freed;
  errors += plan(Rows(), &made) != MPI_SUCCESS;
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  fails("other communicator", "another communicator",
        [&] { return ACIS_Ispmv(made, x, y, other, &request); });
  fails("one array", "separate arrays",
        [&] { return ACIS_Ispmv(made, x, x + 1, MPI_COMM_WORLD, &request); });
  fails("null y", "separate arrays",
        [&] { return ACIS_Ispmv(made, x, nullptr, MPI_COMM_WORLD, &request); });
  errors += ACIS_Ispmv(made, x, y, MPI_COMM_WORLD, &request) != MPI_SUCCESS;
  fails("under way", "1 products are under way", [&] { return ACIS_Spmv_free(&made); });
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  errors += y[1] != 3 * x[1] && rank == 0;
  freed = made;
  errors += ACIS_Spmv_free(&made) != MPI_SUCCESS || made != nullptr;
  fails("freed null", "was freed", [&] { return ACIS_Spmv_free(&made); });
  fails("freed twice", "was freed", [&] { return ACIS_Spmv_free(&freed); });
  fails("used after", "was freed",
        [&] { return ACIS_Ispmv(freed, x, y, MPI_COMM_WORLD, &request); });
  MPI_Comm_free(&other);
}

void grids() {
  ACIS_Grid grid = {ranks, 1, 1}, wrong = {ranks, 2, 1}, none = {-1, -ranks, 1};
  MPI_Comm a, b, c, reversed;
  fails("grid", "for " + std::to_string(ranks) + " ranks",
        [&] { return ACIS_Gemm_comms(&wrong, MPI_COMM_WORLD, &a, &b, &c); });
  fails("negative grid", "found a grid of -1",
        [&] { return ACIS_Gemm_comms(&none, MPI_COMM_WORLD, &a, &b, &c); });
  errors += ACIS_Gemm_comms(&grid, MPI_COMM_WORLD, &a, &b, &c) != MPI_SUCCESS;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  ACIS_Gemm made = nullptr, freed;
  const auto plan = [&](long long m, long long k, MPI_Datatype type, int mode, int tk,
                        MPI_Comm along) {
    const ACIS_Gemm_schedule schedule = {tk, 0};
    return ACIS_Gemm_plan(m, 5, k, type, ACIS_Gemm_mode(mode), &schedule, a, along, c, &made);
  };
  const bool isLast = rank == ranks - 1;
  fails("negative k", "k -3", [&] { return plan(4, isLast ? -3 : 3, MPI_DOUBLE, 1, 0, b); });
  fails("type", "another type", [&] { return plan(4, 3, isLast ? MPI_INT : MPI_DOUBLE, 1, 0, b); });
  fails("mode", "found mode 3", [&] { return plan(4, 3, MPI_DOUBLE, isLast ? 3 : 2, 0, b); });
  fails("panel", "panels of -1", [&] { return plan(4, 3, MPI_DOUBLE, 2, isLast ? -1 : 1, b); });
  fails("null comm", "MPI_COMM_NULL", [&] { return plan(4, 3, MPI_DOUBLE, 2, 1, MPI_COMM_NULL); });
  if (ranks > 1) {
    fails("m of one", "differ between ranks of comm_B",
          [&] { return plan(isLast ? 40 : 4, 3, MPI_DOUBLE, 1, 0, b); });
    fails("mode of one", "differ between ranks of comm_B",
          [&] { return plan(4, 3, MPI_DOUBLE, isLast ? 1 : 2, 0, b); });
    // Who takes one communicator for the other waits for nobody for ever.
    fails("exchanged", "none of a grid", [&] {
      return ACIS_Gemm_plan(4, 5, 3, MPI_DOUBLE, ACIS_GEMM_SM, nullptr, isLast ? b : a,
                            isLast ? a : b, c, &made);
    });
    // All ranks in two dimensions: no grid has that.
    fails("no grid", "none of a grid", [&] {
      return ACIS_Gemm_plan(4, 5, 3, MPI_DOUBLE, ACIS_GEMM_LM, nullptr, MPI_COMM_WORLD, reversed, c,
                            &made);
    });
  }
  errors += made != nullptr;
  errors += plan(2 * ranks, 3, MPI_DOUBLE, ACIS_GEMM_SM, 0, b) != MPI_SUCCESS;
  double left[6] = {1, 2, 3, 4, 5, 6}, right[15] = {}, to[10];
  fails("leading dimension", "leading dimensions 2",
        [&] { return ACIS_Igemm(made, left, 2, right, 5, to, 5, &request); });
  fails("null C", "C at ",
        [&] { return ACIS_Igemm(made, left, 3, right, 5, nullptr, 5, &request); });
  fails("null plan", "no plan",
        [&] { return ACIS_Igemm(nullptr, left, 3, right, 5, to, 5, &request); });
  errors += ACIS_Igemm(made, left, 3, right, 5, to, 5, &request) != MPI_SUCCESS;
  fails("under way", "1 products are under way", [&] { return ACIS_Gemm_free(&made); });
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  freed = made;
  errors += ACIS_Gemm_free(&made) != MPI_SUCCESS;
  fails("freed twice", "was freed", [&] { return ACIS_Gemm_free(&freed); });
  for (MPI_Comm *comm : {&a, &b, &c, &reversed})
    MPI_Comm_free(comm);
}

/// Table 4.1: the grid for float with the memory that gives it (docs/kernels-distributed.md).
void rule() {
  const auto isGrid = [](int nodes, long long m, long long n, long long k, double memory, int pm,
                         int pn, int pk) {
    const ACIS_Grid grid = ACIS_Gemm_grid(nodes, m, n, k, 4, memory);
    if (grid.pm != pm || grid.pn != pn || grid.pk != pk) {
      errors++;
      std::printf("grid of %d: %d x %d x %d\n", nodes, grid.pm, grid.pn, grid.pk);
    }
  };
  const int square[][4] = {{1, 1, 1, 1},  {2, 2, 1, 1},  {4, 2, 2, 1},  {8, 4, 2, 1},
                           {16, 4, 4, 1}, {32, 4, 4, 2}, {64, 4, 4, 4}, {128, 4, 4, 8}};
  const int tall[][4] = {{1, 1, 1, 1},  {2, 2, 1, 1},  {4, 2, 2, 1},  {8, 4, 2, 1},
                         {16, 4, 4, 1}, {32, 8, 4, 1}, {64, 8, 4, 2}, {128, 8, 4, 4}};
  const double mib = 1 << 20;
  for (const auto &one : square)
    isGrid(one[0], 16384, 16384, 16384, 512 * mib, one[1], one[2], one[3]);
  for (const auto &one : tall) {
    isGrid(one[0], 1024, 1024, 131072, 192 * mib, one[1], one[2], one[3]);
    isGrid(one[0], 65536, 65536, 1024, 96 * mib, one[1], one[2], one[3]);
  }
  isGrid(6, 100, 100, 100, 0, 2, 3, 1);
  isGrid(7, 100, 100, 100, 1e9, 1, 1, 7);
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  dots();
  matrices();
  grids();
  rule();
  int all = 0;
  MPI_Reduce(&errors, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf(all ? "%d errors\n" : "No Errors\n", all);
  MPI_Errhandler_free(&handler);
  MPI_Finalize();
  return all != 0;
}
