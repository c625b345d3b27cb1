// Writes the program anew with CCCF calls.
//
// The op becomes a function before the one it is taken out of, with its text, comments and line
// numbers as they are; the collectives become one call and a wait. What stands between and is
// not the op goes where Placement.h says.
#pragma once

#include "compiler/rewriter/Candidate.h"
#include "compiler/rewriter/Effects.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace acis::rewriter {

/// An op after the compiler for handlers has seen it.
struct MappedOp {
  std::vector<uint8_t> binary; ///< empty: `reason` says why
  std::string reason;
  MappedLoops loops;
};

struct RewriteOptions {
  bool force = false; ///< also what the evaluator finds not worth it
  /// Functions called like MPI's that files of the program which are not given define.
  std::vector<std::string> ownMpi;
  /// Compiles the source of a handler; null: ops get no switch binary.
  std::function<MappedOp(const std::string &)> mapOp;
};

struct Rewritten {
  std::string text;
  std::string binaries; ///< what the text includes as its .acis.inc; empty: nothing
};

/// The new text of each file that changes, by the name Clang has for it. Sets isRewritten,
/// opName or notRewritten of each candidate that can be fused.
std::map<std::string, Rewritten> rewrite(Program &program, std::vector<Candidate> &candidates,
                                         const RewriteOptions &options);

/// The name under which the new text of `file` includes its binaries.
std::string binariesName(llvm::StringRef file);

/// Whether a file was written by this tool.
bool isRewrittenText(llvm::StringRef text);

} // namespace acis::rewriter
