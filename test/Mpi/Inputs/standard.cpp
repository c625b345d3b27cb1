// What the MPI standard lets programs do with collectives and the other programs here do not:
// operators that do not commute on derived types, layouts with absolute addresses and negative
// bounds, counts of zero, operations that differ between ranks, requests and communicators in
// unusual orders, communicators made and freed thousands of times.
// usage: standard [communicators]
#include "Check.h"

#include <array>
#include <numeric>
#include <unistd.h>

using namespace check;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;

// Matrices of 2 x 2 modulo a prime: their product does not commute.
using Matrix = std::array<int, 4>;
constexpr int Prime = 10007;

Matrix product(const Matrix &a, const Matrix &b) {
  auto dot = [](int p, int q, int r, int s) {
    return int((int64_t(p) * q + int64_t(r) * s) % Prime);
  };
  return {dot(a[0], b[0], a[1], b[2]), dot(a[0], b[1], a[1], b[3]), dot(a[2], b[0], a[3], b[2]),
          dot(a[2], b[1], a[3], b[3])};
}

void multiply(void *in, void *inout, int *count, MPI_Datatype *) {
  auto *a = static_cast<Matrix *>(in), *b = static_cast<Matrix *>(inout);
  for (int i = 0; i < *count; ++i)
    b[i] = product(a[i], b[i]);
}

Matrix matrixOf(int rank, int item) { return {rank + 2, item + 1, rank % 3, item + rank + 1}; }

/// The product over ranks [0, last].
Matrix upTo(int last, int item) {
  Matrix all = matrixOf(0, item);
  for (int rank = 1; rank <= last; ++rank)
    all = product(all, matrixOf(rank, item));
  return all;
}

void thatDoesNotCommute(int items) {
  const int rank = rankOf(world), size = sizeOf(world), last = size - 1;
  MPI_Datatype type;
  MPI_Op op;
  MPI_Type_contiguous(4, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Op_create(multiply, 0, &op);
  std::vector<Matrix> mine(size_t(items) * size), out(size_t(items) * size);
  for (int i = 0; i < items * size; ++i)
    mine[i] = matrixOf(rank, i);
  auto check = [&](const char *what, int to, int first, int count) {
    for (int i = 0; i < count; ++i)
      require(out[i] == upTo(to, first + i), std::string(what) + " of matrices");
  };
  MPI_Allreduce(mine.data(), out.data(), items, type, op, world);
  check("Allreduce", last, 0, items);
  out = mine;
  MPI_Allreduce(MPI_IN_PLACE, out.data(), items, type, op, world);
  check("Allreduce in place", last, 0, items);
  MPI_Reduce(mine.data(), out.data(), items, type, op, last, world);
  if (rank == last)
    check("Reduce", last, 0, items);
  MPI_Scan(mine.data(), out.data(), items, type, op, world);
  check("Scan", rank, 0, items);
  MPI_Exscan(mine.data(), out.data(), items, type, op, world);
  if (rank > 0)
    check("Exscan", rank - 1, 0, items);
  MPI_Reduce_scatter_block(mine.data(), out.data(), items, type, op, world);
  check("Reduce_scatter_block", last, rank * items, items);
  // The operator and the type may go before the call is complete.
  MPI_Request request;
  MPI_Iallreduce(mine.data(), out.data(), items, type, op, world, &request);
  MPI_Op_free(&op);
  MPI_Type_free(&type);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check("Iallreduce", last, 0, items);
}

/// Absolute addresses, and items whose first byte lies before the buffer.
void unusualLayouts() {
  const int rank = rankOf(world), size = sizeOf(world);
  int one = rank == 0 ? 11 : -1;
  double two = rank == 0 ? 2.5 : -1;
  const int lengths[] = {1, 1};
  const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};
  MPI_Aint places[2];
  MPI_Get_address(&one, &places[0]);
  MPI_Get_address(&two, &places[1]);
  MPI_Datatype absolute;
  MPI_Type_create_struct(2, lengths, places, types, &absolute);
  MPI_Type_commit(&absolute);
  MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, world);
  require(one == 11 && two == 2.5, "Bcast of MPI_BOTTOM");
  MPI_Type_free(&absolute);

  // Backwards: item i lies i ints before the buffer.
  MPI_Datatype back;
  MPI_Type_vector(3, 1, -1, MPI_INT, &back);
  MPI_Type_commit(&back);
  std::vector<int> items(size_t(3) * size, -1), own = { rank * 3, rank * 3 + 1, rank * 3 + 2 };
  MPI_Allgather(own.data() + 2, 1, back, items.data(), 3, MPI_INT, world);
  for (int i = 0; i < 3 * size; ++i)
    require(items[i] == i / 3 * 3 + 2 - i % 3, "Allgather of a type that goes backwards");
  MPI_Type_free(&back);

  // A column of the result for each rank: an extent of one int.
  MPI_Datatype column, narrow;
  MPI_Type_vector(4, 1, size, MPI_INT, &column);
  MPI_Type_create_resized(column, 0, sizeof(int), &narrow);
  MPI_Type_commit(&narrow);
  std::vector<int> table(size_t(4) * size, -1), line = { rank, rank + 100, rank + 200, rank + 300 };
  MPI_Gather(line.data(), 4, MPI_INT, table.data(), 1, narrow, 0, world);
  for (int i = 0; rank == 0 && i < 4 * size; ++i)
    require(table[i] == i % size + i / size * 100, "Gather into columns");
  std::vector<int> again(4, -1);
  MPI_Scatter(table.data(), 1, narrow, again.data(), 4, MPI_INT, 0, world);
  require(again == line, "Scatter of columns");
  MPI_Type_free(&column);
  MPI_Type_free(&narrow);
}

