// Supersteps: when each rank begins and ends its work between two collectives of MPI_COMM_WORLD.
// For acis-steps (docs/control.md).
#pragma once

#include "runtime/host/mpi/interpose/Call.h"

namespace acis::mpi {

/// While it lives the program is in a blocking collective: a superstep ends where it begins, the
/// next one begins where it ends.
class StepMark {
public:
  explicit StepMark(const Arguments &given);
  ~StepMark();
  StepMark(const StepMark &) = delete;
  /// What the call is counted with.
  void served(Reason as) { reason = as; }

private:
  const Arguments &call;
  Reason reason = Reason::NoSwitch;
  bool records = false;
};

/// At the end of MPI_Init, when settings are known.
void beginSteps();
/// Collective, before MPI goes down: rank 0 writes the file, if one is asked for.
void writeSteps();

} // namespace acis::mpi
