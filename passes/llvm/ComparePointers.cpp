// See Transforms.h. The scalar unit has no addresses of streams: a pointer there is how far it has
// moved.
#include "passes/llvm/Transforms.h"

#include "passes/llvm/windows/Streams.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {
namespace {

using Objects = SmallVector<const Value *, 4>;

/// What a pointer may be into; null, which is into nothing, is one of its own. Empty if it is not
/// known.
Objects objectsOf(const Value *pointer) {
  const Objects objects = objectsBehind(pointer);
  const bool isKnown = all_of(objects, [](const Value *object) {
    return isa<Argument, AllocaInst, GlobalVariable, ConstantPointerNull>(object);
  });
  return isKnown ? objects : Objects();
}

bool isNull(const Objects &objects) {
  return objects.size() == 1 && isa<ConstantPointerNull>(objects.front());
}

/// None if it depends on where in an object they are, or which of several they are into. Null is
/// equal to itself, since no step leads away from it.
std::optional<bool> areEqual(const Objects &left, const Objects &right) {
  if (left.empty() || right.empty())
    return std::nullopt;
  if (isNull(left) && isNull(right))
    return true;
  const bool mayBe = any_of(left, [&](const Value *one) { return is_contained(right, one); });
  return mayBe ? std::nullopt : std::optional(false);
}

bool comparesPointers(const ICmpInst &compare) {
  return compare.getOperand(0)->getType()->isPointerTy();
}

} // namespace

bool comparePointers(Function &handler) {
  bool isChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(handler))) {
    auto *compare = dyn_cast<ICmpInst>(&inst);
    if (!compare || !compare->isEquality() || !comparesPointers(*compare))
      continue;
    const std::optional<bool> isEqual =
        areEqual(objectsOf(compare->getOperand(0)), objectsOf(compare->getOperand(1)));
    if (!isEqual)
      continue;
    const bool asksIfEqual = compare->getPredicate() == ICmpInst::ICMP_EQ;
    compare->replaceAllUsesWith(ConstantInt::getBool(compare->getType(), *isEqual == asksIfEqual));
    compare->eraseFromParent();
    isChanged = true;
  }
  return isChanged;
}

std::optional<Refusal> whyNotCompared(const ICmpInst &compare) {
  if (!comparesPointers(compare))
    return std::nullopt;
  const Objects left = objectsOf(compare.getOperand(0)), right = objectsOf(compare.getOperand(1));
  const bool isOfOne = left.size() == 1 && left == right;
  return isOfOne ? std::nullopt : std::optional(Refusal(Why::PointersCompared));
}

} // namespace acis
