// Places in string attributes.
#include "passes/llvm/UnrolledPlaces.h"

#include "passes/llvm/Diagnose.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace acis {

std::string placeOf(const Loop &loop) {
  const Diagnostic at = diagnose(loop, Refusal());
  return placeText(at.file, at.line, at.column);
}

bool hasPlace(const Function &handler, StringRef attribute, StringRef place) {
  SmallVector<StringRef, 4> places;
  handler.getFnAttribute(attribute).getValueAsString().split(places, '\n');
  return is_contained(places, place);
}

bool staysRolled(const Function &handler, StringRef place) {
  return hasPlace(handler, RolledAttribute, place) &&
         !hasPlace(handler, UnrolledOnlyAttribute, place);
}

void addPlace(Function &handler, StringRef attribute, StringRef place) {
  if (hasPlace(handler, attribute, place))
    return;
  const StringRef old = handler.getFnAttribute(attribute).getValueAsString();
  handler.addFnAttr(attribute, (old + (old.empty() ? "" : "\n") + place).str());
}

} // namespace acis
