// Where a name of the program is in the way of the rewritten text: variables, functions and macros
// with the names that it needs, and functions called like those of MPI.
#pragma once

#include "compiler/rewriter/Candidate.h"
#include "compiler/rewriter/Program.h"

#include "llvm/ADT/StringSet.h"

#include <map>
#include <string>
#include <vector>

namespace acis::rewriter {

class Clashes {
public:
  /// `unread`: functions called like MPI's in files that were not read.
  Clashes(const Program &program, const std::vector<std::string> &unread);

  /// Why the chain is left as it is; empty: nothing is in the way.
  Refusal judge(const Candidate &candidate);
  /// Why its sizes of run time cannot be found.
  Refusal judgeSizes(const Candidate &candidate) const;
  /// Whether a name with this label, such as acis_op_57, may be one of the program's.
  bool isTaken(const clang::ASTContext &context, llvm::StringRef label);

private:
  Refusal judgeMpi(const Collective &collective) const;
  const std::vector<std::string> &similarNames(const clang::ASTContext &context);

  llvm::StringSet<> ownMpi; ///< functions MPI_... of the program
  /// Names of each file and its headers that begin with acis_.
  std::map<const clang::ASTContext *, std::vector<std::string>> similar;
};

} // namespace acis::rewriter
