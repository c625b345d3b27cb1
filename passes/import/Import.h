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
#include <set>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace acis::import {

/// A loop by the name of its handler and its number in it.
using LoopOf = std::pair<std::string, unsigned>;
/// Numbers of the loops that became nests, by the names of handler and nest.
using Loops = std::map<std::pair<std::string, std::string>, unsigned>;

struct ImportOptions {
  explicit ImportOptions(const Overlay &overlay) : cost(overlay) {}

  CostModel cost;
  bool doubleBuffer = true;
  bool scalarLoops = false;           ///< what the array cannot run is left to the scalar unit
  std::map<LoopOf, Diagnostic> leave; ///< loops that must not become nests, and why
  std::map<LoopOf, Diagnostic> rows;  ///< loops in which none may be unrolled, and why
};

struct Imported {
  mlir::OwningOpRef<mlir::ModuleOp> dfg; ///< null if there were errors
  Diagnostics diagnostics;
  Loops loops;
  std::set<LoopOf> unrolled; ///< those in which others will be unrolled
  Diagnostics remarks;       ///< loops that stay in the control code, and why; also warnings
  Diagnostics left;          ///< of these, those about loops

  explicit operator bool() const { return bool(dfg); }
};

/// Changes `module` into the control module. After an error it is left half changed.
Imported importModule(llvm::Module &module, mlir::MLIRContext &context,
                      const ImportOptions &options);

} // namespace acis::import
