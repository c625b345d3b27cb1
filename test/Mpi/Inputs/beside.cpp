// What programs call beside collectives that a switch does: persistent, neighbourhood, v and w
// collectives, one-sided communication, shared memory, error handlers. Everything is checked, and
// offloaded collectives run in between and are under way meanwhile.
#include "Check.h"

#include <algorithm>
#include <vector>

using Ints = std::vector<int>;

namespace {

int rank, size;

/// An offloaded collective, so that what stands beside it is beside something.
void between(MPI_Comm comm) {
  int me, n, sum = -1;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &n);
  MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
  check::require(sum == n * (n - 1) / 2, "allreduce between");
}

/// Item i of block `to` from `from`.
int item(int from, int to, int i) { return 10000 * from + 100 * to + i; }

/// Counts that differ between ranks: rank r gives r + 1 items.
struct Varying {
  Ints counts, displacements;
  int total = 0;
  Varying() {
    for (int r = 0; r < size; ++r) {
      counts.push_back(r + 1);
      displacements.push_back(total);
      total += r + 1;
    }
  }
};

/// Non-blocking collectives with counts for each rank, completed together with offloaded ones.
void varyingTogether() {
  const Varying v;
  const int root = size - 1;
  Ints own(size_t(rank) + 1), gathered(size_t(v.total), -1), atRoot(size_t(v.total), -1);
  for (int i = 0; i <= rank; ++i)
    own[size_t(i)] = item(rank, 0, i);
  Ints parts(size_t(v.total)), part(size_t(rank) + 1, -1);
  for (int r = 0; r < size; ++r)
    for (int i = 0; i <= r; ++i)
      parts[size_t(v.displacements[size_t(r)] + i)] = item(r, 1, i);
  Ints folded(size_t(rank) + 1, -1), ones(size_t(v.total), 1);
  int sum = -1;
  MPI_Request all[6];
  MPI_Iallgatherv(own.data(), rank + 1, MPI_INT, gathered.data(), v.counts.data(),
                  v.displacements.data(), MPI_INT, MPI_COMM_WORLD, &all[0]);
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &all[1]);
  MPI_Igatherv(own.data(), rank + 1, MPI_INT, atRoot.data(), v.counts.data(),
               v.displacements.data(), MPI_INT, root, MPI_COMM_WORLD, &all[2]);
  MPI_Iscatterv(parts.data(), v.counts.data(), v.displacements.data(), MPI_INT, part.data(),
                rank + 1, MPI_INT, root, MPI_COMM_WORLD, &all[3]);
  MPI_Ireduce_scatter(ones.data(), folded.data(), v.counts.data(), MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                      &all[4]);
  MPI_Ibarrier(MPI_COMM_WORLD, &all[5]);
  MPI_Waitall(6, all, MPI_STATUSES_IGNORE);
  check::require(sum == size * (size - 1) / 2, "iallreduce among v collectives");
  for (int r = 0; r < size; ++r)
    for (int i = 0; i <= r; ++i) {
      const auto at = size_t(v.displacements[size_t(r)] + i);
      check::require(gathered[at] == item(r, 0, i), "iallgatherv");
      check::require(rank != root || atRoot[at] == item(r, 0, i), "igatherv");
    }
  for (int i = 0; i <= rank; ++i) {
    check::require(part[size_t(i)] == item(rank, 1, i), "iscatterv");
    check::require(folded[size_t(i)] == size, "ireduce_scatter");
  }
}

/// Alltoallw and Ialltoallw with another type for every second rank.
void everyTypeToAll() {
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  Ints out(size_t(size) * 2), in(size_t(size) * 2, -1), again(in);
  Ints counts(size_t(size), 0), displacements(counts);
  std::vector<MPI_Datatype> types;
  for (int r = 0; r < size; ++r) {
    for (int i = 0; i < 2; ++i)
      out[size_t(2 * r + i)] = item(rank, r, i);
    const bool whole = (r + rank) % 2 == 0; // the same for both ends
    types.push_back(whole ? pair : MPI_INT);
    counts[size_t(r)] = whole ? 1 : 2;
    displacements[size_t(r)] = 2 * r * int(sizeof(int));
  }
  MPI_Alltoallw(out.data(), counts.data(), displacements.data(), types.data(), in.data(),
                counts.data(), displacements.data(), types.data(), MPI_COMM_WORLD);
  MPI_Request request;
  MPI_Ialltoallw(out.data(), counts.data(), displacements.data(), types.data(), again.data(),
                 counts.data(), displacements.data(), types.data(), MPI_COMM_WORLD, &request);
  between(MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int r = 0; r < size; ++r)
    for (int i = 0; i < 2; ++i)
      check::require(in[size_t(2 * r + i)] == item(r, rank, i) &&
                         again[size_t(2 * r + i)] == item(r, rank, i),
                     "alltoallw");
  MPI_Type_free(&pair);
}

