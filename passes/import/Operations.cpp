// Tables from LLVM's opcodes and intrinsics to backend/isa/Ops.def.
#include "passes/import/Operations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace acis::import {
namespace {

std::optional<isa::Op> opcodeOp(unsigned opcode) {
  using isa::Op;
  switch (opcode) {
  case Instruction::Add:
    return Op::Add;
  case Instruction::Sub:
    return Op::Sub;
  case Instruction::Mul:
    return Op::Mul;
  case Instruction::And:
    return Op::And;
  case Instruction::Or:
    return Op::Or;
  case Instruction::Xor:
    return Op::Xor;
  case Instruction::Shl:
    return Op::Shl;
  case Instruction::LShr:
    return Op::Lshr;
  case Instruction::AShr:
    return Op::Ashr;
  case Instruction::SDiv:
    return Op::Sdiv;
  case Instruction::UDiv:
    return Op::Udiv;
  case Instruction::SRem:
    return Op::Srem;
  case Instruction::URem:
    return Op::Urem;
  case Instruction::FAdd:
    return Op::Fadd;
  case Instruction::FSub:
    return Op::Fsub;
  case Instruction::FMul:
    return Op::Fmul;
  case Instruction::FDiv:
    return Op::Fdiv;
  case Instruction::FNeg:
    return Op::Fneg;
  default:
    return std::nullopt;
  }
}

std::optional<isa::Op> intrinsicOp(Intrinsic::ID id) {
  using isa::Op;
  switch (id) {
  case Intrinsic::smin:
    return Op::Smin;
  case Intrinsic::smax:
    return Op::Smax;
  case Intrinsic::umin:
    return Op::Umin;
  case Intrinsic::umax:
    return Op::Umax;
  case Intrinsic::fabs:
    return Op::Fabs;
  case Intrinsic::minnum:
  case Intrinsic::minimumnum:
    return Op::Fmin;
  case Intrinsic::maxnum:
  case Intrinsic::maximumnum:
    return Op::Fmax;
  case Intrinsic::fma:
    return Op::Fma;
  // Clang leaves the choice of one or two roundings; two is what plain C gives.
  case Intrinsic::fmuladd:
    return Op::Fmac;
  case Intrinsic::sqrt:
    return Op::Fsqrt;
  default:
    return std::nullopt;
  }
}

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
  if (auto *call = dyn_cast<IntrinsicInst>(&inst))
    return isRotation(*call) ? isa::Op::Rotl : intrinsicOp(call->getIntrinsicID());
  return opcodeOp(inst.getOpcode());
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
