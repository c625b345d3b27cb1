// Communicators that are not used, or are for the first time by a blocking collective. Nothing
// non-blocking is named here, so the library waits for that call.
// usage: first-use <how many are never used> [absent <rank> | left <rank> | killed <rank>]
// With `absent` that rank does not come to the first collective on a duplicate, though it lives;
// with `left` it is in MPI_Finalize by then; with `killed` it is gone, which only launchers that
// are told so leave to the others.
#include "Check.h"

#include <chrono>
#include <csignal>
#include <unistd.h>

using namespace check;

namespace {

void unused(int count) {
  std::vector<MPI_Comm> comms(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i)
    if (i % 2 == 0)
      MPI_Comm_dup(MPI_COMM_WORLD, &comms[size_t(i)]);
    else
      MPI_Comm_split(MPI_COMM_WORLD, 0, -rankOf(MPI_COMM_WORLD), &comms[size_t(i)]);
  for (MPI_Comm &comm : comms)
    MPI_Comm_free(&comm);
}

/// Each kind of first call: all ranks wait for each other, one gives only, one gets only.
void used(MPI_Comm comm, int first) {
  const int size = sizeOf(comm), last = size - 1;
  int rank = rankOf(comm), sum = -1, word = rank == last ? 4711 : 0;
  for (int call = first; call < first + 3; ++call)
    if (call % 3 == 0) {
      MPI_Bcast(&word, 1, MPI_INT, last, comm);
      require(word == 4711, "Bcast");
    } else if (call % 3 == 1) {
      MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, last, comm);
      require(rank != last || sum == size * last / 2, "Reduce");
    } else {
      MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
      require(sum == size * last / 2, "Allreduce");
    }
}

/// What the others hear of a rank that does not come.
int awaitAbsent(const std::string &how, int who) {
  const int rank = rankOf(MPI_COMM_WORLD);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (rank == who && how == "absent")
    sleep(7); // longer than the others wait, even where they have no core
  if (rank == who && how == "killed")
    std::raise(SIGKILL);
  if (rank != who) {
    const auto start = std::chrono::steady_clock::now();
    for (int call = 0; call < 2; ++call) { // the second one fails at once
      int sum = 0, length = 0;
      char text[MPI_MAX_ERROR_STRING] = "";
      const int code = MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      MPI_Error_string(code, text, &length);
      std::printf("rank %d: call %d %s in %s: %s\n", rank, call, code ? "failed" : "survived",
                  seconds.count() < 6 ? "time" : "too long a time", text);
    }
    std::fflush(stdout);
    sleep(5); // launchers end all ranks when one ends
    _exit(3);
  }
  MPI_Finalize();
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  unused(std::atoi(argv[1]));
  if (argc > 3)
    return awaitAbsent(argv[2], std::atoi(argv[3]));
  for (int first = 0; first < 3; ++first) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    used(comm, first);
    MPI_Comm_free(&comm);
  }
  return finish();
}
