// See Job.h.
#include "runtime/host/device/mpi/Job.h"

#include "runtime/host/device/mpi/Peer.h"

#include <sys/random.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>

namespace acis::device {

namespace {

std::atomic<Job *> current = nullptr;

struct Reasons {
  std::mutex mutex;
  std::map<std::string, uint64_t> counts;
};

Reasons &reasons() {
  static Reasons &instance = *new Reasons;
  return instance;
}

void findHosts(Job &made) {
  made.isHere.assign(size_t(made.ranks), 0);
  MPI_Comm here = MPI_COMM_NULL;
  PMPI_Comm_split_type(made.all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  int size = 0;
  PMPI_Comm_size(here, &size);
  std::vector<int> ranks(size_t(size), 0);
  PMPI_Allgather(&made.rank, 1, MPI_INT, ranks.data(), 1, MPI_INT, here);
  for (int rank : ranks)
    made.isHere[size_t(rank)] = 1;
  PMPI_Comm_free(&here);
}

/// One line of each rank, of what it sent.
void writeWhy(const Job &made) {
  std::ostringstream line;
  line << "device: rank " << made.rank << " sent";
  for (Way way : {Way::Whole, Way::Chunks, Way::Peer})
    line << ' ' << nameOf(way) << ' ' << made.sent[size_t(way)];
  std::lock_guard lock(reasons().mutex);
  for (const auto &[why, count] : reasons().counts)
    line << "; " << count << " times " << why;
  line << '\n';
  std::ofstream file(settings().why, std::ios::app);
  file << line.str();
}

} // namespace

Job *job() noexcept { return current.load(std::memory_order_acquire); }

void noteReason(const std::string &why) {
  if (settings().why.empty())
    return;
  std::lock_guard lock(reasons().mutex);
  ++reasons().counts[why];
}

void openJob() {
  Job *made = new Job;
  PMPI_Comm_dup(MPI_COMM_WORLD, &made->all);
  PMPI_Comm_dup(MPI_COMM_SELF, &made->own);
  for (MPI_Comm comm : {made->all, made->own})
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  PMPI_Comm_rank(made->all, &made->rank);
  PMPI_Comm_size(made->all, &made->ranks);
  if (made->rank == 0 &&
      getrandom(made->cookie.data(), sizeof made->cookie, 0) != ssize_t(sizeof made->cookie))
    made->cookie = {uint64_t(MPI_Wtime() * 1e9), reinterpret_cast<uintptr_t>(made)};
  PMPI_Bcast(made->cookie.data(), int(sizeof made->cookie), MPI_BYTE, 0, made->all);
  int *limit = nullptr, isSet = 0;
  PMPI_Comm_get_attr(made->all, MPI_TAG_UB, &limit, &isSet);
  if (isSet)
    made->numTags = *limit;
  findHosts(*made);
  current = made;
  openPeers();
}

void closeJob() {
  Job *made = job();
  if (!made)
    return;
  closePeers();
  current = nullptr;
  if (!settings().why.empty())
    writeWhy(*made);
  PMPI_Comm_free(&made->all);
  PMPI_Comm_free(&made->own);
  delete made;
}

std::optional<int> worldRank(MPI_Comm comm, int peer) {
  if (comm == MPI_COMM_WORLD)
    return peer;
  int isInter = 0, rank = MPI_UNDEFINED;
  MPI_Group group, world;
  PMPI_Comm_test_inter(comm, &isInter);
  if (isInter)
    PMPI_Comm_remote_group(comm, &group);
  else
    PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(job()->all, &world);
  PMPI_Group_translate_ranks(group, 1, &peer, world, &rank);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return rank == MPI_UNDEFINED ? std::nullopt : std::optional(rank);
}

} // namespace acis::device
