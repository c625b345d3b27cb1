// The control function's side of a nest.
#pragma once

#include "passes/import/Plan.h"

namespace acis::import {

/// A result of the nest, in order: the value that a loop carried, after it.
struct NestResult {
  const Carried *carried;
  /// It was computed from the neutral value; the start value is still to be added.
  bool fromNeutral;
};

/// Calls `callee` in front of the loop, uses its results and deletes the loop.
void replaceWithCall(const NestPlan &plan, const std::string &callee,
                     llvm::ArrayRef<llvm::Value *> arguments,
                     const std::vector<NestResult> &results, const FunctionAnalyses &analyses);

} // namespace acis::import
