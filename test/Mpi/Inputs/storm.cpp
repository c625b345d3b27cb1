// Twenty non-blocking calls of random kind under way at any time on four communicators, beside
// messages; what completes next is left to a random completion call, on every rank another one.
// Operators, datatypes and, at the end, communicators are freed while calls with them are under
// way. Each result is compared with what the ranks' numbers say it must be. usage: storm <calls>
// [seed]
#include "Check.h"

#include <memory>
#include <unistd.h>

using namespace check;

namespace {

constexpr int Window = 20, Count = 10, Untouched = -77;

enum Kind {
  Bcast,
  Barrier,
  Reduce,
  ReduceUser,
  Allreduce,
  Gather,
  GatherDup,
  Gatherv,
  Scatter,
  Allgather,
  Allgatherv,
  Alltoall,
  Alltoallv,
  ReduceScatter,
  ReduceScatterBlock,
  Scan,
  Exscan,
  Message,
  NumKinds
};

/// What rank `rank` sends as item `i` of call `salt`.
int item(int rank, int i, int salt) { return rank * 1000 + i + salt; }

/// The sum of that over the ranks [0, ranks).
int sumOver(int ranks, int i, int salt) {
  return 1000 * (ranks * (ranks - 1) / 2) + ranks * (i + salt);
}

void add(void *in, void *inout, int *count, MPI_Datatype *) {
  for (int i = 0; i < *count; ++i)
    static_cast<int *>(inout)[i] += static_cast<int *>(in)[i];
}

/// A call with its buffers, from its start until its result was checked.
class Call {
public:
  Call(Kind kind, MPI_Comm comm, int root, int salt)
      : kind(kind), root(root), salt(salt), rank(rankOf(comm)), size(sizeOf(comm)),
        send(Count * size), received(Count * size, Untouched), counts(size, Count), places(size) {
    for (int i = 0; i < Count * size; ++i)
      send[i] = item(rank, i, salt);
    for (int r = 0; r < size; ++r)
      places[r] = Count * r;
    if (kind == Bcast && rank == root)
      received = send;
    start(comm);
  }

  void check() {
    for (int i = 0; i < Count * size; ++i)
      require(received[i] == expected(i),
              "call " + std::to_string(kind) + ": item " + std::to_string(i) + " is " +
                  std::to_string(received[i]) + ", not " + std::to_string(expected(i)));
  }

  MPI_Request request = MPI_REQUEST_NULL;

private:
  void start(MPI_Comm comm);
  void startUser(MPI_Comm comm);
  void startMessage(MPI_Comm comm);
  int expected(int i) const;

