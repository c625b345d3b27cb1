// Allgatherv, Gatherv, Scatterv, Alltoallv and Alltoallw: counts of many kinds (none at all, one
// rank only, random with zeros, one much longer), places in any order with gaps, in place, types
// with holes that differ between ranks, each root, blocking and not; on communicators in other
// orders of ranks, of one process, and between two groups. Each is compared with the MPI library.
// usage: varying [rounds [seed]]
#include "Check.h"

#include <algorithm>
#include <numeric>

using namespace check;

namespace {

/// Ways to lay out ints.
enum Way { Plain, Resized, Vector, NumWays };

struct Type {
  MPI_Datatype type = MPI_INT;
  int ints = 1;   ///< in an item
  int extent = 4; ///< bytes
};

std::vector<Type> makeTypes() {
  std::vector<Type> types(NumWays);
  MPI_Type_create_resized(MPI_INT, 0, 12, &types[Resized].type);
  types[Resized].extent = 12;
  MPI_Datatype open;
  MPI_Type_vector(2, 1, 2, MPI_INT, &open); // every other int
  MPI_Type_create_resized(open, 0, 16, &types[Vector].type);
  MPI_Type_free(&open);
  types[Vector].ints = 2;
  types[Vector].extent = 16;
  MPI_Type_commit(&types[Resized].type);
  MPI_Type_commit(&types[Vector].type);
  return types;
}

/// Blocks of one rank: counts and places in items of a type.
struct Side {
  Type type;
  std::vector<int> counts, places, bytePlaces;
  std::vector<MPI_Datatype> types;
  size_t bytes = 0;

  /// `ints`: of each block, all even. Places go through the blocks from a random one on, with gaps.
  Side(const Type &type, const std::vector<int> &ints, Random &random) : type(type) {
    const size_t n = ints.size();
    counts.resize(n);
    places.resize(n);
    const size_t first = size_t(random.below(int(n)));
    int at = 0;
    for (size_t i = 0; i < n; ++i) {
      const size_t b = (first + i) % n;
      counts[b] = ints[b] / type.ints;
      places[b] = at;
      at += counts[b] + random.below(3);
    }
    bytes = size_t(at) * size_t(type.extent);
    for (int place : places)
      bytePlaces.push_back(place * type.extent);
    types.assign(n, type.type);
  }
};

/// Counts of a case, in ints: what rank i has for rank j.
std::vector<int> pattern(int which, int size, Random &random) {
  std::vector<int> ints(size_t(size) * size_t(size), 0);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      int &n = ints[size_t(i * size + j)];
      switch (which) {
      case 0: // none at all
        break;
      case 1: // one pair only
        n = i == size - 1 && j == 0 ? 10 : 0;
        break;
      case 2: // all alike
        n = 6;
        break;
      case 3:
        n = random.below(4) == 0 ? 0 : random.below(40);
        break;
      case 4: // long, more or less alike
        n = 3000 + random.below(1000);
        break;
      case 5: // one is much longer
        n = i == 1 % size && j == 0 ? 20000 : random.below(8);
        break;
      }
      n = n / 2 * 2;
    }
  return ints;
}
constexpr int NumPatterns = 6;

void fill(Buffer &buffer, int seed) {
  Random random(seed + 1);
  for (size_t i = 0; i < buffer.size(); ++i)
    buffer.data()[i] = char(random.next() >> 8);
}

struct Case {
  MPI_Comm comm;
  int rank, size, root;
  bool inPlace, blocking;
  std::vector<Type> types;
  std::vector<int> ints; ///< as pattern()
  Random random, shared; ///< `shared`: alike on all members
  std::string name;

  std::vector<int> row() const {
    return {ints.begin() + rank * size, ints.begin() + (rank + 1) * size};
  }
  std::vector<int> column() const {
    std::vector<int> made;
    for (int r = 0; r < size; ++r)
      made.push_back(ints[size_t(r * size + rank)]);
    return made;
  }
  const Type &anyType() { return types[size_t(random.below(int(types.size())))]; }
};

/// Runs `ours(recv)` and `theirs(recv)`, each with a buffer of its own, and compares these.
template <typename Ours, typename Theirs>
void compare(Case &c, const std::string &what, size_t bytes, Ours ours, Theirs theirs) {
  Buffer mine(bytes), reference(bytes);
  fill(mine, c.rank);
  fill(reference, c.rank);
  MPI_Request request = MPI_REQUEST_NULL;
  ours(mine.data(), request);
  if (!c.blocking)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  theirs(reference.data());
  same(mine, reference, c.name + " " + what);
}

