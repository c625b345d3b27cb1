// The compiler as a library: a source, from a file or from memory, to a binary, with what there is
// to say about it as values. Prints nothing and ends no process; may be called by several threads
// at the same time.
#pragma once

#include "backend/overlay/Overlay.h"
#include "compiler/driver/Options.h"
#include "passes/llvm/Diagnostic.h"

#include <string>

namespace acis::driver {

struct Compilation {
  bool good = false;
  std::string binary;      ///< an ELF file, if it is good
  Diagnostics diagnostics; ///< errors, warnings, and with Options::remarks remarks
  std::string messages;    ///< the same, as acisc prints them
  std::string report;      ///< that of --report=json, if it is good
};

/// Of the options those count that say what is made and how; files are not written.
Compilation compile(Options options, const Overlay &overlay);

} // namespace acis::driver
