// Good binaries as a start for mutation, and the property that every mutant has to keep:
// it is refused, or both engines run it to the same end.
#pragma once

#include "runtime/engine/programs/TestElf.h"

#include <string>
#include <vector>

namespace acis::cts {

/// Binaries for testOverlay() that together use every kind of word.
std::vector<Bytes> seedImages();

struct MutantResult {
  bool loaded = false, trapped = false;
  std::string refusal;    ///< of the loader, or what the last trap was
  std::string difference; ///< between the engines, "" if there is none
};

/// Loads the bytes as a binary for testOverlay() and runs them on a few packets. With
/// `racesDiffer` engines may differ where a loop reads memory that it writes.
MutantResult runMutant(const Bytes &elf, bool racesDiffer = true);

} // namespace acis::cts