void countsOfZero() {
  const int rank = rankOf(world), size = sizeOf(world);
  std::vector<int> counts(size), in(size_t(size) * size, 1), out(size, -7);
  for (int r = 0; r < size; ++r)
    counts[r] = r % 2 ? r : 0;
  MPI_Reduce_scatter(in.data(), out.data(), counts.data(), MPI_INT, MPI_SUM, world);
  for (int i = 0; i < size; ++i)
    require(out[i] == (i < counts[rank] ? size : -7), "Reduce_scatter with counts of zero");
  std::fill(counts.begin(), counts.end(), 0);
  MPI_Reduce_scatter(in.data(), out.data(), counts.data(), MPI_INT, MPI_SUM, world);
  MPI_Datatype nothing;
  MPI_Type_contiguous(0, MPI_INT, &nothing);
  MPI_Type_commit(&nothing);
  MPI_Bcast(in.data(), 5, nothing, 0, world);
  MPI_Allgather(in.data(), 2, nothing, out.data(), 2, nothing, world);
  MPI_Type_free(&nothing);
  int sum = 0; // all are still in step
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world);
  require(sum == size * (size - 1) / 2, "Allreduce after nothing");
}

/// MPI forbids it, but MPI libraries run programs that do it, as OSU's benchmarks of non-blocking
/// collectives are: the root gets a minimum where the others give to a maximum.
void operationsThatDiffer() {
  const int rank = rankOf(world), size = sizeOf(world);
  for (int root : {0, size - 1})
    for (bool blocking : {true, false}) {
      const MPI_Op op = rank == root ? MPI_MIN : MPI_MAX;
      const int mine[] = {rank, -rank};
      int out[] = {-99, 99};
      if (blocking) {
        MPI_Reduce(mine, out, 2, MPI_INT, op, root, world);
      } else {
        MPI_Request request;
        MPI_Ireduce(mine, out, 2, MPI_INT, op, root, world, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      }
      if (rank == root)
        require(out[0] >= 0 && out[0] < size && out[1] <= 0 && out[1] > -size,
                "Reduce with two operations gives what some rank gave");
    }
  int sum = 0; // all are still in step
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world);
  require(sum == size * (size - 1) / 2, "Allreduce after different operations");
}

void alone() {
  int in = 5, out = 0, flag = 0;
  MPI_Comm copy;
  MPI_Request request;
  for (MPI_Comm comm : {MPI_COMM_SELF, MPI_COMM_NULL}) {
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    const MPI_Comm use = comm == MPI_COMM_NULL ? copy : comm;
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, use);
    require(out == 5, "Allreduce alone");
    MPI_Iscan(&in, &out, 1, MPI_INT, MPI_SUM, use, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ibarrier(use, &request);
    while (!flag)
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
  }
}