/// A ring as a graph, on which collectives of both kinds run.
void neighbours() {
  const int from[] = {(rank + size - 1) % size}, to[] = {(rank + 1) % size};
  MPI_Comm ring;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, from, MPI_UNWEIGHTED, 1, to, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &ring);
  int got = -1, gotAll = -1, later = -1;
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, &got, 1, MPI_INT, ring);
  between(ring);
  MPI_Neighbor_alltoall(&rank, 1, MPI_INT, &gotAll, 1, MPI_INT, ring);
  MPI_Request request;
  MPI_Ineighbor_allgather(&rank, 1, MPI_INT, &later, 1, MPI_INT, ring, &request);
  between(ring);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check::require(got == from[0] && gotAll == from[0] && later == from[0],
                 "neighbourhood collectives");
  MPI_Comm_free(&ring);
}

/// Puts, gets, atomics, locks, and memory that the ranks share; fences are collectives of MPI's
/// own.
void oneSided() {
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  between(node);
  int *memory = nullptr;
  MPI_Win window;
  const auto bytes = MPI_Aint(size_t(size) * sizeof(int));
  MPI_Win_allocate(bytes, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  std::fill_n(memory, size, -1);
  MPI_Win_fence(0, window);
  for (int r = 0; r < size; ++r)
    MPI_Put(&rank, 1, MPI_INT, r, rank, 1, MPI_INT, window);
  between(MPI_COMM_WORLD);
  MPI_Win_fence(0, window);
  for (int r = 0; r < size; ++r)
    check::require(memory[r] == r, "put");
  between(MPI_COMM_WORLD);
  // Everybody counts at rank 0.
  MPI_Win_fence(0, window);
  if (rank == 0)
    memory[0] = 0;
  MPI_Win_fence(0, window);
  const int one = 1;
  int before = -1;
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
  MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_SUM, window);
  MPI_Win_flush(0, window);
  MPI_Win_unlock(0, window);
  check::require(before >= 0 && before < size, "fetch_and_op");
  int highest = -1;
  MPI_Allreduce(&before, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  check::require(highest == size - 1, "fetch_and_op: each its own number");
  MPI_Win_free(&window);
  int *mine = nullptr;
  MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, node, &mine, &window);
  MPI_Win_lock_all(0, window);
  *mine = rank;
  MPI_Win_sync(window);
  MPI_Barrier(node);
  MPI_Win_sync(window);
  int me, n, unit, *theirs = nullptr;
  MPI_Comm_rank(node, &me);
  MPI_Comm_size(node, &n);
  MPI_Aint length;
  MPI_Win_shared_query(window, (me + 1) % n, &length, &unit, &theirs);
  int expected = -1, world = rank;
  MPI_Sendrecv(&world, 1, MPI_INT, (me + n - 1) % n, 0, &expected, 1, MPI_INT, (me + 1) % n, 0,
               node, MPI_STATUS_IGNORE);
  check::require(*theirs == expected, "shared memory after a barrier");
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Comm_free(&node);
}

/// Wrong calls give their class on a communicator that returns errors, and it works afterwards.
void errorsReturned() {
  MPI_Comm mine;
  MPI_Comm_dup(MPI_COMM_WORLD, &mine);
  MPI_Comm_set_errhandler(mine, MPI_ERRORS_RETURN);
  int value = 1;
  auto classOf = [](int code) {
    int found = MPI_SUCCESS;
    MPI_Error_class(code, &found);
    return found;
  };
  for (int round = 0; round < 3; ++round) {
    check::require(classOf(MPI_Bcast(&value, -1, MPI_INT, 0, mine)) == MPI_ERR_COUNT,
                   "class of a count");
    check::require(classOf(MPI_Bcast(&value, 1, MPI_INT, size, mine)) == MPI_ERR_ROOT,
                   "class of a root");
    check::require(classOf(MPI_Bcast(&value, 1, MPI_DATATYPE_NULL, 0, mine)) == MPI_ERR_TYPE,
                   "of a type");
    between(mine);
  }
  MPI_Comm_free(&mine);
}

