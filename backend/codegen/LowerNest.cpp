// One call of a nest: the numbers it needs, the launch or the vector instructions, the
// results.
#include "backend/codegen/Control.h"
#include "backend/codegen/Insn.h"
#include "backend/isa/Numbers.h"

#include "llvm/IR/Instructions.h"

using llvm::Value;

namespace acis::codegen {
namespace {

class NestLowering {
public:
  NestLowering(llvm::CallInst &call, const MNest &nest)
      : call(call), nest(nest), builder(&call), insn(builder), values(nest.scalar.nodes.size()) {}

  void run() {
    if (nest.isVector)
      emitVector();
    else
      emitLaunch();
    replaceResults();
    call.eraseFromParent();
  }

private:
  Value *value(unsigned node);
  Value *compute(const ScalarNode &node);
  Value *result(unsigned index);
  Value *word(Word word);
  void emitLaunch();
  void emitVector();
  void emitSteps(Value *elements, Value *address);
  void emitStep(const VectorStep &step, Value *elements, Value *address);
  void replaceResults();

  Value *asInteger(Value *value) {
    unsigned bits = value->getType()->getPrimitiveSizeInBits();
    return builder.CreateBitCast(value, builder.getIntNTy(bits));
  }

  llvm::CallInst &call;
  const MNest &nest;
  llvm::IRBuilder<> builder;
  InsnBuilder insn;
  std::vector<Value *> values; ///< by node, null: not computed yet
};

Value *NestLowering::value(unsigned index) {
  if (values[index])
    return values[index];
  const ScalarNode &node = nest.scalar.nodes[index];
  Value *made = nullptr;
  switch (node.kind) {
  case ScalarNode::Kind::Arg:
    made = asInteger(call.getArgOperand(node.value));
    break;
  case ScalarNode::Kind::Const:
    made = llvm::ConstantInt::get(builder.getIntNTy(node.bits), node.value);
    break;
  case ScalarNode::Kind::Result:
    made = result(node.value);
    break;
  case ScalarNode::Kind::Compute:
    made = compute(node);
    break;
  }
  return values[index] = made;
}

Value *NestLowering::compute(const ScalarNode &node) {
  llvm::SmallVector<Value *, 3> in;
  for (unsigned operand : node.operands)
    in.push_back(value(operand));
  llvm::Type *type = builder.getIntNTy(node.bits);
  using isa::Op;
  auto compare = [&](llvm::CmpInst::Predicate predicate) {
    return builder.CreateZExtOrTrunc(builder.CreateICmp(predicate, in[0], in[1]), type);
  };
  auto pick = [&](llvm::CmpInst::Predicate predicate) {
    return builder.CreateSelect(builder.CreateICmp(predicate, in[0], in[1]), in[0], in[1]);
  };
  // Shift amounts are taken modulo the width.
  auto amount = [&] { return builder.CreateAnd(in[1], node.bits - 1); };
  switch (node.op) {
  case Op::Mov:
    return builder.CreateZExtOrTrunc(in[0], type);
  case Op::Sext:
    return builder.CreateSExtOrTrunc(in[0], type);
  case Op::Add:
    return builder.CreateAdd(in[0], in[1]);
  case Op::Sub:
    return builder.CreateSub(in[0], in[1]);
  case Op::Mul:
    return builder.CreateMul(in[0], in[1]);
  case Op::And:
    return builder.CreateAnd(in[0], in[1]);
  case Op::Or:
    return builder.CreateOr(in[0], in[1]);
  case Op::Xor:
    return builder.CreateXor(in[0], in[1]);
  case Op::Shl:
    return builder.CreateShl(in[0], amount());
  case Op::Lshr:
    return builder.CreateLShr(in[0], amount());
  case Op::Ashr:
    return builder.CreateAShr(in[0], amount());
  case Op::Rotl:
    return builder.CreateIntrinsic(llvm::Intrinsic::fshl, {type}, {in[0], in[0], in[1]});
  case Op::Udiv:
    return builder.CreateUDiv(in[0], in[1]);
  case Op::Urem:
    return builder.CreateURem(in[0], in[1]);
  case Op::Smin:
    return pick(llvm::CmpInst::ICMP_SLT);
  case Op::Smax:
    return pick(llvm::CmpInst::ICMP_SGT);
  case Op::Umin:
    return pick(llvm::CmpInst::ICMP_ULT);
  case Op::Umax:
    return pick(llvm::CmpInst::ICMP_UGT);
  case Op::Eq:
    return compare(llvm::CmpInst::ICMP_EQ);
  case Op::Ne:
    return compare(llvm::CmpInst::ICMP_NE);
  case Op::Slt:
    return compare(llvm::CmpInst::ICMP_SLT);
  case Op::Sle:
    return compare(llvm::CmpInst::ICMP_SLE);
  case Op::Ult:
    return compare(llvm::CmpInst::ICMP_ULT);
  case Op::Ule:
    return compare(llvm::CmpInst::ICMP_ULE);
  case Op::Select:
    return builder.CreateSelect(builder.CreateIsNotNull(in[0]), in[1], in[2]);
  default:
    llvm_unreachable("selection makes no other operation for the scalar unit");
  }
}

/// A launch of 0 iterations leaves the results of an earlier loop in place.
Value *NestLowering::result(unsigned index) {
  const ResultInfo &info = nest.results[index];
  unsigned bits = isa::bitsOf(info.type);
  llvm::Type *type = builder.getIntNTy(bits);
  Value *made = insn.result(2 * index);
  if (bits == 64) {
    Value *upper = builder.CreateShl(builder.CreateZExt(insn.result(2 * index + 1), type), 32);
    made = builder.CreateOr(builder.CreateZExt(made, type), upper);
  } else {
    made = builder.CreateTrunc(made, type);
  }
  Value *iterations = value(nest.launch.iterations);
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(iterations);
      constant && !constant->isZero())
    return made;
  return builder.CreateSelect(builder.CreateIsNull(iterations),
                              llvm::ConstantInt::get(type, info.identity), made);
}

Value *NestLowering::word(Word word) {
  Value *all = value(word.node);
  if (word.upper)
    all = builder.CreateLShr(all, 32);
  return builder.CreateZExtOrTrunc(all, builder.getInt32Ty());
}

void NestLowering::emitLaunch() {
  llvm::SmallVector<Value *, 8> words;
  for (Word arg : nest.launch.args)
    words.push_back(word(arg));
  Value *iterations = value(nest.launch.iterations), *tail = value(nest.launch.tail);
  for (auto [index, arg] : llvm::enumerate(words))
    insn.arg(index, arg);
  insn.launch(nest.launch.context, iterations, tail);
}

void NestLowering::emitVector() {
  Value *elements = value(nest.vector.elements);
  Value *stride = value(nest.vector.stride);
  Value *address = value(nest.vector.address);
  bool isMemory = nest.readsMemory || nest.writesMemory;
  bool isSend =
      nest.vector.steps.size() > 1 && nest.vector.steps.front().kind == VectorStep::Kind::StreamOut;
  if (!isSend) {
    insn.writeCsr(isa::CsrVpeMask, builder.getInt32(nest.vector.mask));
    if (isMemory)
      insn.writeCsr(isa::CsrVpeStride, stride);
    return emitSteps(elements, address);
  }
  // One instruction sends its registers of all VPEs in turn; with several, a VPE's
  // whole array goes before the next VPE's.
  for (unsigned pe = 0; pe < 32; ++pe) {
    if (!(nest.vector.mask >> pe & 1))
      continue;
    insn.writeCsr(isa::CsrVpeMask, builder.getInt32(1u << pe));
    emitSteps(elements,
              builder.CreateAdd(address, builder.CreateMul(stride, builder.getInt32(pe))));
  }
}

void NestLowering::emitSteps(Value *elements, Value *address) {
  for (const VectorStep &step : nest.vector.steps)
    emitStep(step, elements, address);
}

void NestLowering::emitStep(const VectorStep &step, Value *elements, Value *start) {
  Value *first = builder.getInt32(step.firstElement);
  Value *left = elements;
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(elements)) {
    if (constant->getZExtValue() <= step.firstElement)
      return;
    left = builder.getInt32(constant->getZExtValue() - step.firstElement);
  } else if (step.firstElement) {
    left = builder.CreateSelect(builder.CreateICmpUGT(elements, first),
                                builder.CreateSub(elements, first), builder.getInt32(0));
  }
  unsigned sew = nest.vector.elementBytes * 8;
  insn.vsetvli(left, sew, step.lmul);
  unsigned skipped =
      nest.vector.broadcast ? step.firstElement / nest.vector.perBeat : step.firstElement;
  Value *address = builder.CreateAdd(start, builder.getInt32(skipped * sew / 8));
  switch (step.kind) {
  case VectorStep::Kind::Load:
    return nest.vector.broadcast ? insn.vlb(sew, step.vreg, address)
                                 : insn.vle(sew, step.vreg, address);
  case VectorStep::Kind::Store:
    return insn.vse(sew, step.vreg, address);
  case VectorStep::Kind::Zero:
    return insn.vmvZero(step.vreg);
  case VectorStep::Kind::StreamOut:
    return insn.streamoutV(step.vreg, address);
  }
}

void NestLowering::replaceResults() {
  llvm::Type *type = call.getType();
  if (type->isVoidTy())
    return;
  auto part = [&](unsigned index, llvm::Type *partType) {
    Value *bits = value(nest.returned[index]);
    unsigned width = partType->getPrimitiveSizeInBits();
    return builder.CreateBitCast(builder.CreateZExtOrTrunc(bits, builder.getIntNTy(width)),
                                 partType);
  };
  if (!type->isStructTy()) {
    call.replaceAllUsesWith(part(0, type));
    return;
  }
  Value *all = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < type->getStructNumElements(); ++i)
    all = builder.CreateInsertValue(all, part(i, type->getStructElementType(i)), i);
  call.replaceAllUsesWith(all);
}

} // namespace

void lowerNest(llvm::CallInst &call, const MNest &nest) { NestLowering(call, nest).run(); }

} // namespace acis::codegen
