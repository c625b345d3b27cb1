// The steps that bring handlers to handler form, as tables: what each does, what it needs, what
// holds behind it to the end, and why it stands where it does. bringToHandlerForm() walks them,
// `acisc --list-phases` and docs/passes.md print them, opt knows each as acis-<name>.
#pragma once

#include "passes/llvm/Diagnostic.h"
#include "passes/llvm/Properties.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
} // namespace llvm

namespace acis {

struct FormOptions;

/// A handler on its way to handler form.
struct Forming {
  llvm::Function &handler;
  llvm::FunctionAnalysisManager &analyses;
  const FormOptions &options;
  Diagnostics &diagnostics;
  bool refused = false; ///< with an error among the diagnostics

  /// Runs a pass; whether it changed anything.
  template <typename Pass> bool run(Pass pass) { return settle(pass.run(handler, analyses)); }
  /// What a transformation that is no pass did; returns `isChanged`.
  bool settle(bool isChanged) {
    return settle(isChanged ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all());
  }
  bool settle(const llvm::PreservedAnalyses &preserved) {
    analyses.invalidate(handler, preserved);
    return !preserved.areAllPreserved();
  }
};

/// What follows a step that changed something, in this order.
enum class Cleanup : uint8_t { None, Promote, Simplify, PromoteAndSimplify, LowerSwitch };

/// A step of the whole module. It refuses by an error among the diagnostics.
struct ModuleStep {
  llvm::StringLiteral name, does, why;
  void (*run)(llvm::Module &module, const FormOptions &options, Diagnostics &diagnostics);
};

/// A step of each handler.
struct Step {
  llvm::StringLiteral name, does, why;
  Properties needs;
  Properties gives;
  Cleanup then;
  bool (*run)(Forming &forming); ///< whether it changed anything
};

llvm::ArrayRef<ModuleStep> moduleSteps();
llvm::ArrayRef<Step> handlerSteps();

/// Runs the step and what follows it.
void runStep(const Step &step, Forming &forming);

} // namespace acis
