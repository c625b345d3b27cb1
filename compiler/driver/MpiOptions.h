// The command line of acisc --mpi as one struct.
#pragma once

#include "compiler/driver/Options.h"
#include "compiler/rewriter/Scope.h"

#include <string>
#include <vector>

namespace acis::driver {

struct MpiOptions {
  std::vector<std::string> files;
  std::vector<std::string> context; ///< files that are only looked into
  std::vector<std::string> flags;   ///< after --
  std::vector<std::string> localFunctions;
  std::vector<std::string> ownMpi; ///< functions called like MPI's in files that are not given
  std::string database, config, output, outputFolder, resourceDir;
  bool inPlace = false, dryRun = false, diff = false;
  rewriter::Scope scope = rewriter::Scope::Auto;
  bool force = false;
  bool report = false, remarks = true;
  std::string reportFile;
  unsigned ranks = 64;
  uint64_t maxArrayBytes = 16 * 1024;
};

/// Whether the command line asks for this at all.
bool isMpiCommand(int argc, const char *const *argv);

ParseResult parseMpiOptions(int argc, const char *const *argv, MpiOptions &options,
                            std::string &text);

} // namespace acis::driver
