// Tables from LLVM's opcodes and intrinsics to backend/isa/Ops.def.
#include "passes/import/Operations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace acis::import {
namespace {

constexpr struct {
  unsigned opcode;
  isa::Op op;
} Opcodes[] = {
    {Instruction::Add, isa::Op::Add},   {Instruction::Sub, isa::Op::Sub},
    {Instruction::Mul, isa::Op::Mul},   {Instruction::And, isa::Op::And},
    {Instruction::Or, isa::Op::Or},     {Instruction::Xor, isa::Op::Xor},
    {Instruction::Shl, isa::Op::Shl},   {Instruction::LShr, isa::Op::Lshr},
    {Instruction::AShr, isa::Op::Ashr}, {Instruction::SDiv, isa::Op::Sdiv},
    {Instruction::UDiv, isa::Op::Udiv}, {Instruction::SRem, isa::Op::Srem},
    {Instruction::URem, isa::Op::Urem}, {Instruction::FAdd, isa::Op::Fadd},
    {Instruction::FSub, isa::Op::Fsub}, {Instruction::FMul, isa::Op::Fmul},
    {Instruction::FDiv, isa::Op::Fdiv}, {Instruction::FNeg, isa::Op::Fneg},
};

/// The first of several with one operation is the one that Clang makes.
constexpr struct {
  Intrinsic::ID id;
  isa::Op op;
} Intrinsics[] = {
    {Intrinsic::smin, isa::Op::Smin},
    {Intrinsic::smax, isa::Op::Smax},
    {Intrinsic::umin, isa::Op::Umin},
    {Intrinsic::umax, isa::Op::Umax},
    {Intrinsic::fabs, isa::Op::Fabs},
    {Intrinsic::minnum, isa::Op::Fmin},
    {Intrinsic::minimumnum, isa::Op::Fmin},
    {Intrinsic::maxnum, isa::Op::Fmax},
    {Intrinsic::maximumnum, isa::Op::Fmax},
    {Intrinsic::fma, isa::Op::Fma},
    // Clang leaves the choice of one or two roundings; two is what plain C gives.
    {Intrinsic::fmuladd, isa::Op::Fmac},
    {Intrinsic::sqrt, isa::Op::Fsqrt},
};

bool isRotation(const IntrinsicInst &call) {
  return call.getIntrinsicID() == Intrinsic::fshl && call.getArgOperand(0) == call.getArgOperand(1);
}

bool isOfferedType(const Type *type) {
  return type->isFloatTy() || type->isDoubleTy() || type->isIntegerTy(1) || type->isIntegerTy(8) ||
         type->isIntegerTy(16) || type->isIntegerTy(32) || type->isIntegerTy(64);
}

bool isOfferedCast(const CastInst &cast) {
  switch (cast.getOpcode()) {
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::FPTrunc:
  case Instruction::FPExt:
  case Instruction::FPToUI:
  case Instruction::FPToSI:
  case Instruction::UIToFP:
  case Instruction::SIToFP:
  case Instruction::BitCast:
    return true;
  default:
    return false;
  }
}

bool isOffered(const Instruction &inst) {
  if (directOp(inst))
    return true;
  if (auto *cast = dyn_cast<CastInst>(&inst))
    return isOfferedCast(*cast);
  if (auto *call = dyn_cast<IntrinsicInst>(&inst))
    return call->getIntrinsicID() == Intrinsic::abs ||
           call->getIntrinsicID() == Intrinsic::copysign;
  return llvm::isa<CmpInst, SelectInst, FreezeInst>(inst);
}

std::string nameOf(const Instruction &inst) {
  if (auto *call = dyn_cast<CallInst>(&inst))
    if (const Function *callee = call->getCalledFunction())
      return (callee->isIntrinsic() ? "" : "call of ") + callee->getName().str();
  return inst.getOpcodeName();
}

std::string text(const Type *type) {
  std::string result;
  raw_string_ostream stream(result);
  type->print(stream);
  return result;
}

} // namespace

bool isMarker(const Instruction &inst) {
  return inst.isLifetimeStartOrEnd() || inst.isDebugOrPseudoInst() || llvm::isa<AssumeInst>(inst) ||
         (llvm::isa<IntrinsicInst>(inst) &&
          cast<IntrinsicInst>(inst).getIntrinsicID() == Intrinsic::experimental_noalias_scope_decl);
}

std::optional<isa::Op> directOp(const Instruction &inst) {
  if (auto *call = dyn_cast<IntrinsicInst>(&inst)) {
    if (isRotation(*call))
      return isa::Op::Rotl;
    for (auto [id, op] : Intrinsics)
      if (id == call->getIntrinsicID())
        return op;
    return std::nullopt;
  }
  for (auto [opcode, op] : Opcodes)
    if (opcode == inst.getOpcode())
      return op;
  return std::nullopt;
}

Value *compute(isa::Op op, Value *left, Value *right, IRBuilderBase &builder) {
  for (auto [opcode, offered] : Opcodes)
    if (offered == op)
      return builder.CreateBinOp(Instruction::BinaryOps(opcode), left, right);
  for (auto [id, offered] : Intrinsics)
    if (offered == op)
      return builder.CreateBinaryIntrinsic(id, left, right);
  llvm_unreachable("no operation of two operands");
}

std::optional<Refusal> whyNotOffered(const Instruction &inst) {
  // Addresses are computed by the ports, which have their own check.
  if (isMarker(inst) || llvm::isa<GetElementPtrInst>(inst))
    return std::nullopt;
  if (!isOffered(inst))
    return Refusal(llvm::isa<CallInst>(inst) ? Why::CallNotOffered : Why::OperationNotOffered,
                   nameOf(inst));
  auto bad = [&](const Type *type) -> std::optional<Refusal> {
    if (isOfferedType(type))
      return std::nullopt;
    return Refusal(Why::OperationType, nameOf(inst), text(type));
  };
  if (auto why = bad(inst.getType()))
    return why;
  unsigned count =
      llvm::isa<CallInst>(inst) ? cast<CallInst>(inst).arg_size() : inst.getNumOperands();
  for (unsigned i = 0; i < count; i++)
    if (auto why = bad(inst.getOperand(i)->getType()))
      return why;
  return std::nullopt;
}

} // namespace acis::import
