// Which loops are unrolled for values: by what launches cost at least with and without them. See
// docs/rationale/front-end.md, Values.
#pragma once

#include "passes/cost/CostModel.h"
#include "passes/llvm/ValueCandidates.h"

namespace llvm {
class DominatorTree;
}

namespace acis {

/// Those of all promotions that gain, smaller ones first, and loops over VPEs that take turns.
LoopSet chooseForValues(llvm::Function &function, llvm::LoopInfo &loops,
                        llvm::ScalarEvolution &evolution, llvm::DominatorTree &dominators,
                        const CostModel &cost);

} // namespace acis
