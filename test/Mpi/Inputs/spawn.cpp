// Processes that are spawned have a world of their own, which the switch does not know: every
// communicator with them, and their own, is left to the MPI underneath, without a message of
// ours that they would not expect.
#include "Check.h"

using namespace check;

namespace {

void sum(MPI_Comm comm, int expected, const char *what) {
  int one = 1, all = 0;
  MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, comm);
  require(all == expected, std::string(what) + ": " + std::to_string(all));
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm parent, between;
  MPI_Comm_get_parent(&parent);
  const bool isChild = parent != MPI_COMM_NULL;
  if (isChild)
    between = parent;
  else
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between,
                   MPI_ERRCODES_IGNORE);
  int others = 0;
  MPI_Comm_remote_size(between, &others);
  sum(between, others, "across");

  MPI_Comm merged, copy, half;
  MPI_Intercomm_merge(between, isChild, &merged);
  const int total = sizeOf(merged);
  sum(merged, total, "merged");
  MPI_Comm_dup(merged, &copy);
  sum(copy, total, "duplicate");
  MPI_Comm_split(copy, rankOf(copy) % 2, 0, &half);
  sum(half, sizeOf(half), "half");
  sum(MPI_COMM_WORLD, sizeOf(MPI_COMM_WORLD), "world");
  for (MPI_Comm *each : {&merged, &copy, &half})
    MPI_Comm_free(each);
  MPI_Comm_disconnect(&between);
  if (isChild) {
    MPI_Finalize();
    return errors != 0;
  }
  return finish();
}
