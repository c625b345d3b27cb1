// How programs end, and what else they do with processes: MPI_Abort with collectives under way,
// no MPI_Finalize at all, one rank that leaves with a code of its own, children made by fork().
// The exit code must be that of the program without a switch, and nothing may hang.
#include "Check.h"

#include <sys/wait.h>
#include <unistd.h>

using namespace check;

namespace {

void sum(const char *when) {
  const int rank = rankOf(MPI_COMM_WORLD), size = sizeOf(MPI_COMM_WORLD);
  int all = -1;
  MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  require(all == size * (size - 1) / 2, std::string("Allreduce ") + when);
}

/// One that ends at once, one that runs destructors, one that becomes another program.
void children() {
  for (int how = 0; how < 3; ++how) {
    const pid_t child = fork();
    if (child == 0) {
      if (how == 0)
        _exit(7);
      if (how == 1)
        std::exit(7);
      execl("/bin/sh", "sh", "-c", "exit 7", nullptr);
      _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    require(WIFEXITED(status) && WEXITSTATUS(status) == 7,
            "a child of kind " + std::to_string(how));
    sum("after a child has ended");
  }
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const std::string mode = argc > 1 ? argv[1] : "";
  const int rank = rankOf(MPI_COMM_WORLD);
  sum("at first");
  if (mode == "abort") {
    int mine = rank, all = 0;
    MPI_Request request;
    MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    if (rank == 1)
      MPI_Abort(MPI_COMM_WORLD, 3);
    for (;;)
      MPI_Barrier(MPI_COMM_WORLD); // rank 1 never comes
  }
  if (mode == "leave") {
    if (rank == 1)
      std::exit(5);
    for (;;)
      MPI_Barrier(MPI_COMM_WORLD);
  }
  if (mode == "return")
    return errors != 0;
  children();
  return finish();
}
