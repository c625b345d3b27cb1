// Calls Allreduce until it fails, and says with which error. Prints "survived" when none
// of `calls` fails.
// usage: errors <calls> [blocking | waiting | absent | killed] [rank that stops, at half]
// With `absent` that rank's process lives, yet never comes; with `killed` it is gone, which
// only launchers that are told so leave to the others.
#include "Check.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace check;

namespace {

/// Launchers end all ranks when one ends: until so many on this machine, all of one parent, have
/// said what they have to say. MPI cannot be asked.
void awaitOthers(int ranks) {
  const std::string name = "/acis-errors-" + std::to_string(getppid());
  const int file = shm_open(name.c_str(), O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, sizeof(int)) != 0)
    return;
  void *memory = mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED)
    return;
  auto *spoken = static_cast<std::atomic<int> *>(memory);
  for (int i = ++*spoken == ranks ? 0 : 300; i > 0 && *spoken < ranks; --i)
    usleep(100'000);
  shm_unlink(name.c_str());
  usleep(500'000); // the launcher passes on what it has got
}

} // namespace

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
      sleep(7); // longer than the others wait, even where they have no core
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
      awaitOthers(sizeOf(MPI_COMM_WORLD) - 1);
      _exit(3);
    }
    MPI_Finalize();
    // A launcher ends all when one fails: first the others' last words come through.
    if (rank == 0)
      usleep(500'000);
    return rank == 0 ? 3 : 0;
  }
  std::printf("rank %d: survived\n", rank);
  MPI_Finalize();
  return 0;
}