int query(void *, MPI_Status *status) {
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
int release(void *) { return MPI_SUCCESS; }
int cancel(void *, int) { return MPI_SUCCESS; }

/// A generalized request of the program among ours; a status asked for before the wait.
void requestsOfAllSorts() {
  const int rank = rankOf(world), size = sizeOf(world);
  MPI_Request requests[3];
  MPI_Status statuses[3];
  int sum = 0, flag = 0, word = rank == 0 ? 3 : 0;
  MPI_Grequest_start(query, release, cancel, nullptr, &requests[0]);
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world, &requests[1]);
  MPI_Ibcast(&word, 1, MPI_INT, 0, world, &requests[2]);
  while (!flag)
    MPI_Request_get_status(requests[1], &flag, &statuses[1]);
  require(sum == size * (size - 1) / 2 && requests[1] != MPI_REQUEST_NULL, "Request_get_status");
  MPI_Testall(3, requests, &flag, statuses);
  require(!flag, "Testall before a generalized request is complete");
  MPI_Grequest_complete(requests[0]);
  MPI_Waitall(3, requests, statuses);
  require(word == 3 && requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL,
          "Waitall with a generalized request");
}

/// Calls under way on several communicators, which are left while they are.
void leftWhileUnderWay() {
  const int rank = rankOf(world), size = sizeOf(world);
  constexpr int N = 6;
  MPI_Comm comms[N];
  MPI_Request requests[N];
  int sums[N];
  for (int i = 0; i < N; ++i) {
    MPI_Comm_dup(i ? comms[i - 1] : world, &comms[i]);
    MPI_Iallreduce(&rank, &sums[i], 1, MPI_INT, MPI_SUM, comms[i], &requests[i]);
  }
  for (int i = 0; i < N; i += 2)
    MPI_Comm_free(&comms[i]);
  usleep(1000 * unsigned(rank));
  MPI_Waitall(N, requests, MPI_STATUSES_IGNORE);
  for (int i = 1; i < N; i += 2)
    MPI_Comm_disconnect(&comms[i]);
  for (int sum : sums)
    require(sum == size * (size - 1) / 2, "Iallreduce on a communicator that was left");
}

/// Exscan gives rank 0 nothing; a Reduce gives nothing to who is not the root.
void buffersThatStay() {
  const int rank = rankOf(world), size = sizeOf(world), root = size - 1;
  int in = rank, out = -9;
  MPI_Exscan(&in, &out, 1, MPI_INT, MPI_SUM, world);
  require(out == (rank ? rank * (rank - 1) / 2 : -9), "Exscan");
  out = -9;
  MPI_Reduce(&in, rank == root ? &out : nullptr, 1, MPI_INT, MPI_MAX, root, world);
  require(out == (rank == root ? root : -9), "Reduce");
  out = rank;
  MPI_Exscan(MPI_IN_PLACE, &out, 1, MPI_INT, MPI_SUM, world);
  require(rank == 0 || out == rank * (rank - 1) / 2, "Exscan in place");
}

/// Made, used once and freed; some kept for a while, so that numbers do not come back in order.
void communicatorsWithoutEnd(int count) {
  const int rank = rankOf(world);
  std::vector<MPI_Comm> kept;
  for (int i = 0; i < count; ++i) {
    MPI_Comm made;
    MPI_Comm_split(world, (rank + i) % 2, -rank, &made);
    int one = 1, sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, made);
    require(sum == sizeOf(made), "Allreduce on a short-lived communicator");
    if (i % 5 == 0)
      kept.push_back(made);
    else
      MPI_Comm_free(&made);
    if (kept.size() == 40) {
      for (MPI_Comm &comm : kept)
        MPI_Comm_free(&comm);
      kept.clear();
    }
  }
  for (MPI_Comm &comm : kept)
    MPI_Comm_free(&comm);
}

/// A barrier under way while ranks compute for different times and exchange messages.
void barrierBesideMessages() {
  const int rank = rankOf(world), size = sizeOf(world);
  MPI_Request requests[3];
  int in = -1, flag = 0;
  MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 4, world, &requests[0]);
  MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 4, world, &requests[1]);
  usleep(2000 * unsigned(rank));
  MPI_Ibarrier(world, &requests[2]);
  while (!flag)
    MPI_Test(&requests[2], &flag, MPI_STATUS_IGNORE);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  require(in == (rank + size - 1) % size, "message beside Ibarrier");
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  thatDoesNotCommute(1);
  thatDoesNotCommute(777);
  unusualLayouts();
  countsOfZero();
  operationsThatDiffer();
  alone();
  requestsOfAllSorts();
  leftWhileUnderWay();
  buffersThatStay();
  barrierBesideMessages();
  communicatorsWithoutEnd(argc > 1 ? std::atoi(argv[1]) : 1000);
  return finish();
}