/// A time step of a simulation: messages under way during the reductions that choose the step.
void timeSteps() {
  const size_t items = 3000;
  std::vector<double> out(items), in(items, -1);
  double dt = 1;
  for (int step = 0; step < 50; ++step) {
    MPI_Request pair[2];
    MPI_Irecv(in.data(), int(items), MPI_DOUBLE, (rank + 1) % size, step, MPI_COMM_WORLD, &pair[0]);
    std::fill(out.begin(), out.end(), rank + step / 64.0);
    MPI_Isend(out.data(), int(items), MPI_DOUBLE, (rank + size - 1) % size, step, MPI_COMM_WORLD,
              &pair[1]);
    const double own = 1.0 / (1 + (rank + step) % size);
    const double start = MPI_Wtime();
    MPI_Allreduce(&own, &dt, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    check::require(MPI_Wtime() >= start, "time goes on");
    check::require(dt == 1.0 / size, "allreduce of the smallest step");
    MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
    check::require(in[0] == (rank + 1) % size + step / 64.0 && in[items - 1] == in[0], "halo");
  }
  double longest = -1;
  MPI_Reduce(&dt, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  check::require(rank != 0 || longest == dt, "reduce of the time");
}

/// As benchmarks validate: every size, types that reduce, and MPI_CHAR, on which it is MPI's
/// choice.
void validated() {
  for (int count = 1; count <= 1 << 15; count *= 8) {
    std::vector<float> some(size_t(count), 1.0F + float(rank)), sum(size_t(count), -1);
    MPI_Allreduce(some.data(), sum.data(), count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    check::require(std::all_of(sum.begin(), sum.end(),
                               [](float f) { return f == float(size * (size + 1)) / 2; }),
                   "allreduce of floats");
    std::vector<char> text(size_t(count), char(rank + 1)), most(size_t(count), 0);
    std::vector<char> parts(size_t(count) * size_t(size)), all(parts.size());
    MPI_Allreduce(text.data(), most.data(), count, MPI_SIGNED_CHAR, MPI_MAX, MPI_COMM_WORLD);
    check::require(std::all_of(most.begin(), most.end(), [](char c) { return c == size; }),
                   "of characters");
    for (int r = 0; r < size; ++r)
      std::fill_n(parts.begin() + r * count, count, char(16 * rank + r));
    MPI_Alltoall(parts.data(), count, MPI_CHAR, all.data(), count, MPI_CHAR, MPI_COMM_WORLD);
    for (int r = 0; r < size; ++r)
      check::require(all[size_t(r * count)] == char(16 * r + rank) &&
                         all[size_t((r + 1) * count - 1)] == char(16 * r + rank),
                     "alltoall of characters");
  }
}

#if MPI_VERSION >= 4
/// Persistent collectives, started again and again beside offloaded ones, in two orders. (Without
/// Allgather, which MPICH 4.0.2 starts once only.)
void persistent() {
  int sum = -1, told = -1;
  MPI_Request requests[3];
  MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Bcast_init(&told, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
  for (int round = 0; round < 20; ++round) {
    sum = -1;
    told = rank == 0 ? round : -1;
    MPI_Startall(3, requests);
    between(MPI_COMM_WORLD);
    int ours = -1;
    MPI_Request one;
    MPI_Iallreduce(&rank, &ours, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &one);
    if (round % 2) {
      MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
      MPI_Wait(&one, MPI_STATUS_IGNORE);
    } else {
      MPI_Request some[4] = {one, requests[0], requests[1], requests[2]};
      MPI_Waitall(4, some, MPI_STATUSES_IGNORE);
    }
    check::require(ours == size - 1, "iallreduce beside persistent ones");
    check::require(sum == size * (size - 1) / 2 && told == round, "persistent allreduce and bcast");
  }
  for (MPI_Request &request : requests)
    MPI_Request_free(&request);
  // Large counts, which have names of their own.
  MPI_Count count = 1;
  MPI_Allreduce_c(&rank, &sum, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  check::require(sum == size * (size - 1) / 2, "allreduce_c");
}
#else
void persistent() {}
#endif

} // namespace

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (auto part : {varyingTogether, everyTypeToAll, neighbours, oneSided, errorsReturned,
                    timeSteps, validated, persistent})
    part();
  return check::finish();
}
