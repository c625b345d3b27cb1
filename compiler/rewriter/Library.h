// What functions and classes of the C and C++ libraries do, as far as effects go.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/STLExtras.h"
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

/// Whether a function that is only declared is held for a clock: it is called like one
/// (timer_start, wtime, wallclock) and takes and returns nothing but numbers.
bool isTimerByName(const clang::FunctionDecl *function);

/// A class of the C++ library that holds elements, or writes and reads text.
bool isContainer(clang::QualType type);
bool isStream(clang::QualType type);
/// A class of the C++ library that leads to elements of a container.
bool isIterator(clang::QualType type);

inline bool isOneOf(llvm::StringRef name, std::initializer_list<llvm::StringRef> names) {
  return llvm::is_contained(names, name);
}

} // namespace acis::rewriter
