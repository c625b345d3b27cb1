// A collective inside a function of the program: when its body can stand at the call of it, so
// that the op behind the call can go where the collective is.
//
// The body is put between braces behind its parameters; what it does before the collective is
// done before it; what it does behind it, and what it returns, is done by the op with the variables
// of the body. Names have to mean the same at the call: the function is in the same file or in a
// header, and nothing between the two scopes has a name of the body.
#pragma once

#include "compiler/rewriter/DoneCall.h"
#include "compiler/rewriter/Effects.h"
#include "compiler/rewriter/SourceText.h"

namespace acis::rewriter {

struct InlinedBody {
  Refusal refusal;
  std::string open, close; ///< text before the collective and behind the wait
  std::string callText;    ///< of the call, as it stands in its statement
  std::string assigned;    ///< "code = " where the body keeps the return code
  std::string tail;        ///< what the body does behind the collective
  std::string value;       ///< what the function returns, in its own terms; empty: not used
  clang::QualType type;    ///< of `value`
  std::vector<const clang::VarDecl *> locals; ///< of the function that these two read
  DoneCall done;
  bool hasOwn() const { return !value.empty() || !tail.empty(); }
};

/// For the first collective of a candidate, which `candidate.wrapper` makes. `label` makes names
/// unique.
InlinedBody inlineBody(EffectsAnalysis &effects, const Candidate &candidate,
                       const SourceText &source, const std::string &label,
                       const std::string &indent);

} // namespace acis::rewriter
