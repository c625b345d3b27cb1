// The command of the MPI library's own launcher, and what it gives to the ranks.
#pragma once

#include "backend/support/Result.h"
#include "runtime/host/acis-mpirun/Children.h"
#include "runtime/host/acis-mpirun/Options.h"

#include <string>
#include <vector>

namespace acis::tools {

struct Launch {
  std::vector<std::string> command;
  Variables variables; ///< the launcher's environment, which it gives to the ranks
};

/// Of `variables`, and of what the options say beyond them. `mpi`: mpich or openmpi.
Result<Launch> makeLaunch(const MpirunOptions &options, const std::string &mpi,
                          Variables variables);

} // namespace acis::tools
