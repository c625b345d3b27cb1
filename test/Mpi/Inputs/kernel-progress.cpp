// What distributed kernels promise of progress: a rank that is in another call of MPI does not keep
// the others from completing theirs, requests stand among others in one call, and threads have
// kernels of their own.
//
//   kernel-progress [small]     with `small` also GEMM in small-memory mode (Open MPI)
#include "runtime/host/kernels/acis_kernels.h"

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

int rank, ranks, errors = 0;

void require(bool good, const std::string &what) {
  if (!good && ++errors < 20)
    std::printf("rank %d: %s\n", rank, what.c_str());
}

/// A ring as a matrix: y[i] = x[i - 1] + 2 x[i] + x[i + 1], one row on each rank.
ACIS_Spmv ring(MPI_Comm comm) {
  std::vector<long long> columns = {(rank + ranks - 1) % ranks, rank, (rank + 1) % ranks};
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  const int begin[] = {0, int(columns.size())};
  std::vector<double> values;
  for (long long column : columns)
    values.push_back(column == rank ? 2 : 1);
  ACIS_Spmv plan = nullptr;
  require(ACIS_Spmv_plan(1, begin, columns.data(), values.data(), MPI_DOUBLE, nullptr, comm,
                         &plan) == MPI_SUCCESS,
          "ACIS_Spmv_plan");
  return plan;
}
double ringAt(double x) {
  double sum = 2 * (x + rank);
  const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
  if (left != rank)
    sum += x + left;
  if (right != rank && right != left)
    sum += x + right;
  return sum;
}

/// Rank 0 first hears from the last rank, which sends when its own kernel is complete.
void behind(const char *name, const std::function<void(MPI_Request *)> &start,
            const std::function<bool()> &isRight) {
  MPI_Request request;
  int token = 1;
  start(&request);
  if (rank == 0)
    MPI_Recv(&token, 1, MPI_INT, ranks - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  require(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS, name);
  if (rank == ranks - 1)
    MPI_Send(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  require(isRight(), name);
}

void inOtherCalls(bool isSmallToo) {
  double x = 10 + rank, y = 0, sum = 0;
  const double one = 1, all = 10 * ranks + ranks * (ranks - 1) / 2;
  for (ACIS_Sum order : {ACIS_SUM_EXACT, ACIS_SUM_MPI})
    behind(
        "ACIS_Idot",
        [&](MPI_Request *request) {
          ACIS_Idot(&x, &one, 1, MPI_DOUBLE, &sum, order, MPI_COMM_WORLD, request);
        },
        [&] { return sum == all; });
  ACIS_Spmv plan = ring(MPI_COMM_WORLD);
  behind(
      "ACIS_Ispmv",
      [&](MPI_Request *request) { ACIS_Ispmv(plan, &x, &y, MPI_COMM_WORLD, request); },
      [&] { return y == ringAt(10); });
  ACIS_Spmv_free(&plan);
  for (int mode = ACIS_GEMM_LM; mode <= (isSmallToo ? ACIS_GEMM_SM : ACIS_GEMM_LM); mode++) {
    const ACIS_Grid grid = mode == ACIS_GEMM_LM ? ACIS_Grid{1, 1, ranks} : ACIS_Grid{ranks, 1, 1};
    const int k = 64 * ranks;
    const ACIS_Gemm_schedule schedule = {8, 0};
    MPI_Comm a, b, c;
    ACIS_Gemm gemm;
    ACIS_Part pa, pb, pc;
    ACIS_Gemm_comms(&grid, MPI_COMM_WORLD, &a, &b, &c);
    ACIS_Gemm_plan(ranks, ranks, k, MPI_FLOAT, ACIS_Gemm_mode(mode), &schedule, a, b, c, &gemm);
    ACIS_Gemm_parts(gemm, &pa, &pb, &pc);
    const std::vector<float> left(size_t(pa.rows * pa.columns), 1),
        right(size_t(pb.rows * pb.columns), 2);
    std::vector<float> to(size_t(pc.rows * pc.columns));
    behind(
        "ACIS_Igemm",
        [&](MPI_Request *request) {
          ACIS_Igemm(gemm, left.data(), pa.columns, right.data(), pb.columns, to.data(), pc.columns,
                     request);
        },
        [&] { return std::count(to.begin(), to.end(), 2.0f * k) == long(to.size()); });
    ACIS_Gemm_free(&gemm);
    for (MPI_Comm *comm : {&a, &b, &c})
      MPI_Comm_free(comm);
  }
}

/// A kernel among messages and a collective of the program; a look that does not take it.
void amongOthers() {
  double x = 10 + rank, y = 0, sum = 0;
  const double one = 1;
  int got = -1, flag = 0;
  ACIS_Spmv plan = ring(MPI_COMM_WORLD);
  for (int i = 0; i < 20; i++) {
    MPI_Request requests[5];
    MPI_Irecv(&got, 1, MPI_INT, (rank + 1) % ranks, 3, MPI_COMM_WORLD, &requests[0]);
    ACIS_Ispmv(plan, &x, &y, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&rank, 1, MPI_INT, (rank + ranks - 1) % ranks, 3, MPI_COMM_WORLD, &requests[2]);
    ACIS_Idot(&x, &one, 1, MPI_DOUBLE, &sum, ACIS_SUM_EXACT, MPI_COMM_WORLD, &requests[3]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[4]);
    while (i % 2 && !flag)
      MPI_Request_get_status(requests[1], &flag, MPI_STATUS_IGNORE);
    MPI_Status statuses[5];
    require(MPI_Waitall(5, requests, statuses) == MPI_SUCCESS, "MPI_Waitall");
    require(y == ringAt(10) && got == (rank + 1) % ranks, "among others");
    y = flag = 0;
  }
  ACIS_Spmv_free(&plan);
}

void inThread(MPI_Comm comm, int number, bool &isRight) {
  ACIS_Spmv plan = ring(comm);
  for (int i = 0; i < 30; i++) {
    double x = 100 * number + i + rank, y = 0, sum = 0;
    const double one = 1;
    MPI_Request requests[2];
    ACIS_Ispmv(plan, &x, &y, comm, &requests[0]);
    ACIS_Idot(&x, &one, 1, MPI_DOUBLE, &sum, ACIS_SUM_EXACT, comm, &requests[1]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    isRight = isRight && y == ringAt(100 * number + i) &&
              sum == ranks * (100.0 * number + i) + ranks * (ranks - 1) / 2.0;
  }
  ACIS_Spmv_free(&plan);
}

void inThreads() {
  MPI_Comm comms[2];
  bool isRight[2] = {true, true};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; i++)
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  for (int i = 0; i < 2; i++)
    threads.emplace_back(inThread, comms[i], i, std::ref(isRight[i]));
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < 2; i++) {
    require(isRight[i], "in a thread");
    MPI_Comm_free(&comms[i]);
  }
}

} // namespace

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  inOtherCalls(argc > 1);
  amongOthers();
  if (provided == MPI_THREAD_MULTIPLE)
    inThreads();
  int all = 0;
  MPI_Reduce(&errors, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf(all ? "%d errors\n" : "No Errors\n", all);
  MPI_Finalize();
  return all != 0;
}
