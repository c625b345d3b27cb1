// Which way a loop runs: all of them, and what each takes; docs/rationale/front-end.md has the
// rules.
#pragma once

#include "passes/import/Plan.h"

namespace acis::import {

class Planner {
public:
  Planner(StreamAccess &accesses, const FunctionAnalyses &analyses, const ImportOptions &options)
      : accesses(accesses), analyses(analyses), options(options) {}

  /// The plan of the loop as a nest, in the open way that takes the fewest cycles, or why it is
  /// none: then the loops in it are launched, or the scalar unit runs it.
  Result<NestPlan, Diagnostic> choose(llvm::Loop &loop, const ClosedWays &closed);

  /// Whether there are accesses of streams, memory or arrays in the loop, or a sum in the order of
  /// lanes, which the control code does not have.
  bool touches(const llvm::Loop &loop) const;
  /// Whether the scalar unit cannot run the loop.
  bool needsArray(const llvm::Loop &loop) const;

private:
  bool holdsLanes(const llvm::Loop &loop);
  bool hasSteps(const llvm::Loop &loop) const;
  uint64_t launchedCycles(const llvm::Loop &loop);
  bool isWorthCopying(const llvm::Loop &loop, const NestPlan &nest) const;

  StreamAccess &accesses;
  const FunctionAnalyses &analyses;
  const ImportOptions &options;
};

} // namespace acis::import
