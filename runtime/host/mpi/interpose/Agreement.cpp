// See Agreement.h.
#include "runtime/host/mpi/interpose/Agreement.h"

#include "runtime/host/mpi/interpose/Flavour.h"
#include "runtime/host/mpi/interpose/Process.h"

#include <algorithm>
#include <sched.h>
#include <unistd.h>

namespace acis::mpi {
namespace {

/// So many looks at the message before others are let run between two, and so many of those
/// before a look at the switch, which knows of ranks that have died.
constexpr unsigned EagerLooks = 200, LooksPerStep = 64;
/// How long who gives up listens to who else does: they began at about the same time.
constexpr auto Grace = std::chrono::milliseconds(500);

/// The processes of MPI_COMM_WORLD, with a context in which nothing else is sent.
MPI_Comm notices = MPI_COMM_NULL;

/// The same for all members of a communicator, as nothing else of it is yet.
uint64_t nameOf(const std::vector<uint32_t> &members) {
  uint64_t hash = 14695981039346656037u; // FNV-1a
  for (uint32_t rank : members)
    hash = (hash ^ rank) * 1099511628211u;
  return hash;
}

/// "rank 3 has", "ranks 1, 2 have", "8 ranks have"
std::string subject(const std::vector<uint32_t> &ranks) {
  if (ranks.size() == 1)
    return "rank " + std::to_string(ranks.front()) + " has";
  if (ranks.empty() || ranks.size() > 8)
    return (ranks.empty() ? "a rank has" : std::to_string(ranks.size()) + " ranks have");
  std::string text = "ranks ";
  for (size_t i = 0; i < ranks.size(); ++i)
    text += (i ? ", " : "") + std::to_string(ranks[i]);
  return text + " have";
}

/// Sends to a rank that does not come may never be complete: what they need lives on.
void sayToAll(const std::vector<uint32_t> &members, uint64_t name) {
  auto &said = *new uint64_t(name);
  for (uint32_t rank : members)
    if (int(rank) != process().rank) {
      MPI_Request request;
      PMPI_Isend(&said, 1, MPI_UINT64_T, int(rank), 0, notices, &request);
      PMPI_Request_free(&request);
    }
}

} // namespace

Status Agreement::complete(MPI_Request request) {
  for (unsigned looks = 0;; ++looks) {
    if (looks % LooksPerStep == 0)
      if (Status status = process().session->progress(); !status)
        return status;
    int done = 0;
    if (PMPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      return Error{"", "the members could not agree on an entry in the switch"};
    if (done)
      return {};
    if (looks < EagerLooks)
      continue;
    if (Clock::now() >= end)
      return givenUp();
    sched_yield();
  }
}

/// Those of whom nothing is heard have not come.
Error Agreement::givenUp() {
  const uint64_t name = nameOf(members);
  sayToAll(members, name);
  std::vector<uint32_t> silent;
  for (uint32_t rank : members)
    if (int(rank) != process().rank)
      silent.push_back(rank);
  for (const auto until = Clock::now() + Grace; Clock::now() < until; usleep(200)) {
    int here = 0;
    MPI_Status status;
    while (PMPI_Iprobe(MPI_ANY_SOURCE, 0, notices, &here, &status) == MPI_SUCCESS && here) {
      uint64_t heard = 0;
      PMPI_Recv(&heard, 1, MPI_UINT64_T, status.MPI_SOURCE, 0, notices, MPI_STATUS_IGNORE);
      if (heard == name)
        std::erase(silent, uint32_t(status.MPI_SOURCE));
    }
  }
  std::sort(silent.begin(), silent.end());
  return {"", subject(silent) + " not come within " + secondsText(process().settings.timeout) +
                  " (ACIS_TIMEOUT)"};
}

Result<uint64_t> Agreement::lowestHas(uint64_t number) {
  // Not on the stack: after a failure it is still being written to.
  auto value = std::make_unique<uint64_t>(number);
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Ibcast(value.get(), 1, MPI_UINT64_T, 0, comm, &request);
  if (Status done = complete(request); !done) {
    (void)value.release();
    return done.error();
  }
  return *value;
}

Result<bool> Agreement::everywhere(bool here) {
  auto values = std::make_unique<int[]>(2);
  values[0] = here;
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Iallreduce(&values[0], &values[1], 1, MPI_INT, MPI_LAND, comm, &request);
  if (Status done = complete(request); !done) {
    (void)values.release();
    return done.error();
  }
  return values[1] != 0;
}

void setUpAgreements() {
  // Not a duplicate, which would copy the program's attributes.
  PMPI_Comm_split(MPI_COMM_WORLD, 0, process().rank, &notices);
}

} // namespace acis::mpi
