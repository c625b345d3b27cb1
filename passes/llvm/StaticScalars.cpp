// Addresses are given in the order of the module, aligned to the size.
#include "passes/llvm/StaticScalars.h"

#include "backend/isa/Numbers.h"
#include "passes/llvm/Diagnose.h"
#include "passes/llvm/Handlers.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace acis {
namespace {

bool isStaticScalar(const GlobalVariable &variable) {
  Type *type = variable.getValueType();
  return !variable.isConstant() && variable.hasInitializer() &&
         (type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy()) &&
         type->getPrimitiveSizeInBits() <= 64;
}

bool isUsedIn(const GlobalVariable &variable, const Function &function) {
  return any_of(variable.users(), [&](const User *user) {
    auto *inst = dyn_cast<Instruction>(user);
    return inst && inst->getFunction() == &function;
  });
}

/// The variable as `function` sees it: a local copy.
void useCopy(GlobalVariable &variable, Constant *address, Function &function) {
  Type *type = variable.getValueType();
  unsigned bits = function.getDataLayout().getTypeStoreSizeInBits(type);
  Type *word = IntegerType::get(function.getContext(), bits);
  Constant *initial = variable.getInitializer();
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  AllocaInst *copy = builder.CreateAlloca(type, nullptr, variable.getName());
  variable.replaceUsesWithIf(copy, [&](Use &use) {
    auto *inst = dyn_cast<Instruction>(use.getUser());
    return inst && inst->getFunction() == &function;
  });
  auto flip = [&](Value *value) {
    return builder.CreateXor(value, builder.CreateBitCast(initial, word));
  };
  Value *loaded = flip(builder.CreateLoad(word, address));
  builder.CreateStore(builder.CreateBitCast(loaded, type), copy);
  for (BasicBlock &block : function)
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator())) {
      builder.SetInsertPoint(end);
      Value *value = builder.CreateBitCast(builder.CreateLoad(type, copy), word);
      builder.CreateStore(flip(value), address);
    }
}

} // namespace

bool isScratchPointer(const Value *pointer) {
  auto *expression = dyn_cast<ConstantExpr>(pointer);
  return expression && expression->getOpcode() == Instruction::IntToPtr;
}

bool placeStaticScalars(Module &module, unsigned bytes, Diagnostics &diagnostics) {
  uint32_t used = 0;
  SmallVector<GlobalVariable *, 8> placed;
  for (GlobalVariable &variable : module.globals()) {
    if (!isStaticScalar(variable))
      continue;
    unsigned size = module.getDataLayout().getTypeStoreSize(variable.getValueType());
    used = alignTo(used, size);
    auto *number = ConstantInt::get(Type::getInt32Ty(module.getContext()), isa::ScratchBase + used);
    Constant *address = ConstantExpr::getIntToPtr(number, variable.getType());
    used += size;
    convertUsersOfConstantsToInstructions({&variable});
    for (Function *handler : handlersOf(module))
      if (isUsedIn(variable, *handler))
        useCopy(variable, address, *handler);
    if (variable.use_empty())
      placed.push_back(&variable);
  }
  for (GlobalVariable *variable : placed)
    variable->eraseFromParent();
  if (used <= bytes)
    return true;
  Diagnostic diagnostic;
  diagnostic.file = module.getSourceFileName();
  diagnostic.refusal = Refusal(Why::StaticsTooLarge, used, bytes);
  diagnostics.push_back(std::move(diagnostic));
  return false;
}

} // namespace acis
