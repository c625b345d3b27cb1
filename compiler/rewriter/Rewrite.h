// Writes the program anew with CCCF calls.
//
// The op becomes a function before the one it is taken out of, with its text, comments and line
// numbers as they are; the collectives become one call and a wait. What stands between and is
// not the op goes before the call (declarations, allocations) or after the wait (output).
#pragma once

#include "compiler/rewriter/Candidate.h"
#include "compiler/rewriter/Effects.h"

#include <map>
#include <string>
#include <vector>

namespace acis::rewriter {

struct RewriteOptions {
  bool force = false; ///< also what the evaluator finds not worth it
};

/// The new text of each file that changes, by the name Clang has for it. Sets isRewritten,
/// opName or notRewritten of each candidate that can be fused.
std::map<std::string, std::string> rewrite(Program &program, std::vector<Candidate> &candidates,
                                           const RewriteOptions &options);

/// Whether a file was written by this tool.
bool isRewrittenText(llvm::StringRef text);

} // namespace acis::rewriter
