// Live-ins, expanded in front of the loop.
#include "passes/import/NestArguments.h"

#include "passes/import/EmitCompute.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace acis::import {

NestArguments::NestArguments(mlir::Block &entry, mlir::Location loc, Loop &root,
                             const FunctionAnalyses &analyses)
    : entry(entry), loc(loc), before(root.getLoopPreheader()->getTerminator()),
      expander(analyses.evolution, "acis", /*PreserveLCSSA=*/false) {}

mlir::Value NestArguments::of(Value *value) {
  mlir::Value &known = byValue[value];
  if (known)
    return known;
  Value *passed = value;
  if (value->getType()->isPointerTy())
    passed = IRBuilder<>(before).CreatePtrToInt(value, Type::getInt32Ty(value->getContext()));
  else if (value->getType()->isIntegerTy() && value->getType()->getIntegerBitWidth() < 32)
    passed = IRBuilder<>(before).CreateZExt(value, Type::getInt32Ty(value->getContext()));
  list.push_back(passed);
  return known = entry.addArgument(convertType(passed->getType(), loc.getContext()), loc);
}

mlir::Value NestArguments::of(const SCEV *expression) {
  return of(expander.expandCodeFor(expression, expression->getType(), before));
}

mlir::Value NestArguments::tripOf(const LoopShape &shape) {
  if (!shape.guard)
    return of(shape.trip);
  Value *trip = expander.expandCodeFor(shape.trip, shape.trip->getType(), before);
  Value *zero = ConstantInt::get(trip->getType(), 0);
  return of(IRBuilder<>(before).CreateSelect(shape.guard, shape.guardValue ? trip : zero,
                                             shape.guardValue ? zero : trip));
}

} // namespace acis::import
