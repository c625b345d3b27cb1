// The command line of acis-mpirun.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace acis::tools {

struct MpirunOptions {
  unsigned ranks = 1;
  std::string mpi;                  ///< "mpich", "openmpi", or "": as the program is linked
  std::string switchAt;             ///< "host:port"; "": start one
  uint32_t job = 1;                 ///< at a switch that runs already
  std::string keyFile;              ///< of that job
  std::string topology;             ///< of all switches
  bool isRunning = false;           ///< they run already
  std::string host;                 ///< "node0:2,node1": where ranks run
  std::string hostFile;             ///< the same, a host a line
  std::string launcher = "mpiexec"; ///< or srun
  std::string remoteShell;          ///< in place of ssh
  std::string config;               ///< overlay for user-defined operators
  std::string why;                  ///< ACIS_WHY
  std::string timeout;              ///< ACIS_TIMEOUT
  std::string placement;            ///< ACIS_PLACEMENT
  std::string costs;                ///< ACIS_COSTS
  std::string algorithm;            ///< ACIS_ALGORITHM
  std::vector<std::string> operators, launcherArguments, switchArguments;
  bool device = false; ///< OpenCL buffers as arguments of MPI calls
  bool plain = false;  ///< without the switch and the library, to compare
  std::vector<std::string> command;
};

/// An exit code when there is nothing to run: help, version, an error (said on standard
/// error).
std::optional<int> parseOptions(int argc, char **argv, MpirunOptions &options);

} // namespace acis::tools
