// See Transforms.h.
#include "passes/llvm/Transforms.h"

#include "passes/llvm/windows/Facts.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace acis {
namespace {

/// A value where the facts hold: one of a flag, or a counter that moves by a flag.
Value *valueOnWay(Value *value, const Facts &facts, IRBuilder<> &builder) {
  Value *flag = nullptr, *counter = nullptr, *other = nullptr;
  if (match(value, m_ZExt(m_Value(flag))))
    if (const std::optional<bool> is = facts.of(flag))
      return ConstantInt::get(value->getType(), *is);
  if (match(value, m_c_Add(m_Value(counter), m_ZExt(m_Value(flag)))))
    if (const std::optional<bool> is = facts.of(flag))
      return builder.CreateAdd(counter, ConstantInt::get(value->getType(), *is));
  if (match(value, m_Select(m_Value(flag), m_Value(counter), m_Value(other))))
    if (const std::optional<bool> is = facts.of(flag))
      return *is ? counter : other;
  return nullptr;
}

} // namespace

bool simplifyWays(Function &handler, FunctionAnalysisManager &analyses) {
  bool isChanged = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(handler).getLoopsInPreorder())
    for (BasicBlock *from : predecessors(loop->getHeader())) {
      const Facts facts = Facts::onWay(*from, *loop->getHeader());
      IRBuilder<> builder(from->getTerminator());
      for (PHINode &phi : loop->getHeader()->phis())
        if (Value *value = phi.getType()->isIntegerTy()
                               ? valueOnWay(phi.getIncomingValueForBlock(from), facts, builder)
                               : nullptr) {
          phi.setIncomingValueForBlock(from, value);
          isChanged = true;
        }
    }
  return isChanged;
}

} // namespace acis
