// What functions of the C and C++ libraries do, as far as effects go.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace acis::rewriter {

enum class LibraryEffect : uint8_t {
  Unknown,
  Pure,   ///< a value from values: sqrt, std::min
  Memory, ///< reads and writes only what its arguments point to: memcpy
  Loop,   ///< the same with a loop over it: std::accumulate
  Alloc,
  Timer,
  Print,
  Io,
  Exit
};

/// By qualified name.
LibraryEffect libraryEffect(llvm::StringRef function);

} // namespace acis::rewriter
