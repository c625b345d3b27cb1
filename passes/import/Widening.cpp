// A load is looked at with its use, a stream with all of its loads.
#include "passes/import/Widening.h"

#include "passes/import/Plan.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis::import {

CastInst *wideningOf(Instruction &load) {
  if (!load.getType()->isIntegerTy() || load.getType()->getIntegerBitWidth() >= 32 ||
      !load.hasOneUse())
    return nullptr;
  auto *cast = dyn_cast<CastInst>(*load.user_begin());
  return cast && llvm::isa<SExtInst, ZExtInst>(cast) && cast->getParent() == load.getParent()
             ? cast
             : nullptr;
}

bool arePopsAlike(const NestPlan &plan) {
  const CastInst *first = nullptr;
  for (const PlannedAccess &planned : plan.accesses) {
    if (planned.kind() != ObjectKind::In)
      continue;
    const CastInst *cast = wideningOf(*planned.item->inst);
    if (!cast ||
        (first && (cast->getOpcode() != first->getOpcode() || cast->getType() != first->getType())))
      return false;
    first = cast;
  }
  return true;
}

} // namespace acis::import
