// What --list-phases prints: the phases, and the steps and passes inside of them.
#pragma once

#include "compiler/driver/Options.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace acis::driver {

struct PhaseEntry {
  Phase phase;
  const char *name, *gives;
};
/// In the order in which they run.
llvm::ArrayRef<PhaseEntry> phases();

/// One line for each, those inside of a phase indented.
std::string phasesAsText();

/// The first part of docs/passes.md: what each is for, and why it stands where it does.
std::string phasesAsMarkdown();

} // namespace acis::driver
