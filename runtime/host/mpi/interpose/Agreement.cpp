// See Agreement.h.
#include "runtime/host/mpi/interpose/Agreement.h"

#include "runtime/host/mpi/interpose/Flavour.h"
#include "runtime/host/mpi/interpose/GivingUp.h"
#include "runtime/host/mpi/interpose/Process.h"

#include <algorithm>
#include <sched.h>
#include <unistd.h>

namespace acis::mpi {
namespace {

/// So many looks at the message before others are let run between two, and so many of those
/// before a look at the switch, which knows of ranks that have died.
constexpr unsigned EagerLooks = 200, LooksPerStep = 64;
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
  // Nothing else of a communicator is the same for all members yet.
  const Said said = giveUpTogether(members, nameOf(members), {});
  std::vector<uint32_t> silent;
  for (uint32_t rank : members)
    if (!said.contains(rank))
      silent.push_back(rank);
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

} // namespace acis::mpi