void allgatherv(Case c) {
  const std::vector<int> mine = c.row();
  std::vector<int> first; // what each rank gives
  for (int r = 0; r < c.size; ++r)
    first.push_back(c.ints[size_t(r * c.size)]);
#ifdef OPEN_MPI // 4.1.4 chooses an algorithm by the type's size and the counts, and hangs
  c.random = c.shared;
#endif
  const Type out = c.anyType();
  const Side recv(c.anyType(), first, c.random);
  Buffer send(size_t(first[size_t(c.rank)]) * size_t(out.extent));
  fill(send, c.rank + 100);
  const void *from = c.inPlace ? MPI_IN_PLACE : send.data();
  const int count = first[size_t(c.rank)] / out.ints;
  compare(
      c, "Allgatherv", recv.bytes,
      [&](char *at, MPI_Request &request) {
        if (c.blocking)
          MPI_Allgatherv(from, count, out.type, at, recv.counts.data(), recv.places.data(),
                         recv.type.type, c.comm);
        else
          MPI_Iallgatherv(from, count, out.type, at, recv.counts.data(), recv.places.data(),
                          recv.type.type, c.comm, &request);
      },
      [&](char *at) {
        PMPI_Allgatherv(from, count, out.type, at, recv.counts.data(), recv.places.data(),
                        recv.type.type, c.comm);
      });
}

void gatherv(Case c) {
  std::vector<int> first;
  for (int r = 0; r < c.size; ++r)
    first.push_back(c.ints[size_t(r * c.size)]);
  const bool isRoot = c.rank == c.root;
  const Type out = c.anyType();
  const Side recv(c.anyType(), first, c.random);
  Buffer send(size_t(first[size_t(c.rank)]) * size_t(out.extent));
  fill(send, c.rank + 100);
  const void *from = c.inPlace && isRoot ? MPI_IN_PLACE : send.data();
  const int count = first[size_t(c.rank)] / out.ints;
  // What means nothing is nothing.
  const int *counts = isRoot ? recv.counts.data() : nullptr,
            *places = isRoot ? recv.places.data() : nullptr;
  const MPI_Datatype type = isRoot ? recv.type.type : MPI_INT;
  compare(
      c, "Gatherv", recv.bytes,
      [&](char *at, MPI_Request &request) {
        if (c.blocking)
          MPI_Gatherv(from, count, out.type, at, counts, places, type, c.root, c.comm);
        else
          MPI_Igatherv(from, count, out.type, at, counts, places, type, c.root, c.comm, &request);
      },
      [&](char *at) {
        PMPI_Gatherv(from, count, out.type, at, counts, places, type, c.root, c.comm);
      });
}

void scatterv(Case c) {
  std::vector<int> first;
  for (int r = 0; r < c.size; ++r)
    first.push_back(c.ints[size_t(r * c.size)]);
  const bool isRoot = c.rank == c.root;
  const Side send(c.anyType(), first, c.random);
  const Type in = c.anyType();
  Buffer from(send.bytes);
  fill(from, c.rank + 100);
  const int *counts = isRoot ? send.counts.data() : nullptr,
            *places = isRoot ? send.places.data() : nullptr;
  const MPI_Datatype type = isRoot ? send.type.type : MPI_INT;
  const int count = first[size_t(c.rank)] / in.ints;
  auto to = [&](char *at) -> void * { return c.inPlace && isRoot ? MPI_IN_PLACE : (void *)at; };
  compare(
      c, "Scatterv", size_t(first[size_t(c.rank)]) * size_t(in.extent),
      [&](char *at, MPI_Request &request) {
        if (c.blocking)
          MPI_Scatterv(from.data(), counts, places, type, to(at), count, in.type, c.root, c.comm);
        else
          MPI_Iscatterv(from.data(), counts, places, type, to(at), count, in.type, c.root, c.comm,
                        &request);
      },
      [&](char *at) {
        PMPI_Scatterv(from.data(), counts, places, type, to(at), count, in.type, c.root, c.comm);
      });
}

void alltoallv(Case c) {
  // In place both sides have the same counts, so the pattern is made symmetric.
  if (c.inPlace)
    for (int i = 0; i < c.size; ++i)
      for (int j = 0; j < i; ++j)
        c.ints[size_t(i * c.size + j)] = c.ints[size_t(j * c.size + i)];
  const Side send(c.anyType(), c.row(), c.random), recv(c.anyType(), c.column(), c.random);
  Buffer given(send.bytes);
  fill(given, c.rank + 100);
  const void *from = c.inPlace ? MPI_IN_PLACE : given.data();
  compare(
      c, "Alltoallv", recv.bytes,
      [&](char *at, MPI_Request &request) {
        if (c.blocking)
          MPI_Alltoallv(from, send.counts.data(), send.places.data(), send.type.type, at,
                        recv.counts.data(), recv.places.data(), recv.type.type, c.comm);
        else
          MPI_Ialltoallv(from, send.counts.data(), send.places.data(), send.type.type, at,
                         recv.counts.data(), recv.places.data(), recv.type.type, c.comm, &request);
      },
      [&](char *at) {
        PMPI_Alltoallv(from, send.counts.data(), send.places.data(), send.type.type, at,
                       recv.counts.data(), recv.places.data(), recv.type.type, c.comm);
      });
  // Of each second block the type is another, of the same signature.
  std::vector<MPI_Datatype> sendTypes = send.types;
  std::vector<int> sendCounts = send.counts;
  for (size_t i = 1; i < sendTypes.size(); i += 2)
    if (send.type.type == MPI_INT) {
      sendTypes[i] = MPI_BYTE;
      sendCounts[i] *= 4;
    }
  compare(
      c, "Alltoallw", recv.bytes,
      [&](char *at, MPI_Request &request) {
        if (c.blocking)
          MPI_Alltoallw(from, sendCounts.data(), send.bytePlaces.data(), sendTypes.data(), at,
                        recv.counts.data(), recv.bytePlaces.data(), recv.types.data(), c.comm);
        else
          MPI_Ialltoallw(from, sendCounts.data(), send.bytePlaces.data(), sendTypes.data(), at,
                         recv.counts.data(), recv.bytePlaces.data(), recv.types.data(), c.comm,
                         &request);
      },
      [&](char *at) {
        PMPI_Alltoallw(from, sendCounts.data(), send.bytePlaces.data(), sendTypes.data(), at,
                       recv.counts.data(), recv.bytePlaces.data(), recv.types.data(), c.comm);
      });
}

