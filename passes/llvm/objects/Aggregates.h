// What Clang passes by value, as an array or a structure of numbers.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace acis {

/// Loads and stores of aggregates become those of their numbers, so that an object that is passed
/// by value is accessed by what it is made of. Whether the function was changed.
bool splitAggregates(llvm::Function &handler);

} // namespace acis
