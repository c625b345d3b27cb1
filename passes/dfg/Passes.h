// The passes of the dfg dialect. Descriptions: Passes.td, docs/passes.md.
#pragma once

#include "backend/overlay/Overlay.h"
#include "passes/dfg/DfgDialect.h"
#include "passes/dfg/Properties.h"
#include "passes/mapper/Problem.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <functional>
#include <memory>

namespace mlir {
class OpPassManager;
}

namespace acis::dfg {

// The overlay has to live as long as the pass.
std::unique_ptr<mlir::Pass> createShareArraysPass(const Overlay &overlay);
std::unique_ptr<mlir::Pass> createReplicatePass(const Overlay &overlay);
std::unique_ptr<mlir::Pass> createLanesPass(const Overlay &overlay);
std::unique_ptr<mlir::Pass> createRebalancePass(const Overlay &overlay);
std::unique_ptr<mlir::Pass> createSpreadArraysPass(const Overlay &overlay);
/// How graphs are mapped.
struct MapSettings {
  map::Options search;
  bool exact = false;  ///< a SAT solver has the last word on graphs above their bounds
  double seconds = 10; ///< its time for one graph
};
/// Is told how long mapping each graph took. Times are no part of the IR, which is the same
/// in every run.
using MapTimer = std::function<void(GraphOp, double milliseconds)>;
std::unique_ptr<mlir::Pass> createMapPass(const Overlay &overlay, const MapSettings &settings = {},
                                          MapTimer timer = {});

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/dfg/Passes.h.inc"

/// A pass. Its name and what it does are the pass's own.
struct DfgStep {
  const char *why; ///< it stands where it does
  Properties needs, gives;
  std::unique_ptr<mlir::Pass> (*create)(const Overlay &overlay);
  std::unique_ptr<mlir::Pass> (*createFromFile)(const std::string &overlay);
};
/// Those in front of the mapper, in the order in which they run; and the mapper.
llvm::ArrayRef<DfgStep> dfgSteps();
const DfgStep &mapStep();

/// From imported nests to flat graphs, on a module of handlers. `verify`: with a check of the
/// properties in front of and behind each step.
void buildDfgTransforms(mlir::OpPassManager &manager, const Overlay &overlay, bool verify);
/// From these to mapped ones.
void buildMapping(mlir::OpPassManager &manager, const Overlay &overlay, const MapSettings &settings,
                  MapTimer timer, bool verify);

/// The passes, and the pipelines `dfg-transforms` and `dfg-pipeline`, for acis-opt.
void registerDfgPasses();

/// Nodes and edges of a nest. Replicated copies count once.
struct GraphSize {
  unsigned nodes = 0, edges = 0;
};
/// Before the passes (set by dfg-simplify) and as the nest is now.
GraphSize initialSize(NestOp nest);
GraphSize currentSize(NestOp nest);

} // namespace acis::dfg
