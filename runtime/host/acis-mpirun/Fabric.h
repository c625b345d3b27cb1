// The switches of one run: started here and ended with it, or running already.
#pragma once

#include "backend/support/Result.h"
#include "runtime/host/acis-mpirun/Children.h"
#include "runtime/host/acis-mpirun/Options.h"

#include <filesystem>
#include <vector>

namespace acis::tools {

struct Fabric {
  std::vector<Child> switches;
  std::filesystem::path folder; ///< holds the key of switches that were started
  Variables variables;          ///< where the switches are, job and key, for the ranks

  Fabric() = default;
  Fabric(const Fabric &) = delete;
  Fabric &operator=(const Fabric &) = delete;
  ~Fabric();
};

/// Starts what is to be started.
Status prepareFabric(const MpirunOptions &options, Fabric &fabric);

/// The folder of this program: acisd is beside it, the libraries in ../lib.
std::filesystem::path ownFolder();

} // namespace acis::tools
