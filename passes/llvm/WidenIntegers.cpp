// See Transforms.h. Of a value of N bits there is one wide value, zero-extended: operations that
// look at the sign get it sign-extended, those that may set upper bits are masked behind.
#include "passes/llvm/Transforms.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace acis {
namespace {

constexpr unsigned Narrow = 32, Wide = 64; ///< bits of the lanes that take their place

/// Bits of an integer that no lane has; 0 for any other type.
unsigned oddBits(const Type *type) {
  auto *integer = dyn_cast<IntegerType>(type);
  const unsigned bits = integer ? integer->getBitWidth() : 0;
  return is_contained({0u, 1u, 8u, 16u, 32u, 64u}, bits) ? 0 : bits;
}

bool isOdd(const Instruction &inst) {
  return oddBits(inst.getType()) ||
         any_of(inst.operands(), [](const Use &use) { return oddBits(use->getType()) != 0; });
}

bool hasWideForm(const Instruction &inst) {
  if (oddBits(inst.getType()) > Wide ||
      any_of(inst.operands(), [](const Use &use) { return oddBits(use->getType()) > Wide; }))
    return false;
  if (auto *call = dyn_cast<IntrinsicInst>(&inst))
    return is_contained({Intrinsic::umin, Intrinsic::umax, Intrinsic::smin, Intrinsic::smax,
                         Intrinsic::bitreverse, Intrinsic::ctpop},
                        call->getIntrinsicID());
  return isa<BinaryOperator, ICmpInst, SelectInst, PHINode, FreezeInst, TruncInst, ZExtInst,
             SExtInst, UIToFPInst, SIToFPInst, FPToUIInst, FPToSIInst>(inst);
}

class Widener {
public:
  explicit Widener(Function &function) : function(function), builder(function.getContext()) {}

