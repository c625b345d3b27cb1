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
  Random, ///< the next number of a generator of the library
  Alloc,
  Timer,
  Print,
  Io,
  Exit
};

/// Of a function that the C, POSIX or C++ library declares; Unknown for any other, whatever its
/// name. A program may have a `times` or `copy` of its own.
LibraryEffect libraryEffect(const clang::FunctionDecl *function);

/// Whether a function that is only declared looks like a clock: it is called like one
/// (timer_start, wtime, wallclock) and takes and returns nothing but numbers. That proves nothing:
/// what rests on it may be reported, not rewritten.
bool looksLikeClock(const clang::FunctionDecl *function);

/// A class of the C++ library that holds elements, or writes and reads text.
bool isContainer(clang::QualType type);
bool isStream(clang::QualType type);
/// A class of the C++ library that leads to elements of a container.
bool isIterator(clang::QualType type);

inline bool isOneOf(llvm::StringRef name, std::initializer_list<llvm::StringRef> names) {
  return llvm::is_contained(names, name);
}

} // namespace acis::rewriter
