// One MPI call: its types, operation and communicator as the source names them, and whether
// they are ones that can be fused.
#pragma once

#include "compiler/rewriter/Candidate.h"
#include "compiler/rewriter/Program.h"

namespace acis::rewriter {

/// All but `send` and `recv`.
Collective parseCollective(const clang::CallExpr *call, const MpiCall &info,
                           const clang::ASTContext &context, const Program &program);

/// Names types, operation and communicator again after `given` of the collective has changed.
void nameCollective(Collective &collective, const Program &program);

/// The text of an expression in the source; of one from a macro, the macro's use.
std::string sourceText(const clang::Stmt *stmt, const clang::ASTContext &context);

} // namespace acis::rewriter