  void run() {
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
      for (Instruction &inst : make_early_inc_range(*block))
        if (isOdd(inst))
          replace(inst);
    for (PHINode *phi : phis)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        cast<PHINode>(wide.lookup(phi))
            ->addIncoming(widened(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
    for (Instruction *inst : replaced)
      inst->replaceAllUsesWith(PoisonValue::get(inst->getType()));
    for (Instruction *inst : replaced)
      inst->eraseFromParent();
  }

private:
  Type *typeFor(unsigned bits) { return builder.getIntNTy(bits <= Narrow ? Narrow : Wide); }

  /// An operand as it is, or its wide value.
  Value *widened(Value *value) {
    const unsigned bits = oddBits(value->getType());
    if (!bits)
      return value;
    if (auto *constant = dyn_cast<ConstantInt>(value))
      return ConstantInt::get(typeFor(bits), constant->getZExtValue());
    if (isa<UndefValue>(value))
      return ConstantInt::get(typeFor(bits), 0);
    return wide.lookup(value);
  }

  Value *masked(Value *value, unsigned bits) {
    return builder.CreateAnd(value, maskTrailingOnes<uint64_t>(bits));
  }

  /// An operand as it is, or its wide value with the sign of the odd one.
  Value *withSign(Value *value) {
    const unsigned bits = oddBits(value->getType());
    Value *from = widened(value);
    if (!bits)
      return from;
    const uint64_t upper = from->getType()->getIntegerBitWidth() - bits;
    return builder.CreateAShr(builder.CreateShl(from, upper), upper);
  }

  void replace(Instruction &inst) {
    builder.SetInsertPoint(&inst);
    const unsigned bits = oddBits(inst.getType());
    Value *result = isa<PHINode>(inst) ? openPhi(cast<PHINode>(inst)) : made(inst, bits);
    if (bits)
      wide[&inst] = result;
    else
      inst.replaceAllUsesWith(result);
    replaced.push_back(&inst);
  }

  Value *openPhi(PHINode &phi) {
    phis.push_back(&phi);
    return builder.CreatePHI(typeFor(oddBits(phi.getType())), phi.getNumIncomingValues());
  }

  Value *made(Instruction &inst, unsigned bits) {
    Value *first = inst.getOperand(0);
    if (auto *op = dyn_cast<BinaryOperator>(&inst))
      return binary(*op, bits);
    if (auto *call = dyn_cast<IntrinsicInst>(&inst))
      return intrinsic(*call, bits);
    if (auto *compare = dyn_cast<ICmpInst>(&inst)) {
      const bool isSigned = compare->isSigned();
      Value *second = inst.getOperand(1);
      return builder.CreateICmp(compare->getPredicate(),
                                isSigned ? withSign(first) : widened(first),
                                isSigned ? withSign(second) : widened(second));
    }
    if (isa<SelectInst>(inst))
      return builder.CreateSelect(first, widened(inst.getOperand(1)), widened(inst.getOperand(2)));
    if (isa<FreezeInst>(inst))
      return builder.CreateFreeze(widened(first));
    return cast(inst, bits);
  }

  Value *binary(BinaryOperator &op, unsigned bits) {
    const auto opcode = op.getOpcode();
    const bool divides = opcode == Instruction::SDiv || opcode == Instruction::SRem;
    Value *a = divides || opcode == Instruction::AShr ? withSign(op.getOperand(0))
                                                      : widened(op.getOperand(0));
    Value *b = divides ? withSign(op.getOperand(1)) : widened(op.getOperand(1));
    Value *result = builder.CreateBinOp(opcode, a, b);
    const bool isWithin = is_contained({Instruction::And, Instruction::Or, Instruction::Xor,
                                        Instruction::LShr, Instruction::UDiv, Instruction::URem},
                                       opcode);
    return isWithin ? result : masked(result, bits);
  }

  Value *intrinsic(IntrinsicInst &call, unsigned bits) {
    const Intrinsic::ID id = call.getIntrinsicID();
    Value *first = call.getArgOperand(0);
    if (id == Intrinsic::bitreverse) {
      Value *all = builder.CreateUnaryIntrinsic(id, widened(first));
      return builder.CreateLShr(all, uint64_t(all->getType()->getIntegerBitWidth() - bits));
    }
    if (id == Intrinsic::ctpop)
      return builder.CreateUnaryIntrinsic(id, widened(first));
    if (id == Intrinsic::umin || id == Intrinsic::umax)
      return builder.CreateBinaryIntrinsic(id, widened(first), widened(call.getArgOperand(1)));
    return masked(
        builder.CreateBinaryIntrinsic(id, withSign(first), withSign(call.getArgOperand(1))), bits);
  }

  /// From an odd integer, to one, or both.
  Value *cast(Instruction &inst, unsigned bits) {
    const auto opcode = Instruction::CastOps(inst.getOpcode());
    const bool isSigned = opcode == Instruction::SExt || opcode == Instruction::SIToFP;
    Value *from = isSigned ? withSign(inst.getOperand(0)) : widened(inst.getOperand(0));
    Type *to = bits ? typeFor(bits) : inst.getType();
    Value *result = nullptr;
    if (from->getType()->isIntegerTy() && to->isIntegerTy())
      result = isSigned ? builder.CreateSExtOrTrunc(from, to) : builder.CreateZExtOrTrunc(from, to);
    else
      result = builder.CreateCast(opcode, from, to);
    return bits && opcode != Instruction::ZExt ? masked(result, bits) : result;
  }

  Function &function;
  IRBuilder<> builder;
  DenseMap<Value *, Value *> wide;
  SmallVector<PHINode *, 4> phis;
  SmallVector<Instruction *, 16> replaced;
};

} // namespace

bool widenIntegers(Function &function) {
  bool isAny = false;
  for (Instruction &inst : instructions(function)) {
    if (!isOdd(inst))
      continue;
    isAny = true;
    if (!hasWideForm(inst))
      return false;
  }
  if (isAny)
    Widener(function).run();
  return isAny;
}

} // namespace acis
