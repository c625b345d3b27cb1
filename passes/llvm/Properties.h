// What can be said of a handler on its way to handler form. A step gives a property, which holds
// from then on; --verify-each checks all that hold behind each step.
#pragma once

#include "llvm/ADT/BitmaskEnum.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

#include <cstdint>
#include <string>

namespace acis {

LLVM_ENABLE_BITMASK_ENUMS_IN_NAMESPACE();

enum class Properties : uint8_t {
  None = 0,
  NoCalls = 1 << 0,            ///< but of intrinsics and of what the overlay implements
  NoExpectations = 1 << 1,     ///< of what a branch does
  PromotedScalars = 1 << 2,    ///< variables that SSA can hold are in it
  NoMemoryIntrinsics = 1 << 3, ///< memset, memcpy, memmove
  NoSwitches = 1 << 4,
  NoMarkers = 1 << 5,       ///< what only told passes something
  SimplifiedLoops = 1 << 6, ///< in LLVM's sense: preheader, one latch, exits of their own
  ClosedLoops = 1 << 7,     ///< LCSSA
  LLVM_MARK_AS_BITMASK_ENUM(ClosedLoops)
};

/// "no calls, promoted scalars"; empty for none.
std::string textOf(Properties properties);

/// Which of the properties does not hold, in the same words; empty if all do.
std::string firstBroken(Properties properties, llvm::Function &handler,
                        llvm::FunctionAnalysisManager &analyses);

} // namespace acis
