// What can be said of a module of handlers on its way to mapped graphs. A step gives a property,
// which holds from then on; --verify-each checks what each step needs and all that holds behind it.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/BitmaskEnum.h"

#include <cstdint>
#include <memory>
#include <string>

namespace acis::dfg {

LLVM_ENABLE_BITMASK_ENUMS_IN_NAMESPACE();

enum class Properties : uint8_t {
  None = 0,
  OneHome = 1 << 0,      ///< a static array is in one place in all handlers
  PlacedArrays = 1 << 1, ///< each array has a home, or a part in each VPE
  FlatGraphs = 1 << 2,   ///< each nest is one graph, and no loop is left
  MappedGraphs = 1 << 3, ///< graphs have an interval, their nodes a place (but transfers to VPEs)
  LLVM_MARK_AS_BITMASK_ENUM(MappedGraphs)
};

/// "flat graphs, placed arrays"; empty for none.
std::string textOf(Properties properties);

/// Which of the properties does not hold, in the same words; empty if all do.
std::string firstBroken(Properties properties, mlir::ModuleOp module);

/// Fails with a fault where one of the properties does not hold. `where`: "behind dfg-lanes".
std::unique_ptr<mlir::Pass> createVerifyPropertiesPass(Properties properties, std::string where);

} // namespace acis::dfg
