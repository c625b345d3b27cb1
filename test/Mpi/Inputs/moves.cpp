// Bcast, Gather, Allgather, Scatter, Alltoall and Barrier with every root, several counts
// and layouts: the same signature as other datatypes on different ranks, holes, parts out
// of order, in place.
// usage: moves [largest count]
#include "Check.h"

using namespace check;

namespace {

/// Ways to lay out `ints` ints; all have the same signature.
struct Layout {
  MPI_Datatype type;
  int count;
  size_t bytes; ///< of a buffer for one message
};

enum Way { Plain, Contiguous, Vector, Swapped, Resized, NumWays };

Layout layout(Way way, int ints) {
  MPI_Datatype type;
  size_t bytes = ints * sizeof(int);
  if (ints == 0) // both libraries hang where one rank has no items and one an empty item
    return {MPI_INT, 0, 0};
  switch (way) {
  case Contiguous: // the whole message is one item
    MPI_Type_contiguous(ints, MPI_INT, &type);
    MPI_Type_commit(&type);
    return {type, 1, bytes};
  case Vector: // every other int
    MPI_Type_vector(ints, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    return {type, 1, 2 * bytes};
  case Swapped: { // without holes, yet its ints are sent last first
    std::vector<int> ones(ints, 1), offsets(ints);
    for (int i = 0; i < ints; ++i)
      offsets[i] = ints - 1 - i;
    MPI_Type_indexed(ints, ones.data(), offsets.data(), MPI_INT, &type);
    MPI_Type_commit(&type);
    return {type, 1, bytes};
  }
  case Resized: // one int in 12 bytes
    MPI_Type_create_resized(MPI_INT, 0, 12, &type);
    MPI_Type_commit(&type);
    return {type, ints, 3 * bytes};
  default:
    return {MPI_INT, ints, bytes};
  }
}

void release(Layout &made) {
  if (made.type != MPI_INT)
    MPI_Type_free(&made.type);
}

void fill(Buffer &buffer, int rank) {
  Random random(rank + 77);
  for (size_t i = 0; i < buffer.size(); ++i)
    buffer.data()[i] = char(random.next() >> 8);
}

struct Args {
  const void *send;
  Layout *sendLayout;
  void *recv;
  Layout *recvLayout;
  int root;
  MPI_Comm comm;
};

enum Collective { Gather, Allgather, Scatter, Alltoall, NumCollectives };
const char *const names[] = {"Gather", "Allgather", "Scatter", "Alltoall"};

template <typename Blocking, typename NonBlocking>
void call(bool blocking, Blocking run, NonBlocking start) {
  if (blocking) {
    run();
    return;
  }
  MPI_Request request;
  start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

#define ARGS                                                                                       \
  a.send, a.sendLayout->count, a.sendLayout->type, a.recv, a.recvLayout->count, a.recvLayout->type

void ours(Collective collective, bool blocking, const Args &a) {
  switch (collective) {
  case Gather:
    return call(
        blocking, [&] { MPI_Gather(ARGS, a.root, a.comm); },
        [&](MPI_Request *r) { MPI_Igather(ARGS, a.root, a.comm, r); });
  case Allgather:
    return call(
        blocking, [&] { MPI_Allgather(ARGS, a.comm); },
        [&](MPI_Request *r) { MPI_Iallgather(ARGS, a.comm, r); });
  case Scatter:
    return call(
        blocking, [&] { MPI_Scatter(ARGS, a.root, a.comm); },
        [&](MPI_Request *r) { MPI_Iscatter(ARGS, a.root, a.comm, r); });
  default:
    return call(
        blocking, [&] { MPI_Alltoall(ARGS, a.comm); },
        [&](MPI_Request *r) { MPI_Ialltoall(ARGS, a.comm, r); });
  }
}

void theirs(Collective collective, const Args &a) {
  switch (collective) {
  case Gather:
    PMPI_Gather(ARGS, a.root, a.comm);
    return;
  case Allgather:
    PMPI_Allgather(ARGS, a.comm);
    return;
  case Scatter:
    PMPI_Scatter(ARGS, a.root, a.comm);
    return;
  default:
    PMPI_Alltoall(ARGS, a.comm);
  }
}

/// `sending` and `receiving` are this rank's ways; other ranks have others.
void testMove(Collective collective, int ints, Way sending, Way receiving, bool inPlace,
              bool blocking, int root, MPI_Comm comm) {
  int rank = rankOf(comm), size = sizeOf(comm);
  Layout send = layout(sending, ints), recv = layout(receiving, ints);
  // Blocks of a type with holes follow at its extent; enough room for any.
  size_t room = size * 3 * (ints + 1) * sizeof(int);
  Buffer input(room), result(room), expected(room);
  fill(input, rank);
  bool here = inPlace && ((collective != Gather && collective != Scatter) || rank == root);
  if (here && collective != Scatter) {
    fill(result, rank);
    fill(expected, rank);
  }
  Args a{input.data(), &send, result.data(), &recv, root, comm};
  if (here && collective == Scatter)
    a.recv = MPI_IN_PLACE;
  else if (here)
    a.send = MPI_IN_PLACE;
  // Arguments that mean nothing on this rank may be nonsense.
  Layout nothing{MPI_DATATYPE_NULL, -1, 0};
  if (rank != root && collective == Gather) {
    a.recv = nullptr;
    a.recvLayout = &nothing;
  }
  if (rank != root && collective == Scatter) {
    a.send = nullptr;
    a.sendLayout = &nothing;
  }
  ours(collective, blocking, a);
  if (a.recv == result.data())
    a.recv = expected.data();
  theirs(collective, a);
  same(result, expected,
       std::string(names[collective]) + " of " + std::to_string(ints) + " ints, layouts " +
           std::to_string(sending) + " and " + std::to_string(receiving) +
           (inPlace ? " in place" : "") + (blocking ? "" : " non-blocking") + " root " +
           std::to_string(root));
  release(send);
  release(recv);
}

void testBcast(int ints, Way way, bool blocking, int root, MPI_Comm comm) {
  int rank = rankOf(comm);
  Layout made = layout(way, ints);
  Buffer result(made.bytes), expected(made.bytes);
  if (rank == root) {
    fill(result, rank);
    fill(expected, rank);
  }
  call(
      blocking, [&] { MPI_Bcast(result.data(), made.count, made.type, root, comm); },
      [&](MPI_Request *r) { MPI_Ibcast(result.data(), made.count, made.type, root, comm, r); });
  PMPI_Bcast(expected.data(), made.count, made.type, root, comm);
  same(result, expected,
       "Bcast of " + std::to_string(ints) + " ints, layout " + std::to_string(way));
  release(made);
}

/// Nobody leaves before the last has come: a counter at rank 0 shows it.
void testBarrier(MPI_Comm comm) {
  MPI_Win window;
  int *arrived = nullptr;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &arrived, &window);
  *arrived = 0;
  PMPI_Barrier(comm);
  MPI_Win_lock_all(0, window);
  const int one = 1;
  int seen = 0;
  MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_flush_all(window);
  MPI_Barrier(comm);
  MPI_Fetch_and_op(nullptr, &seen, MPI_INT, 0, 0, MPI_NO_OP, window);
  MPI_Win_flush_all(window);
  require(seen == sizeOf(comm), "Barrier: left before all had come");
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int largest = argc > 1 ? std::atoi(argv[1]) : 900;
  MPI_Comm comm = MPI_COMM_WORLD;
  int rank = rankOf(comm), size = sizeOf(comm), number = 0;
  for (int ints : {0, 1, 6, largest})
    for (int way = 0; way < NumWays; ++way) {
      ++number;
      // Each rank another way: only signatures agree.
      Way mine = Way((way + rank) % NumWays), other = Way((way + 2 * rank + 1) % NumWays);
      for (int root = 0; root < size; ++root)
        testBcast(ints, mine, (number + root) % 2, root, comm);
      for (int collective = 0; collective < NumCollectives; ++collective)
        for (bool inPlace : {false, true})
          testMove(Collective(collective), ints, mine, other, inPlace, (number + collective) % 2,
                   (number + collective) % size, comm);
    }
  testBarrier(comm);
  return finish();
}
