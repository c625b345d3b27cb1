// What a blocking call takes: time, packets to and from the switch, and what its collectives would
// move among hosts. Costs nothing where nobody asks (ACIS_WHY). With several threads in calls the
// packets of one may count for another.
#pragma once

#include "runtime/host/mpi/Summary.h"
#include "runtime/host/mpi/interpose/Call.h"

#include <chrono>

namespace acis::mpi {

class Meter {
public:
  /// Starts now.
  Meter();

  /// Adds what `collective`, a part of the call, moves among hosts.
  void compare(const algorithms::Shape &collective, int rank, int size);

  /// The call, counted with `reason`, ends now; gives `code` back.
  int stop(const char *name, const void *site, Reason reason, int code = MPI_SUCCESS);

private:
  bool isOn;
  std::chrono::steady_clock::time_point start;
  SessionCounters before;
  algorithms::Volume plain;
};

} // namespace acis::mpi
