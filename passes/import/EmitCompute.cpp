// Comparisons and casts take more than a table; the rest is directOp().
#include "passes/import/EmitCompute.h"

#include "passes/import/Operations.h"
#include "passes/llvm/Diagnose.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using acis::dfg::OpKind;

namespace acis::import {

mlir::Type convertType(const Type *type, mlir::MLIRContext *context) {
  if (type->isFloatTy())
    return mlir::Float32Type::get(context);
  if (type->isDoubleTy())
    return mlir::Float64Type::get(context);
  return mlir::IntegerType::get(context, type->getIntegerBitWidth());
}

mlir::Location convertLocation(const Instruction &inst, mlir::MLIRContext *context) {
  if (const DILocation *location = nearestPlace(inst))
    return mlir::FileLineColLoc::get(context, location->getFilename(), location->getLine(),
                                     location->getColumn());
  if (const DISubprogram *function = inst.getFunction()->getSubprogram())
    return mlir::FileLineColLoc::get(context, function->getFilename(), function->getLine(), 1);
  return mlir::UnknownLoc::get(context);
}

mlir::Location convertLocation(const Loop &loop, mlir::MLIRContext *context) {
  if (DebugLoc start = loop.getStartLoc(); start && start.getLine())
    return mlir::FileLineColLoc::get(context, start->getFilename(), start.getLine(),
                                     start.getCol());
  return convertLocation(loop.getHeader()->front(), context);
}

mlir::Location namedLocation(const Instruction &inst, mlir::MLIRContext *context) {
  mlir::Location location = convertLocation(inst, context);
  // Optimised values are named after their variable: s.07, s.sroa.0.1.
  StringRef name = inst.getName().split('.').first;
  if (name.empty())
    return location;
  return mlir::NameLoc::get(mlir::StringAttr::get(context, name), location);
}

mlir::Value ComputeEmitter::op(mlir::Location loc, OpKind kind, mlir::Type type,
                               mlir::ValueRange inputs) {
  return dfg::ComputeOp::create(builder, loc, type, kind, inputs).getResult();
}

mlir::Value ComputeEmitter::constant(mlir::Location loc, mlir::Type type, int64_t value) {
  mlir::TypedAttr attribute;
  if (mlir::isa<mlir::FloatType>(type))
    attribute = builder.getFloatAttr(type, double(value));
  else
    attribute = builder.getIntegerAttr(type, APInt(type.getIntOrFloatBitWidth(), uint64_t(value),
                                                   /*isSigned=*/true,
                                                   /*implicitTrunc=*/true));
  return dfg::ConstOp::create(builder, loc, type, attribute).getResult();
}

mlir::Value ComputeEmitter::resize(mlir::Location loc, mlir::Value value, mlir::Type type) {
  if (value.getType() == type)
    return value;
  if (!type.isInteger(1))
    return op(loc, OpKind::Mov, type, value);
  mlir::Type from = value.getType();
  mlir::Value bit = op(loc, OpKind::And, from, {value, constant(loc, from, 1)});
  return op(loc, OpKind::Ne, type, {bit, constant(loc, from, 0)});
}

mlir::Value ComputeEmitter::invert(mlir::Location loc, mlir::Value flag) {
  return op(loc, OpKind::Xor, flag.getType(), {flag, constant(loc, flag.getType(), 1)});
}

mlir::Value ComputeEmitter::cast(mlir::Location loc, unsigned opcode, mlir::Value value,
                                 mlir::Type type) {
  bool fromFlag = value.getType().isInteger(1);
  switch (opcode) {
  case Instruction::SExt:
    if (!fromFlag)
      return op(loc, OpKind::Sext, type, value);
    return op(loc, OpKind::Sub, type, {constant(loc, type, 0), resize(loc, value, type)});
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    return op(loc, OpKind::Fpconv, type, value);
  case Instruction::FPToSI:
  case Instruction::FPToUI: {
    OpKind kind = opcode == Instruction::FPToSI ? OpKind::Fptosi : OpKind::Fptoui;
    if (!type.isInteger(1))
      return op(loc, kind, type, value);
    return resize(loc, op(loc, kind, builder.getI32Type(), value), type);
  }
  case Instruction::SIToFP:
    if (fromFlag)
      value = cast(loc, Instruction::SExt, value, builder.getI32Type());
    return op(loc, OpKind::Sitofp, type, value);
  case Instruction::UIToFP:
    if (fromFlag)
      value = resize(loc, value, builder.getI32Type());
    return op(loc, OpKind::Uitofp, type, value);
  default:
    return resize(loc, value, type);
  }
}

mlir::Value ComputeEmitter::compareInt(mlir::Location loc, unsigned predicate, mlir::Value a,
                                       mlir::Value b) {
  // The overlay has < and <=.
  auto wanted = CmpInst::Predicate(predicate);
  if (ICmpInst::isGT(wanted) || ICmpInst::isGE(wanted)) {
    wanted = CmpInst::getSwappedPredicate(wanted);
    std::swap(a, b);
  }
  const OpKind kind = wanted == CmpInst::ICMP_EQ    ? OpKind::Eq
                      : wanted == CmpInst::ICMP_NE  ? OpKind::Ne
                      : wanted == CmpInst::ICMP_SLT ? OpKind::Slt
                      : wanted == CmpInst::ICMP_SLE ? OpKind::Sle
                      : wanted == CmpInst::ICMP_ULT ? OpKind::Ult
                                                    : OpKind::Ule;
  return op(loc, kind, builder.getI1Type(), {a, b});
}

/// The overlay has ordered ==, < and <=. An unordered test is the inverse of the
/// opposite ordered one.
mlir::Value ComputeEmitter::compareFloat(mlir::Location loc, unsigned predicate, mlir::Value a,
                                         mlir::Value b) {
  mlir::Type flag = builder.getI1Type();
  auto test = [&](OpKind kind, mlir::Value x, mlir::Value y) {
    return op(loc, kind, flag, {x, y});
  };
  switch (predicate) {
  case CmpInst::FCMP_FALSE:
    return constant(loc, flag, 0);
  case CmpInst::FCMP_TRUE:
    return constant(loc, flag, 1);
  case CmpInst::FCMP_OEQ:
    return test(OpKind::Feq, a, b);
  case CmpInst::FCMP_OLT:
    return test(OpKind::Flt, a, b);
  case CmpInst::FCMP_OLE:
    return test(OpKind::Fle, a, b);
  case CmpInst::FCMP_OGT:
    return test(OpKind::Flt, b, a);
  case CmpInst::FCMP_OGE:
    return test(OpKind::Fle, b, a);
  case CmpInst::FCMP_ONE:
    return test(OpKind::Or, test(OpKind::Flt, a, b), test(OpKind::Flt, b, a));
  case CmpInst::FCMP_ORD:
    return test(OpKind::And, test(OpKind::Feq, a, a), test(OpKind::Feq, b, b));
  default:
    return invert(
        loc, compareFloat(loc, CmpInst::getInversePredicate(CmpInst::Predicate(predicate)), a, b));
  }
}

mlir::Value ComputeEmitter::copySign(mlir::Location loc, mlir::Value magnitude, mlir::Value sign) {
  mlir::Type type = magnitude.getType();
  mlir::Type bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
  uint64_t signBit = uint64_t(1) << (type.getIntOrFloatBitWidth() - 1);
  mlir::Value low = op(loc, OpKind::And, bits,
                       {resize(loc, magnitude, bits), constant(loc, bits, int64_t(signBit - 1))});
  mlir::Value high =
      op(loc, OpKind::And, bits, {resize(loc, sign, bits), constant(loc, bits, int64_t(signBit))});
  return resize(loc, op(loc, OpKind::Or, bits, {low, high}), type);
}

mlir::Value ComputeEmitter::instruction(const Instruction &inst,
                                        function_ref<mlir::Value(Value *)> operand) {
  mlir::MLIRContext *context = builder.getContext();
  mlir::Location loc = convertLocation(inst, context);
  mlir::Type type = convertType(inst.getType(), context);
  unsigned count =
      llvm::isa<CallInst>(inst) ? llvm::cast<CallInst>(inst).arg_size() : inst.getNumOperands();
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  bool isAbs = call && call->getIntrinsicID() == Intrinsic::abs;
  SmallVector<mlir::Value, 3> inputs;
  for (unsigned i = 0; i < (isAbs ? 1 : count); i++)
    inputs.push_back(operand(inst.getOperand(i)));
  if (std::optional<isa::Op> direct = directOp(inst)) {
    if (*direct == isa::Op::Rotl) // the intrinsic names both halves
      inputs.erase(inputs.begin());
    auto node = dfg::ComputeOp::create(builder, loc, type, OpKind(unsigned(*direct)), inputs);
    if (llvm::isa<FPMathOperator>(inst) && inst.hasAllowReassoc())
      node.setReassoc(true);
    return node.getResult();
  }
  if (isAbs) {
    mlir::Value negative = op(loc, OpKind::Sub, type, {constant(loc, type, 0), inputs[0]});
    return op(loc, OpKind::Smax, type, {inputs[0], negative});
  }
  if (call)
    return copySign(loc, inputs[0], inputs[1]);
  if (llvm::isa<CastInst>(inst))
    return cast(loc, inst.getOpcode(), inputs[0], type);
  if (auto *compare = dyn_cast<ICmpInst>(&inst))
    return compareInt(loc, compare->getPredicate(), inputs[0], inputs[1]);
  if (auto *compare = dyn_cast<FCmpInst>(&inst))
    return compareFloat(loc, compare->getPredicate(), inputs[0], inputs[1]);
  if (llvm::isa<SelectInst>(inst))
    return op(loc, OpKind::Select, type, inputs);
  return inputs[0]; // freeze
}

} // namespace acis::import
