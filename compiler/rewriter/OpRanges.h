// Which elements of its arrays an op touches, as statements that the program runs before the call.
#pragma once

#include "compiler/rewriter/Candidate.h"
#include "compiler/rewriter/OpMemory.h"

namespace acis::rewriter {

struct OpRanges {
  Refusal refusal;
  std::string text;    ///< statements of a block; they leave their results in the names below
  unsigned ranges = 0; ///< acis_v[0] to ..
  /// The range of all that is touched of a place, and of what is written.
  std::map<const Place *, std::string> touched, written;
  unsigned count = 0;                   ///< of these ranges
  std::set<const clang::VarDecl *> own; ///< what the op and its callees declare
};

/// `used` is the name of an array of ranges, two for each place of unknown size. Numbers of
/// `received` variables are known only after the first collective.
OpRanges findRanges(const Candidate &candidate, OpMemory &memory, const Place *received,
                    const std::string &used, const std::string &indent);

} // namespace acis::rewriter
