// Runs the phases of Phases.def over one source file.
#pragma once

#include "compiler/driver/Options.h"
#include "compiler/driver/Report.h"

#include <string>
#include <vector>

namespace acis::driver {

struct PipelineResult {
  bool good = false;
  std::string output;             ///< what the last phase gives: text, or the bytes of the binary
  std::vector<std::string> files; ///< that it was made from, for a makefile's rule
  std::string messages;           ///< errors, warnings and remarks, ready to print
  Diagnostics diagnostics;        ///< the same as values
  Report report;

  std::string firstError() const; ///< its words alone; empty without an error
};

/// For the overlay that the options name, or for one that is at hand.
PipelineResult runPipeline(const Options &options);
PipelineResult runPipeline(const Options &options, const Overlay &overlay);

} // namespace acis::driver
