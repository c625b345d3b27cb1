// When the control code of a handler runs its nests.
#pragma once

#include "passes/dfg/DfgDialect.h"

#include "llvm/ADT/StringMap.h"

#include <string>

namespace llvm {
class Function;
} // namespace llvm

namespace acis::dfg {

/// From the first to the last of some places in a function's order of execution.
struct Lifetime {
  unsigned first = 0, last = 0;

  void add(Lifetime other) {
    first = std::min(first, other.first);
    last = std::max(last, other.last);
  }
  bool overlaps(Lifetime other) const { return first <= other.last && other.first <= last; }
};

/// The function that the control code calls for a nest of the handler.
std::string calleeOf(HandlerOp handler, llvm::StringRef nest);

/// Of each called nest (by callee) where it may run. Everything in one loop of the control code is
/// at the same places.
llvm::StringMap<Lifetime> nestPlaces(const llvm::Function &control);

/// Of each array that is not kept between invocations, from the first nest that names it to the
/// last one; none of those that no nest names.
llvm::StringMap<Lifetime> arrayLifetimes(HandlerOp handler, const llvm::Function &control);

} // namespace acis::dfg
