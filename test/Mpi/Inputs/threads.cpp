// MPI_THREAD_MULTIPLE: threads that call collectives at once, each on its own communicator,
// blocking and not, beside messages between the same processes; and threads that make and
// free communicators while others compute.
// usage: threads [rounds]
#include "Check.h"

#include <mutex>
#include <thread>

using namespace check;

namespace {

std::mutex mutex;

void requireHere(bool good, const std::string &what) {
  std::lock_guard lock(mutex);
  require(good, what);
}

int sumOfRanks(MPI_Comm comm) { return sizeOf(comm) * (sizeOf(comm) - 1) / 2; }

void blocking(MPI_Comm comm, int rounds) {
  const int rank = rankOf(comm), size = sizeOf(comm);
  for (int i = 0; i < rounds; ++i) {
    int mine = rank + i, sum = 0, word = rank == i % size ? i : -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    requireHere(sum == sumOfRanks(comm) + size * i, "Allreduce of a thread");
    MPI_Bcast(&word, 1, MPI_INT, i % size, comm);
    requireHere(word == i, "Bcast of a thread");
  }
}

void nonBlocking(MPI_Comm comm, int rounds) {
  const int rank = rankOf(comm), size = sizeOf(comm);
  for (int i = 0; i < rounds; ++i) {
    int mine[3] = {rank, rank + i, 1}, sums[3] = {0, 0, 0};
    MPI_Request requests[3];
    for (int k = 0; k < 3; ++k)
      MPI_Iallreduce(&mine[k], &sums[k], 1, MPI_INT, MPI_SUM, comm, &requests[k]);
    if (i % 2) {
      MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    } else {
      for (int done = 0, index = 0; done < 3; ++done)
        MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
    }
    requireHere(sums[0] == sumOfRanks(comm) && sums[1] == sumOfRanks(comm) + size * i &&
                    sums[2] == size,
                "Iallreduce of a thread");
  }
}

void messages(MPI_Comm comm, int rounds) {
  const int rank = rankOf(comm), size = sizeOf(comm);
  for (int i = 0; i < rounds; ++i) {
    int in = -1;
    MPI_Sendrecv(&i, 1, MPI_INT, (rank + 1) % size, 1, &in, 1, MPI_INT, (rank + size - 1) % size, 1,
                 comm, MPI_STATUS_IGNORE);
    requireHere(in == i, "message of a thread");
  }
}

void making(MPI_Comm comm, int rounds) {
  for (int i = 0; i < rounds / 4 + 1; ++i) {
    MPI_Comm made;
    MPI_Comm_dup(comm, &made);
    int one = 1, sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, made);
    requireHere(sum == sizeOf(comm), "Allreduce on a thread's new communicator");
    MPI_Comm_free(&made);
  }
}

} // namespace

int main(int argc, char **argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 60;
  void (*const work[])(MPI_Comm, int) = {blocking, nonBlocking, messages, making, nonBlocking};
  constexpr int numThreads = 5;
  MPI_Comm comms[numThreads];
  for (MPI_Comm &comm : comms)
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (level == MPI_THREAD_MULTIPLE) {
    std::vector<std::thread> threads;
    for (int t = 0; t < numThreads; ++t)
      threads.emplace_back(work[t], comms[t], rounds);
    for (std::thread &thread : threads)
      thread.join();
  } else {
    for (int t = 0; t < numThreads; ++t)
      work[t](comms[t], rounds);
  }
  for (MPI_Comm &comm : comms)
    MPI_Comm_free(&comm);
  return finish();
}
