// Non-blocking collectives whose blocks have lengths that only two ranks know: several at a time,
// short and long blocks mixed, in the order of the calls; types are freed before they are complete;
// and a rank that waits for a message of another, which that sends after its wait. With `mistake`
// one block is longer than its receiver has room for: that is said there, and nobody waits for
// ever. usage: pairs [mistake]
#include "Check.h"

#include <cstring>

using namespace check;

namespace {

/// Ints of a block from one rank to another in a call: short, long, or none.
int lengthOf(int call, int from, int to) {
  constexpr int lengths[] = {0, 3, 64, 65, 1000, 1, 5000};
  return lengths[(call * 3 + from * 5 + to) % 7];
}

struct Exchange {
  std::vector<int> sends, receives, sendPlaces, receivePlaces, give, take;
  MPI_Request request = MPI_REQUEST_NULL;

  Exchange(int call, int rank, int size) {
    for (int other = 0; other < size; ++other) {
      sends.push_back(lengthOf(call, rank, other));
      receives.push_back(lengthOf(call, other, rank));
      sendPlaces.push_back(int(give.size()));
      receivePlaces.push_back(int(take.size()));
      for (int i = 0; i < sends.back(); ++i)
        give.push_back(call * 1000000 + rank * 10000 + i);
      take.resize(take.size() + size_t(receives.back()), -1);
    }
  }
  void begin(MPI_Comm comm) {
    MPI_Datatype type;
    MPI_Type_contiguous(1, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Ialltoallv(give.data(), sends.data(), sendPlaces.data(), type, take.data(), receives.data(),
                   receivePlaces.data(), type, comm, &request);
    MPI_Type_free(&type);
  }
  void check(int call, int size) const {
    for (int from = 0; from < size; ++from)
      for (int i = 0; i < receives[size_t(from)]; ++i)
        require(take[size_t(receivePlaces[size_t(from)] + i)] == call * 1000000 + from * 10000 + i,
                "call " + std::to_string(call) + ", from " + std::to_string(from));
  }
};

void together(int rank, int size) {
  constexpr int calls = 20;
  std::vector<Exchange> all;
  for (int call = 0; call < calls; ++call)
    all.emplace_back(call, rank, size);
  std::vector<MPI_Request> requests;
  for (Exchange &one : all) {
    one.begin(MPI_COMM_WORLD);
    requests.push_back(one.request);
  }
  MPI_Waitall(calls, requests.data(), MPI_STATUSES_IGNORE);
  for (int call = 0; call < calls; ++call)
    all[size_t(call)].check(call, size);
}

/// The last rank receives what the first sends once its own part is complete.
void behind(int rank, int size) {
  for (int call : {0, 4, 6}) {
    Exchange one(call, rank, size);
    one.begin(MPI_COMM_WORLD);
    int token = -1;
    if (rank == size - 1)
      MPI_Recv(&token, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&one.request, MPI_STATUS_IGNORE);
    if (rank == 0)
      MPI_Send(&call, 1, MPI_INT, size - 1, 7, MPI_COMM_WORLD);
    require(rank != size - 1 || token == call, "a message behind a collective");
    one.check(call, size);
  }
}

/// Rank 1 gives rank 0 more than that has room for.
int mistake(int rank, int given, int room) {
  std::vector<int> give(size_t(given), rank), take(size_t(room) * 3, -1);
  const int rooms[] = {room, room, room}, places[] = {0, room, 2 * room};
  MPI_Request request;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Igatherv(give.data(), rank == 1 ? given : room, MPI_INT, take.data(), rooms, places, MPI_INT,
               0, MPI_COMM_WORLD, &request);
  return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int rank = rankOf(MPI_COMM_WORLD), size = sizeOf(MPI_COMM_WORLD);
  if (argc > 1 && std::strcmp(argv[1], "mistake") == 0) {
    std::vector<std::pair<int, int>> blocks = {{10, 5}, {5000, 5}, {10, 5}};
#ifndef OPEN_MPI // 4.1.4 crashes where a message is longer than its receive, in its own Igatherv,
                 // too
    blocks.emplace_back(5000, 1000);
#endif
    for (const auto &[given, room] : blocks)
      require((mistake(rank, given, room) != MPI_SUCCESS) == (rank == 0),
              "only the root has an error");
  } else {
    together(rank, size);
    behind(rank, size);
  }
  return finish();
}
