// A number of bytes is divided where it is made: constants, and sums, choices and joins of such.
// The quotient times the size is the number of bytes, modulo 2^32 as addresses are.
#include "passes/llvm/ElementIndices.h"

#include "passes/llvm/Analyses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {
namespace {

/// Divides values of one function by the size of an element.
class Divider {
public:
  explicit Divider(int64_t size) : size(size) {}

  /// Whether `bytes` is seen to be a multiple of the size.
  bool divides(Value *bytes) {
    if (auto *constant = dyn_cast<ConstantInt>(bytes))
      return constant->getSExtValue() % size == 0;
    auto *inst = dyn_cast<Instruction>(bytes);
    if (!inst || inst->getType()->isVectorTy())
      return false;
    if (!seen.insert(inst).second)
      return true; // assumed on the way round a loop, or found before
    if (isScaled(*inst))
      return true;
    if (isa<PHINode>(inst) || inst->getOpcode() == Instruction::Add ||
        inst->getOpcode() == Instruction::Sub)
      return all_of(inst->operands(), [&](Value *operand) { return divides(operand); });
    if (auto *choice = dyn_cast<SelectInst>(inst))
      return divides(choice->getTrueValue()) && divides(choice->getFalseValue());
    return false;
  }

  /// The quotient of what divides().
  Value *quotient(Value *bytes) {
    if (auto *constant = dyn_cast<ConstantInt>(bytes))
      return ConstantInt::getSigned(bytes->getType(), constant->getSExtValue() / size);
    auto &inst = *cast<Instruction>(bytes);
    if (Value *known = quotients.lookup(&inst))
      return known;
    if (auto *join = dyn_cast<PHINode>(&inst)) {
      IRBuilder<> builder(join);
      PHINode *divided = builder.CreatePHI(join->getType(), join->getNumIncomingValues());
      quotients[join] = divided; // before its operands, which may need it
      for (unsigned i = 0; i < join->getNumIncomingValues(); i++)
        divided->addIncoming(quotient(join->getIncomingValue(i)), join->getIncomingBlock(i));
      return divided;
    }
    IRBuilder<> builder(&inst);
    Value *divided = nullptr;
    if (isScaled(inst))
      divided = unscale(builder, inst);
    else if (auto *choice = dyn_cast<SelectInst>(&inst))
      divided = builder.CreateSelect(choice->getCondition(), quotient(choice->getTrueValue()),
                                     quotient(choice->getFalseValue()));
    else
      divided = builder.CreateBinOp(Instruction::BinaryOps(inst.getOpcode()),
                                    quotient(inst.getOperand(0)), quotient(inst.getOperand(1)));
    return quotients[&inst] = divided;
  }

private:
  /// Whether it is a product with, or a shift by, a constant that the size divides.
  bool isScaled(const Instruction &inst) const {
    auto *factor = inst.getNumOperands() == 2 ? dyn_cast<ConstantInt>(inst.getOperand(1)) : nullptr;
    if (!factor)
      return false;
    if (inst.getOpcode() == Instruction::Shl)
      return factor->getZExtValue() < 32 && (int64_t(1) << factor->getZExtValue()) % size == 0;
    return inst.getOpcode() == Instruction::Mul && factor->getSExtValue() % size == 0;
  }

  Value *unscale(IRBuilder<> &builder, Instruction &inst) const {
    auto *factor = cast<ConstantInt>(inst.getOperand(1));
    int64_t scale = inst.getOpcode() == Instruction::Shl ? int64_t(1) << factor->getZExtValue()
                                                         : factor->getSExtValue();
    Value *value = inst.getOperand(0);
    return scale == size
               ? value
               : builder.CreateMul(value, ConstantInt::getSigned(value->getType(), scale / size));
  }

  int64_t size;
  SmallPtrSet<Instruction *, 8> seen;
  DenseMap<Instruction *, Value *> quotients;
};

/// The element type of what an address is used for; null if that differs or is something else.
Type *accessedType(const GetElementPtrInst &address) {
  Type *type = nullptr;
  for (const User *user : address.users()) {
    if (!isa<LoadInst, StoreInst>(user) || getLoadStorePointerOperand(user) != &address)
      return nullptr;
    Type *accessed = getLoadStoreType(user);
    if (type && type != accessed)
      return nullptr;
    type = accessed;
  }
  return type;
}

bool countInElements(GetElementPtrInst &address) {
  Value *base = address.getPointerOperand();
  if (address.getNumOperands() != 2 || !address.getSourceElementType()->isIntegerTy(8) ||
      isa<Constant>(address.getOperand(1)) ||
      !isa<AllocaInst, GlobalVariable>(getUnderlyingObject(base)))
    return false;
  Type *type = accessedType(address);
  if (!type || type->isIntegerTy(8))
    return false;
  Divider divider(int64_t(address.getDataLayout().getTypeStoreSize(type)));
  Value *bytes = address.getOperand(1);
  if (!divider.divides(bytes))
    return false;
  IRBuilder<> builder(&address);
  Value *number = divider.quotient(bytes);
  address.replaceAllUsesWith(builder.CreateGEP(type, base, number, address.getName()));
  address.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses ElementIndicesPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (auto *address = dyn_cast<GetElementPtrInst>(&inst))
      changed |= countInElements(*address);
  return preservedBlocks(changed);
}

} // namespace acis
