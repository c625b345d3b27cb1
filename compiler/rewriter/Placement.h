// Where the statements between the collectives of a chain go: into the op, before the call or
// behind the wait. The rules are those of docs/rationale/rewriting.md.
#pragma once

#include "compiler/rewriter/Candidate.h"
#include "compiler/rewriter/Effects.h"

#include <vector>

namespace acis::rewriter {

/// Sorts `stmts`, those of the block from the first statement of the candidate to its last, into
/// op, movedBefore and movedAfter. If that cannot be done, says why and changes nothing.
Refusal placeStatements(EffectsAnalysis &effects, Candidate &candidate,
                        const std::vector<const clang::Stmt *> &stmts);

} // namespace acis::rewriter