void onComm(MPI_Comm comm, const char *name, const std::vector<Type> &types, int round) {
  for (int which = 0; which < NumPatterns; ++which)
    for (bool blocking : {true, false})
      for (bool inPlace : {false, true}) {
        Random shared(uint64_t(round * 100 + which));
        Case c = {comm,
                  rankOf(comm),
                  sizeOf(comm),
                  round % sizeOf(comm),
                  inPlace,
                  blocking,
                  types,
                  {},
                  shared,
                  shared,
                  ""};
        c.ints = pattern(which, c.size, shared);
        c.random = Random(uint64_t(round * 1000 + which * 10 + c.rank));
        c.name = std::string(name) + ", round " + std::to_string(round) + ", counts " +
                 std::to_string(which) + (inPlace ? ", in place" : "") +
                 (blocking ? "" : ", non-blocking");
        allgatherv(c);
        gatherv(c);
        scatterv(c);
        alltoallv(c);
      }
}

/// Between two groups: to the MPI library, and beside offloaded ones.
void between(MPI_Comm world) {
  const int rank = rankOf(world), half = sizeOf(world) / 2;
  MPI_Comm local, inter;
  MPI_Comm_split(world, rank < half, rank, &local);
  MPI_Intercomm_create(local, 0, world, rank < half ? half : 0, 1, &inter);
  int remote = 0, mine = rankOf(local) + 1;
  MPI_Comm_remote_size(inter, &remote);
  std::vector<int> counts(remote), places(remote);
  for (int r = 0; r < remote; ++r)
    counts[r] = r + 1;
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  std::vector<int> send(mine, rank), got(places.back() + counts.back(), -1), other = got;
  MPI_Allgatherv(send.data(), mine, MPI_INT, got.data(), counts.data(), places.data(), MPI_INT,
                 inter);
  PMPI_Allgatherv(send.data(), mine, MPI_INT, other.data(), counts.data(), places.data(), MPI_INT,
                  inter);
  require(got == other, "Allgatherv between groups");
  MPI_Comm_free(&inter);
  MPI_Comm_free(&local);
}

/// Counts that are much like each other in the sum, whatever they are: non-blocking ones, several
/// under way at a time, of one communicator, beside others.
void together(MPI_Comm comm) {
  const int rank = rankOf(comm), size = sizeOf(comm);
  std::vector<int> counts(size), places(size);
  for (int r = 0; r < size; ++r)
    counts[r] = 3 + r;
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  const int all = places.back() + counts.back();
  MPI_Request requests[8];
  std::vector<std::vector<int>> got(4, std::vector<int>(all, -1));
  std::vector<int> sums(4, 0), send(counts[rank], rank);
  for (int i = 0; i < 4; ++i) {
    MPI_Iallgatherv(send.data(), counts[rank], MPI_INT, got[i].data(), counts.data(), places.data(),
                    MPI_INT, comm, &requests[2 * i]);
    MPI_Iallreduce(&rank, &sums[i], 1, MPI_INT, MPI_SUM, comm, &requests[2 * i + 1]);
  }
  MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 4; ++i) {
    require(sums[i] == size * (size - 1) / 2, "sum beside Iallgatherv");
    for (int r = 0; r < size; ++r)
      for (int k = 0; k < counts[r]; ++k)
        require(got[i][places[r] + k] == r, "Iallgatherv beside a sum");
  }
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 3;
  const int first = argc > 2 ? std::atoi(argv[2]) : 0;
  std::vector<Type> types = makeTypes();
  const int rank = rankOf(MPI_COMM_WORLD), size = sizeOf(MPI_COMM_WORLD);
  MPI_Comm reversed, part;
  MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &reversed);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
  for (int round = first; round < first + rounds; ++round) {
    onComm(MPI_COMM_WORLD, "world", types, round);
    onComm(reversed, "reversed", types, round);
    onComm(part, "part", types, round);
    onComm(MPI_COMM_SELF, "self", types, round);
    together(reversed);
  }
  if (size > 1)
    between(MPI_COMM_WORLD);
  MPI_Comm_free(&reversed);
  MPI_Comm_free(&part);
  MPI_Type_free(&types[Resized].type);
  MPI_Type_free(&types[Vector].type);
  return finish();
}
