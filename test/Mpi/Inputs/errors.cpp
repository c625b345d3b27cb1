// Calls Allreduce until it fails, and says with which error. Prints "survived" when none
// of `calls` fails.
// usage: errors <calls> [blocking | waiting | absent | killed] [rank that stops, at half]
// With `absent` that rank's process lives, yet never comes; with `killed` it is gone, which
// only launchers that are told so leave to the others.
#include "Check.h"

#include <chrono>
#include <csignal>
#include <unistd.h>

using namespace check;

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int calls = std::atoi(argv[1]), rank = rankOf(MPI_COMM_WORLD);
  bool waits = argc > 2 && std::string(argv[2]) == "waiting";
  int dies = argc > 3 ? std::atoi(argv[3]) : -1;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0) {
    std::printf("begun\n");
    std::fflush(stdout);
  }
  for (int i = 0; i < calls; ++i) {
    if (rank == dies && i == calls / 2 && std::string(argv[2]) == "absent")
      sleep(4);
    else if (rank == dies && i == calls / 2)
      std::raise(std::string(argv[2]) == "killed" ? SIGKILL : SIGSTOP);
    int sum = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    auto start = std::chrono::steady_clock::now();
    int code = waits ? MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request)
                     : MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (waits && code == MPI_SUCCESS)
      code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS)
      continue;
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0, errorClass = 0;
    MPI_Error_string(code, text, &length);
    MPI_Error_class(code, &errorClass);
    std::printf("rank %d: call %d failed in %s%s: %s\n", rank, i,
                seconds.count() < 8 ? "time" : "too long a time",
                errorClass == MPI_ERR_OTHER ? "" : ", in a class that programs do not know", text);
    std::fflush(stdout);
    // The program may still end in order, if all its processes live.
    if (dies >= 0) {
      sleep(1); // the others have something to say, too
      _exit(3);
    }
    MPI_Finalize();
    return 3;
  }
  std::printf("rank %d: survived\n", rank);
  MPI_Finalize();
  return 0;
}
