// Control groups of MPI programs: the members of a communicator that the switch has.
#include "runtime/host/mpi/acis_mpi.h"

#include "runtime/host/control/Group.h"
#include "runtime/host/mpi/interpose/Communicator.h"
#include "runtime/host/mpi/interpose/Process.h"

using namespace acis;
using namespace acis::mpi;

namespace {

/// The communicator's number in the switch is that of its group, too.
Result<std::unique_ptr<acis_control>> openOn(MPI_Comm comm, const acis_control_policy *policy) {
  if (!process().attached || comm == MPI_COMM_NULL)
    return Error{"", "this program is not attached to a switch"};
  Communicator *record = setUpForSwitch(comm);
  if (!record || record->state != Reason::Offloaded)
    return Error{"", "the switch does not have this communicator: " +
                         std::string(wordsOf(record ? record->state : Reason::NotSetUp))};
  std::vector<uint32_t> ranks;
  for (int rank : ranksInWorld(comm, record->size))
    ranks.push_back(uint32_t(rank));
  return openGroup(*process().session, record->context, ranks, policy);
}

} // namespace

extern "C" acis_control *ACIS_Control_open(MPI_Comm comm, const acis_control_policy *policy,
                                           const char **error) {
  thread_local std::string text;
  Result<std::unique_ptr<acis_control>> group = openOn(comm, policy);
  if (!group) {
    text = group.error().str();
    if (error)
      *error = text.c_str();
    return nullptr;
  }
  (*group)->meanwhile = driveProgress;
  return group->release();
}
