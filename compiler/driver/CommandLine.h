// What the command lines of acisc and acisc --mpi have in common.
#pragma once

#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

#include <string>

namespace acis::driver {

struct CommandLine {
  llvm::opt::InputArgList args;
  std::string error; ///< the first mistake that does not depend on what options mean; or empty
};

/// `hint` ends the message about an argument that is like no option; it may be empty.
CommandLine readCommandLine(const llvm::opt::OptTable &table, llvm::ArrayRef<const char *> words,
                            unsigned unknownId, llvm::StringRef hint);

std::string helpText(const llvm::opt::OptTable &table, const char *usage, const char *title);

} // namespace acis::driver
