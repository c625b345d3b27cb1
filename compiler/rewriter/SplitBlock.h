// The beginning of a block that only the root runs, as a block of its own:
//
//   if (rank == 0) { op; output }   becomes   if (rank == 0) { op } if (rank == 0) { output }
//
// which is the same where the op changes nothing that the condition reads, does not leave the
// block, and the two share no declaration; what both use is declared before
// (docs/rationale/rewriting.md). No line is added, so that line numbers stay.
#pragma once

#include "compiler/rewriter/Effects.h"
#include "compiler/rewriter/TextEdit.h"

#include <optional>
#include <vector>

namespace acis::rewriter {

/// Behind `last`, which is a statement of the block of `branch` and not its last one. No value
/// where the two might differ, or where the text cannot be cut: it is of a macro.
std::optional<std::vector<TextEdit>> splitBlock(EffectsAnalysis &effects,
                                                const clang::IfStmt *branch,
                                                const clang::Stmt *last,
                                                const clang::FunctionDecl *in);

} // namespace acis::rewriter
