// Runs the phases of Phases.def over one source file.
#pragma once

#include "compiler/driver/Options.h"

#include <string>
#include <utility>
#include <vector>

namespace acis::driver {

struct PhaseTime {
  Phase phase;
  double milliseconds;
};

struct PipelineResult {
  bool good = false;
  std::string output;   ///< what the last phase gives: text, or the bytes of the binary
  std::string messages; ///< errors, warnings and remarks, ready to print
  std::vector<PhaseTime> times;
};

PipelineResult runPipeline(const Options &options);

} // namespace acis::driver