  Kind kind;
  int root, salt, rank, size;
  std::vector<int> send, received, counts, places;
};

void Call::startUser(MPI_Comm comm) {
  if (kind == ReduceUser) {
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
    MPI_Ireduce(send.data(), received.data(), Count, MPI_INT, op, root, comm, &request);
    MPI_Op_free(&op);
    return;
  }
  MPI_Datatype type;
  MPI_Type_dup(MPI_INT, &type);
  MPI_Igather(send.data(), Count, MPI_INT, received.data(), Count, type, root, comm, &request);
  MPI_Type_free(&type);
}

/// Even ranks send to the odd one above them.
void Call::startMessage(MPI_Comm comm) {
  if (rank % 2 == 1)
    MPI_Irecv(received.data(), Count, MPI_INT, rank - 1, 5, comm, &request);
  else if (rank + 1 < size)
    MPI_Isend(send.data(), Count, MPI_INT, rank + 1, 5, comm, &request);
}

void Call::start(MPI_Comm comm) {
  int *in = send.data(), *out = received.data(), *n = counts.data(), *at = places.data();
  const MPI_Datatype t = MPI_INT;
  switch (kind) {
  case Bcast:
    MPI_Ibcast(out, Count, t, root, comm, &request);
    return;
  case Barrier:
    MPI_Ibarrier(comm, &request);
    return;
  case Reduce:
    MPI_Ireduce(in, out, Count, t, MPI_SUM, root, comm, &request);
    return;
  case Allreduce:
    MPI_Iallreduce(in, out, Count, t, MPI_SUM, comm, &request);
    return;
  case Gather:
    MPI_Igather(in, Count, t, out, Count, t, root, comm, &request);
    return;
  case Gatherv:
    MPI_Igatherv(in, Count, t, out, n, at, t, root, comm, &request);
    return;
  case Scatter:
    MPI_Iscatter(in, Count, t, out, Count, t, root, comm, &request);
    return;
  case Allgather:
    MPI_Iallgather(in, Count, t, out, Count, t, comm, &request);
    return;
  case Allgatherv:
    MPI_Iallgatherv(in, Count, t, out, n, at, t, comm, &request);
    return;
  case Alltoall:
    MPI_Ialltoall(in, Count, t, out, Count, t, comm, &request);
    return;
  case Alltoallv:
    MPI_Ialltoallv(in, n, at, t, out, n, at, t, comm, &request);
    return;
  case ReduceScatter:
    MPI_Ireduce_scatter(in, out, n, t, MPI_SUM, comm, &request);
    return;
  case ReduceScatterBlock:
    MPI_Ireduce_scatter_block(in, out, Count, t, MPI_SUM, comm, &request);
    return;
  case Scan:
    MPI_Iscan(in, out, Count, t, MPI_SUM, comm, &request);
    return;
  case Exscan:
    MPI_Iexscan(in, out, Count, t, MPI_SUM, comm, &request);
    return;
  case Message:
    startMessage(comm);
    return;
  default:
    startUser(comm);
  }
}

int Call::expected(int i) const {
  const int from = i / Count, at = i % Count;
  const bool first = i < Count, mine = rank == root;
  switch (kind) {
  case Bcast:
    return first ? item(root, i, salt) : mine ? send[i] : Untouched;
  case Reduce:
  case ReduceUser:
    return first && mine ? sumOver(size, i, salt) : Untouched;
  case Allreduce:
    return first ? sumOver(size, i, salt) : Untouched;
  case Gather:
  case GatherDup:
  case Gatherv:
    return mine ? item(from, at, salt) : Untouched;
  case Scatter:
    return first ? item(root, Count * rank + i, salt) : Untouched;
  case Allgather:
  case Allgatherv:
    return item(from, at, salt);
  case Alltoall:
  case Alltoallv:
    return item(from, Count * rank + at, salt);
  case ReduceScatter:
  case ReduceScatterBlock:
    return first ? sumOver(size, Count * rank + i, salt) : Untouched;
  case Scan:
    return first ? sumOver(rank + 1, i, salt) : Untouched;
  case Exscan:
    return first && rank > 0 ? sumOver(rank, i, salt) : Untouched;
  case Message:
    return first && rank % 2 == 1 ? item(rank - 1, i, salt) : Untouched;
  default:
    return Untouched;
  }
}

/// Completes none, one or more of `requests`, which become null.
void completeSome(std::vector<MPI_Request> &requests, Random &random) {
  int n = int(requests.size()), index = random.below(n), flag = 0;
  std::vector<int> indices(n);
  switch (random.below(8)) {
  case 0:
    MPI_Wait(&requests[index], MPI_STATUS_IGNORE);
    return;
  case 1:
    MPI_Test(&requests[index], &flag, MPI_STATUS_IGNORE);
    return;
  case 2:
    MPI_Waitall(n, requests.data(), MPI_STATUSES_IGNORE);
    return;
  case 3:
    MPI_Testall(n, requests.data(), &flag, MPI_STATUSES_IGNORE);
    return;
  case 4:
    MPI_Waitany(n, requests.data(), &index, MPI_STATUS_IGNORE);
    return;
  case 5:
    MPI_Testany(n, requests.data(), &index, &flag, MPI_STATUS_IGNORE);
    return;
  case 6:
    MPI_Waitsome(n, requests.data(), &flag, indices.data(), MPI_STATUSES_IGNORE);
    return;
  default:
    MPI_Testsome(n, requests.data(), &flag, indices.data(), MPI_STATUSES_IGNORE);
    return;
  }
}

/// The calls under way. Ranks start the same ones in the same order; each completes as it likes.
class Calls {
public:
  explicit Calls(Random random) : random(random) {}

  bool full() const { return calls.size() == Window; }
  bool empty() const { return calls.empty(); }
  void add(std::unique_ptr<Call> call) { calls.push_back(std::move(call)); }

  /// Lets a random completion call complete what it likes, checks that and forgets it.
  void complete() {
    std::vector<MPI_Request> requests;
    for (const auto &call : calls)
      requests.push_back(call->request);
    completeSome(requests, random);
    std::vector<std::unique_ptr<Call>> left;
    for (size_t i = 0; i < calls.size(); ++i) {
      calls[i]->request = requests[i];
      if (requests[i] == MPI_REQUEST_NULL)
        calls[i]->check();
      else
        left.push_back(std::move(calls[i]));
    }
    calls = std::move(left);
  }

private:
  Random random;
  std::vector<std::unique_ptr<Call>> calls;
};

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int total = argc > 1 ? std::atoi(argv[1]) : 1000, seed = argc > 2 ? std::atoi(argv[2]) : 1;
  const int rank = rankOf(MPI_COMM_WORLD);
  Random shared(seed), own(seed + 1 + rank);
  std::vector<MPI_Comm> comms(4, MPI_COMM_WORLD);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[2]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[3]);

  Calls calls(own);
  for (int n = 0; n < total; ++n) {
    MPI_Comm comm = comms[shared.below(4)];
    Kind kind = Kind(shared.below(NumKinds));
    int root = shared.below(64) % sizeOf(comm);
    calls.add(std::make_unique<Call>(kind, comm, root, n));
    if (own.below(1000) == 0)
      usleep(20000); // one rank is late
    while (calls.full())
      calls.complete();
  }
#ifdef OPEN_MPI // 4.1 crashes, without us too, when a communicator of its own calls is freed
  while (!calls.empty())
    calls.complete();
#endif
  for (int i = 1; i < 4; ++i)
    MPI_Comm_free(&comms[i]);
  while (!calls.empty())
    calls.complete();
  return finish();
}
