// See Transforms.h.
#include "passes/llvm/Transforms.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace acis {
namespace {

/// Whether `condition ? part : most` is the lesser of both, where the part is some upper bits of
/// what the condition compares.
bool isMinimum(Value *condition, Value *part, const APInt &most) {
  CmpPredicate predicate;
  Value *whole = nullptr;
  const APInt *bound = nullptr, *shift = nullptr;
  if (!match(condition, m_ICmp(predicate, m_Value(whole), m_APInt(bound))) ||
      !match(part, m_LShr(m_Specific(whole), m_APInt(shift))))
    return false;
  const ConstantRange taken = ConstantRange::makeExactICmpRegion(predicate, *bound);
  const ConstantRange left = taken.inverse();
  return !taken.isEmptySet() && !left.isEmptySet() && taken.getUnsignedMin().isZero() &&
         !taken.isUpperWrapped() && taken.getUnsignedMax().lshr(*shift).ule(most) &&
         left.getUnsignedMin().lshr(*shift).uge(most);
}

} // namespace

bool recogniseMinima(Function &handler) {
  bool isChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(handler))) {
    Value *condition = nullptr, *part = nullptr;
    const APInt *most = nullptr;
    if (!match(&inst, m_Select(m_Value(condition), m_Value(part), m_APInt(most))) ||
        !isMinimum(condition, part, *most))
      continue;
    IRBuilder<> builder(&inst);
    inst.replaceAllUsesWith(builder.CreateBinaryIntrinsic(Intrinsic::umin, part,
                                                          ConstantInt::get(inst.getType(), *most)));
    inst.eraseFromParent();
    isChanged = true;
  }
  return isChanged;
}

} // namespace acis
