// What handler form says of loops in which others were unrolled, and what it is told of them.
//
// Whether what is unrolled can be mapped is known later. A handler has an attribute with the places
// of loops in which something was unrolled, and may have one with those in which nothing is to be.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class Function;
class Loop;
} // namespace llvm

namespace acis {

/// Attributes of a handler: places of loops, "file:line:column", or HandlerPlace, one to a line.
inline constexpr llvm::StringLiteral UnrolledAttribute = "acis.unrolled";
inline constexpr llvm::StringLiteral RolledAttribute = "acis.rolled";
/// Of rolled ones those that could not run so: they are unrolled, and that is their only form.
inline constexpr llvm::StringLiteral UnrolledOnlyAttribute = "acis.unrolled-only";

/// Loops that take what they compute with from arrays, since they have too many arguments.
inline constexpr llvm::StringLiteral ArrayArgumentsAttribute = "acis.array-arguments";

/// What is around the loops that no other one is around.
inline constexpr llvm::StringLiteral HandlerPlace = "handler";

/// Where a loop is in the source.
std::string placeOf(const llvm::Loop &loop);

/// Whether an attribute of a handler has a place, and adding it.
bool hasPlace(const llvm::Function &handler, llvm::StringRef attribute, llvm::StringRef place);
/// Whether nothing is to be unrolled in the loop at a place.
bool staysRolled(const llvm::Function &handler, llvm::StringRef place);
void addPlace(llvm::Function &handler, llvm::StringRef attribute, llvm::StringRef place);

} // namespace acis
