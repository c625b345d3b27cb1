#include "compiler/rewriter/OpRanges.h"

#include "compiler/rewriter/OpWalk.h"

using namespace clang;

namespace acis::rewriter {

OpRanges findRanges(const Candidate &candidate, OpMemory &memory, const Place *received,
                    const std::string &used, const std::string &indent) {
  OpWalk walk(memory, candidate.in->getASTContext(), received, used);
  for (const auto &[param, argument] : memory.done.arguments)
    if (!param->getType()->isReferenceType())
      walk.bind(cast<ParmVarDecl>(param), argument);
  for (const auto *list : {&memory.done.tail, &candidate.op})
    for (const Stmt *stmt : *list)
      walk.walk(stmt);
  OpRanges result;
  result.refusal = walk.refusal;
  result.text = walk.text(indent, result.ranges);
  for (const Place &place : memory.places)
    if (place.isSized() && !walk.own.contains(place.var)) {
      result.touched[&place] = walk.rangeOf(&place, false);
      result.written[&place] = walk.rangeOf(&place, true);
    }
  result.count = 2 * walk.usedPlaces();
  result.own = walk.own;
  return result;
}

} // namespace acis::rewriter
