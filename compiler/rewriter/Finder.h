// Finds chains of collectives and computation in a program and decides which can be fused.
//
// Within one block the statements after a collective are read in order. What reads its result is
// the op; the chain ends at the next collective or at the first statement that nothing may be
// moved across. A place that cannot be fused stays in the list, with the reason.
#pragma once

#include "compiler/rewriter/Candidate.h"
#include "compiler/rewriter/Events.h"

#include <vector>

namespace acis::rewriter {

std::vector<Candidate> findCandidates(Program &program);

/// Distributed kernels: local dot product + Allreduce, halo exchange + sparse product, panels of
/// a distributed matrix product. `items` is one block.
void findKernels(Program &program, EffectsAnalysis &effects, Events &events,
                 const clang::FunctionDecl *function, const std::vector<const clang::Stmt *> &items,
                 std::vector<Candidate> &candidates);

/// Fills in arrays and the evaluator's verdict.
void describeArrays(Program &program, EffectsAnalysis &effects, Candidate &candidate);

} // namespace acis::rewriter
