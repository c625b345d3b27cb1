// Which loop of a nest becomes lanes and which become the sequencer.
#pragma once

#include "passes/dfg/DfgDialect.h"

namespace acis::dfg {

/// A loop of the sequencer. The strip-mined lane loop is one too: its index counts
/// groups of vf elements then.
struct SequencerLoop {
  LoopOp loop;
  bool strip = false;
  /// Loops merged into this one, outermost first: their indices are gone.
  llvm::SmallVector<LoopOp, 1> merged;
};

struct Shape {
  llvm::SmallVector<LoopOp, 4> loops; ///< outermost first, the last is the lane loop
  LoopOp rolled;                      ///< the loop over VPEs of a vector load, or null
  unsigned vf = 16, laneBits = 32;
  llvm::SmallVector<SequencerLoop, 2> sequencer; ///< outermost first, at most two
  bool strip = false;                            ///< the lane loop is longer than vf

  LoopOp laneLoop() const { return loops[loops.size() - 1]; }
  /// Sequencer iterations of the inner level, 1 if there is one level.
  int64_t innerCount() const;
  /// Whether ops in `block` run once per sequencer iteration.
  bool runsEachIteration(mlir::Block *block) const;
};

/// Fails with an error at the loop that does not fit.
mlir::FailureOr<Shape> shapeOf(NestOp nest, unsigned lanes);

/// Steps of an access per lane and per sequencer loop, in its unit, and the rest.
struct Steps {
  int64_t lane = 0;
  llvm::SmallVector<int64_t, 2> loops; ///< by Shape::sequencer
  Position rest;                       ///< without loop indices (but that of `rolled`)
};
/// Fails with an error if a step is not constant.
mlir::FailureOr<Steps> stepsOf(AccessOpInterface access, const Shape &shape);

/// The same without the index of a loop in a product, which stepsOf refuses.
Steps constantSteps(const Position &position, const Shape &shape);

} // namespace acis::dfg
