// Ranks whose calls do not fit together: in the call named, rank 1 does another thing than the
// rest, and all make a barrier after it. Whoever notices gets an error, in one of the two calls,
// and what a call that succeeded gave is right. Each rank says what it was told; all end in order.
// usage: disagree count|root|operation|type|kind|order|bcast|missing|early [times]
#include "Check.h"

#include <chrono>
#include <functional>
#include <map>

using namespace check;

namespace {

int rank, size;
const MPI_Comm World = MPI_COMM_WORLD;

int allreduce(int count, MPI_Datatype type = MPI_INT, MPI_Op op = MPI_SUM) {
  int mine[4] = {rank, rank, rank, rank}, sum[4] = {-1, -1, -1, -1};
  const int code = MPI_Allreduce(mine, sum, count, type, op, World);
  if (code == MPI_SUCCESS)
    require(sum[0] == size * (size - 1) / 2, "a sum of calls that differ");
  return code;
}

int bcast(int root, int count = 1) {
  int items[2] = {-1, -1};
  if (rank == root)
    items[0] = items[1] = 100 + root;
  const int code = MPI_Bcast(items, count, MPI_INT, root, World);
  if (code == MPI_SUCCESS)
    require(items[0] == 100 + root, "what another root gave");
  return code;
}

/// Two that are under way, started in one order or the other.
int both(bool swapped) {
  static int mine = 1, sum = 0, item = rank; // a request that has failed may still use them
  MPI_Request requests[2];
  for (int i = 0; i < 2; ++i)
    if (const int code = (i == 0) != swapped ? MPI_Ibcast(&item, 1, MPI_INT, 0, World, &requests[i])
                                             : MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM,
                                                              World, &requests[i]);
        code != MPI_SUCCESS)
      return code;
  MPI_Status statuses[2];
  const int code = MPI_Waitall(2, requests, statuses);
  if (code != MPI_ERR_IN_STATUS)
    return code;
  return statuses[0].MPI_ERROR != MPI_SUCCESS ? statuses[0].MPI_ERROR : statuses[1].MPI_ERROR;
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  rank = rankOf(World), size = sizeOf(World);
  MPI_Comm_set_errhandler(World, MPI_ERRORS_RETURN);
  const bool odd = rank == 1;
  const std::map<std::string, std::function<int()>> calls = {
      {"count", [&] { return allreduce(odd ? 2 : 1); }},
      {"root", [&] { return bcast(odd ? 1 : 0); }},
      {"operation", [&] { return allreduce(1, MPI_INT, odd ? MPI_MAX : MPI_SUM); }},
      {"type", [&] { return allreduce(1, odd ? MPI_UNSIGNED : MPI_INT); }},
      {"kind", [&] { return odd ? bcast(0) : allreduce(1); }},
      {"order", [&] { return both(odd); }},
      {"bcast", [&] { return bcast(0, odd ? 2 : 1); }},
      {"missing", [&] { return odd ? int(MPI_SUCCESS) : allreduce(1); }},
      {"early", [&] { return odd ? int(MPI_SUCCESS) : allreduce(1); }},
  };
  const std::string what = argv[1];
  for (int i = argc > 2 ? std::atoi(argv[2]) : 0; i > 0; --i)
    require(allreduce(1) == MPI_SUCCESS && bcast(i % size) == MPI_SUCCESS, "calls that fit");
  const auto start = std::chrono::steady_clock::now();
  int code = calls.at(what)();
  if (code == MPI_SUCCESS && !(odd && what == "early"))
    code = MPI_Barrier(World);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  char text[MPI_MAX_ERROR_STRING] = "nothing";
  int length = 0;
  if (code != MPI_SUCCESS)
    MPI_Error_string(code, text, &length);
  std::printf("rank %d: told %s: %s\n", rank, seconds.count() < 8 ? "in time" : "late", text);
  std::fflush(stdout);
  MPI_Finalize();
  return errors != 0;
}
