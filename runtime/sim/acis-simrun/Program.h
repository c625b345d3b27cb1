// A program that was compiled for SMPI, as a file.
#pragma once

#include "backend/support/Result.h"

#include <string>

namespace acis::tools {

struct SimProgram {
  /// Names MPI's non-blocking collectives: its communicators are told to the switch when they are
  /// made, since nothing may wait for that later.
  bool namesNonBlocking = false;
};

/// Copies `path` to `copy`, with `library` in the place of SimGrid's library in what it needs: the
/// library comes first where names are looked up, and needs SimGrid itself. `library` may not have
/// the longer name; "": SimGrid's stays. Fails on what is no program for SMPI.
Result<SimProgram> copyProgram(const std::string &path, const std::string &copy,
                               const std::string &library);

} // namespace acis::tools
