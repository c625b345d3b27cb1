// The new text of one chain: the op as a function or a lambda, the call with its descriptors.
#pragma once

#include "compiler/rewriter/Captures.h"
#include "compiler/rewriter/Inline.h"
#include "compiler/rewriter/SourceText.h"

namespace acis::rewriter {

/// What marks a file that was rewritten.
inline constexpr const char *CccfInclude = "\n#include <acis_cccf.h>\n";

/// The call alone, or with an assignment to a variable that is there already.
bool isWholeCall(const clang::Stmt *stmt, const clang::CallExpr *call);

/// Since C++11 the op stays where it is, as a lambda: members, templates and local types do
/// not matter then.
bool isLambda(const Candidate &candidate);

class ChainText {
public:
  /// `stmts` are the statements of the block that the chain replaces; `binaries` is the name of
  /// the file that the text includes when the op has a binary.
  ChainText(const Candidate &candidate, const std::vector<const clang::Stmt *> &stmts,
            const SourceText &source, std::string label, std::string binaries);

  /// What goes before the function, or before the outermost declaration round it.
  std::string head(const Captures &captured, const InlinedBody &inlined) const;
  /// Op, arrays and call; the wait goes behind it, or is in it if a body was inlined.
  std::string call(const Captures &captured, const InlinedBody &inlined,
                   const std::vector<Array> &arrays, const std::string &indent) const;
  std::string wait() const { return "MPI_Wait(&" + request + ", MPI_STATUS_IGNORE);"; }
  /// Variables that the op declares and that are used behind it.
  std::string declarations(const Captures &captured, const std::string &indent) const;

private:
  std::string opFunction(const Captures &captured, const InlinedBody &inlined) const;
  std::string opText(const InlinedBody &inlined) const;
  std::string fieldValues(const Captures &captured) const;
  std::string arrayTable(const std::vector<Array> &arrays, const std::string &indent) const;
  std::string useTable(const std::vector<Array> &arrays, const std::string &indent) const;
  std::string sizes(const std::string &indent) const;
  /// `inlinedCode`: "code = " where the body of a function keeps the return code.
  std::string cccf(const std::string &made, const std::string &inlinedCode, size_t numArrays,
                   const std::string &indent) const;

  const Candidate &candidate;
  const std::vector<const clang::Stmt *> &stmts;
  const SourceText &source;
  const clang::ASTContext &context;
  bool inPlace;
  std::string binaries, request, args, table, uses, returned, second;
};

} // namespace acis::rewriter
