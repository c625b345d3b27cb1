// The file of what ranks compute, with the names of collectives that MPI programs end steps with.
#pragma once

#include "runtime/sim/platform/ComputeTimes.h"
#include "runtime/switch/wire/Types.h"

namespace acis::cluster {

/// Errors name the file first.
inline Result<ComputeTimes> readComputeTimes(const std::string &path) {
  std::vector<std::string> calls;
  for (unsigned kind = 0; kind < NumKinds; ++kind)
    calls.emplace_back(nameOf(Kind(kind)));
  return ComputeTimes::readFile(path, calls);
}

} // namespace acis::cluster
