// The command line of acis-mpirun.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace acis::tools {

struct MpirunOptions {
  unsigned ranks = 1;
  std::string mpi;          ///< "mpich", "openmpi", or "": as the program is linked
  std::string switchAt;     ///< "host:port"; "": start one
  std::string job, keyFile; ///< of a switch that runs already
  std::string topology;     ///< start all switches of this file
  std::string config;       ///< overlay for user-defined operators
  std::string why;          ///< ACIS_WHY
  std::string timeout;      ///< ACIS_TIMEOUT
  std::vector<std::string> operators, launcherArguments, switchArguments;
  bool plain = false; ///< without the switch and the library, to compare
  std::vector<std::string> command;
};

/// An exit code when there is nothing to run: help, version, an error (said on standard
/// error).
std::optional<int> parseOptions(int argc, char **argv, MpirunOptions &options);

} // namespace acis::tools
