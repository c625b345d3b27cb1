// What a user tells acis-simrun.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace acis::tools {

struct SimrunOptions {
  uint32_t ranks = 1;
  std::string platform;
  bool plain = false;
  std::string algorithms = "default"; ///< of the MPI underneath
  std::string computation = "none";   ///< or measured
  double hostSpeed = 0;               ///< Gflop/s of this machine; 0: as the platform's hosts
  std::string why, json, timeout, faults, config;
  std::string compute, record, timeline; ///< files
  double computeScale = 1;
  std::optional<double> progress; ///< seconds; no value: if a terminal looks on
  std::vector<std::string> operators;
  uint64_t seed = 1;
  double limit = 1000;
  bool links = false;
  std::vector<std::string> smpiArguments;
  std::vector<std::string> command; ///< the program and its arguments
};

/// The exit code if the run ends here: after --help or a mistake, which has been said.
std::optional<int> parseOptions(int argc, char **argv, SimrunOptions &options);

} // namespace acis::tools
