// What a loop carries from one iteration to the next.
#pragma once

#include "backend/isa/Context.h"
#include "passes/import/LoopShape.h"
#include "passes/nest/LoopNest.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace acis::import {

struct Carried : nest::Carried {
  bool isCounter = false; ///< affine in the loop's iteration, which is all that is known of it
  llvm::PHINode *phi = nullptr;
  llvm::Value *init = nullptr, *next = nullptr;
  // Reduction only
  isa::Op op = isa::Op::Nop;
  llvm::SmallPtrSet<const llvm::Value *, 4> chain; ///< computed by the reduction itself
};

/// The header phis of a loop of the nest, in their order.
std::vector<Carried> carriedBy(const LoopShape &shape, llvm::ScalarEvolution &evolution);

/// The constant c with c op x = x for every x (0, 1, all ones, the largest, ...); null if loops
/// cannot reduce by the operation.
llvm::Constant *identityOf(isa::Op op, llvm::Type *type);

} // namespace acis::import
