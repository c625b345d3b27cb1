// From LLVM IR to the dfg dialect: every loop nest that touches a stream, the memory or
// an array becomes a dfg.nest, and a call of acis.nest.<handler>.<nest> in the function,
// which stays as the handler's control code.
//
// Takes handlers in the form that passes/llvm leaves: rotated loops in simplified and
// closed form, arrays and scalars apart. Handlers are the functions with the attribute
// "acis.handler"; helpers have been inlined.
#pragma once

#include "passes/cost/CostModel.h"
#include "passes/llvm/Diagnostic.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <optional>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace acis::import {

/// The ways to run a loop as a nest, those with the lowest bounds first;
/// docs/rationale/front-end.md has what each is. A loop that is in none of them launches the loops
/// in it, or is the scalar unit's.
enum class Way { Lanes, Counted, Unrolled, Flattened };
/// Those of a loop that the array has refused, and why.
using ClosedWays = std::map<Way, Diagnostic>;
/// A loop by the name of its handler and its number in it.
using LoopOf = std::pair<std::string, unsigned>;

/// What a nest was made of.
struct Taken {
  std::optional<LoopOf> loop; ///< none: one that copies rows, or a step of the control code
  Way way = Way::Lanes;
  /// Where handler form has unrolled loops in it (of a step: around it) that may stay; else empty.
  std::string unrolledAt;
};

/// By the names of handler and nest.
using TakenWays = std::map<std::pair<std::string, std::string>, Taken>;

struct ImportOptions {
  explicit ImportOptions(const Overlay &overlay) : cost(overlay) {}

  CostModel cost;
  bool doubleBuffer = true;
  bool scalarLoops = false; ///< what the array cannot run is left to the scalar unit
  std::map<LoopOf, ClosedWays> closed;
};

struct Imported {
  mlir::OwningOpRef<mlir::ModuleOp> dfg; ///< null if there were errors
  Diagnostics diagnostics;
  TakenWays taken;
  Diagnostics remarks; ///< loops that stay in the control code, and why; also warnings
  Diagnostics left;    ///< of these, those about loops

  explicit operator bool() const { return bool(dfg); }
};

/// Changes `module` into the control module. After an error it is left half changed.
Imported importModule(llvm::Module &module, mlir::MLIRContext &context,
                      const ImportOptions &options);

} // namespace acis::import
