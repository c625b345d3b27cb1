// Scalar stream accesses of control code.
#include "passes/import/ControlCalls.h"

#include "passes/llvm/Diagnose.h"
#include "passes/llvm/windows/Footprint.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace acis::import {
namespace {

class Lowering {
public:
  Lowering(Function &handler, StreamAccess &accesses, const FunctionAnalyses &analyses,
           Diagnostics &diagnostics)
      : handler(handler), module(*handler.getParent()), accesses(accesses), analyses(analyses),
        diagnostics(diagnostics), word(Type::getInt32Ty(handler.getContext())) {}

  void run();

private:
  void checkInstruction(Instruction &inst);
  bool isBehind(const Instruction &second, const Instruction &first) const;
  void checkOrder(ArrayRef<const Access *> control);
  void checkLoops(const Access &access, const SCEV *start);
  void lower(const Access &access);
  Value *readStream(IRBuilder<> &builder, const Access &access);
  void writeStream(IRBuilder<> &builder, const Access &access);
  void lowerLength(IRBuilder<> &builder, const Access &access);
  void lowerTiles();
  FunctionCallee callee(StringRef name, Type *result, unsigned words);
  void error(const Instruction &at, Refusal refusal) {
    diagnostics.push_back(diagnose(at, std::move(refusal)));
  }

  Function &handler;
  Module &module;
  StreamAccess &accesses;
  const FunctionAnalyses &analyses;
  Diagnostics &diagnostics;
  Type *word;
};

FunctionCallee Lowering::callee(StringRef name, Type *result, unsigned words) {
  SmallVector<Type *, 3> parameters(words, word);
  return module.getOrInsertFunction(name, FunctionType::get(result, parameters, false));
}

/// Floating point and arrays are in nests by now, also single steps (ControlSteps.h).
void Lowering::checkInstruction(Instruction &inst) {
  auto *call = dyn_cast<CallInst>(&inst);
  if (!call)
    return;
  Function *called = call->getCalledFunction();
  if (!called) {
    error(inst, Refusal(Why::CallThroughPointer));
    return;
  }
  if (called->isIntrinsic())
    return;
  if (!called->getName().starts_with("acis.") && called->getName() != "__acis_tile")
    error(inst, Refusal(Why::CallUndefined, demangle(called->getName())));
}

/// Whether `second` runs after `first` in the same iteration of all loops around it, if it runs.
bool Lowering::isBehind(const Instruction &second, const Instruction &first) const {
  return analyses.dominators.dominates(&first, &second) &&
         analyses.loops.getLoopFor(first.getParent()) ==
             analyses.loops.getLoopFor(second.getParent());
}

/// Rows of a matrix that are read column by column go back.
void Lowering::checkLoops(const Access &access, const SCEV *start) {
  const auto bytes = int64_t(access.type->getPrimitiveSizeInBits() / 8);
  if (const std::optional<int64_t> back =
          goesBackBy(*access.inst->getParent(), start, bytes, nullptr, analyses.loops,
                     analyses.dominators, analyses.evolution))
    error(*access.inst, Refusal(Why::StreamGoesBackInLoop, access.object->name, *back,
                                access.isWrite() ? "written" : "read"));
}

/// Accesses one behind the other must have positions that grow.
void Lowering::checkOrder(ArrayRef<const Access *> control) {
  ScalarEvolution &evolution = analyses.evolution;
  const Access *last[2] = {};
  const SCEV *lastStart[2] = {};
  for (const Access *access : control) {
    ObjectKind kind = access->object->kind;
    if (kind != ObjectKind::In && kind != ObjectKind::Out)
      continue;
    unsigned which = kind == ObjectKind::Out;
    const SCEV *start = accesses.position(*access, nullptr).start;
    if (auto *moving = dyn_cast<SCEVAddRecExpr>(start);
        moving && evolution.isKnownNegative(moving->getStepRecurrence(evolution)))
      error(*access->inst, Refusal(Why::StreamMovesBackward, access->object->name));
    else
      checkLoops(*access, start);
    if (last[which] && isBehind(*access->inst, *last[which]->inst) &&
        start->getType() == lastStart[which]->getType()) {
      auto *distance = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(start, lastStart[which]));
      if (distance && distance->getAPInt().isNegative())
        error(*access->inst,
              Refusal(Why::StreamGoesBack, access->object->name,
                      -distance->getAPInt().getSExtValue(), which ? "written" : "read"));
    }
    last[which] = access;
    lastStart[which] = start;
  }
}

/// What a store stores now: the load that it was may be a call already.
Value *storedValue(const Access &access) { return cast<StoreInst>(access.inst)->getValueOperand(); }

Value *Lowering::readStream(IRBuilder<> &builder, const Access &access) {
  unsigned bytes = access.type->getPrimitiveSizeInBits() / 8;
  FunctionCallee read = callee("acis.streamin", word, 2);
  Value *position = builder.CreatePtrToInt(access.pointer, word);
  auto part = [&](unsigned offset, unsigned size) {
    return builder.CreateCall(read, {builder.CreateAdd(position, builder.getInt32(offset)),
                                     builder.getInt32(Log2_32(size))});
  };
  Value *value = nullptr;
  if (bytes == 8) {
    Value *low = builder.CreateZExt(part(0, 4), builder.getInt64Ty());
    Value *high = builder.CreateZExt(part(4, 4), builder.getInt64Ty());
    value = builder.CreateOr(low, builder.CreateShl(high, 32));
  } else {
    value = builder.CreateTrunc(part(0, bytes), builder.getIntNTy(bytes * 8));
  }
  return builder.CreateBitCast(value, access.type);
}

void Lowering::writeStream(IRBuilder<> &builder, const Access &access) {
  unsigned bytes = access.type->getPrimitiveSizeInBits() / 8;
  FunctionCallee write = callee("acis.streamout", builder.getVoidTy(), 3);
  Value *position = builder.CreatePtrToInt(access.pointer, word);
  Value *value = builder.CreateBitCast(storedValue(access), builder.getIntNTy(bytes * 8));
  if (bytes == 8) {
    builder.CreateCall(write, {position, builder.CreateTrunc(value, word), builder.getInt32(2)});
    value = builder.CreateTrunc(builder.CreateLShr(value, 32), word);
    position = builder.CreateAdd(position, builder.getInt32(4));
    bytes = 4;
  }
  builder.CreateCall(write,
                     {position, builder.CreateZExt(value, word), builder.getInt32(Log2_32(bytes))});
}

void Lowering::lowerLength(IRBuilder<> &builder, const Access &access) {
  if (access.type != word) {
    error(*access.inst, Refusal(Why::LengthType));
    return;
  }
  if (access.isWrite())
    builder.CreateCall(callee("acis.setpktlen", builder.getVoidTy(), 1), {storedValue(access)});
  else
    access.inst->replaceAllUsesWith(builder.CreateCall(callee("acis.pktlen", word, 0)));
}

void Lowering::lower(const Access &access) {
  IRBuilder<> builder(access.inst);
  switch (access.object->kind) {
  case ObjectKind::Mem:
    return;
  case ObjectKind::Array:
    llvm_unreachable("steps on arrays are nests");
  case ObjectKind::In:
    if (access.isWrite()) {
      error(*access.inst, Refusal(Why::InputWritten, access.object->name));
      return;
    }
    access.inst->replaceAllUsesWith(readStream(builder, access));
    break;
  case ObjectKind::Out:
    if (!access.isWrite()) {
      error(*access.inst, Refusal(Why::OutputRead, access.object->name));
      return;
    }
    writeStream(builder, access);
    break;
  case ObjectKind::Len:
    lowerLength(builder, access);
    break;
  }
  access.inst->eraseFromParent();
}

void Lowering::lowerTiles() {
  Function *tile = module.getFunction("__acis_tile");
  if (!tile)
    return;
  FunctionCallee replacement = callee("acis.tile", word, 2);
  for (User *user : make_early_inc_range(tile->users()))
    if (auto *call = dyn_cast<CallInst>(user))
      if (call->getFunction() == &handler && call->getCalledFunction() == tile)
        call->setCalledFunction(replacement);
}

void Lowering::run() {
  size_t before = diagnostics.size();
  SmallVector<const Access *, 16> control;
  for (Instruction &inst : instructions(handler)) {
    checkInstruction(inst);
    if (const Access *access = accesses.find(&inst))
      control.push_back(access);
  }
  checkOrder(control);
  if (diagnostics.size() != before)
    return;
  for (const Access *access : control)
    lower(*access);
  lowerTiles();
  // Nests access what the parameters point to, so LLVM must not think that only the
  // function does.
  for (Argument &argument : handler.args())
    for (Attribute::AttrKind kind : {Attribute::NoAlias, Attribute::ReadOnly, Attribute::ReadNone,
                                     Attribute::WriteOnly, Attribute::Captures})
      argument.removeAttr(kind);
  handler.removeFnAttr(Attribute::Memory);
}

} // namespace

void lowerControl(Function &handler, StreamAccess &accesses, const FunctionAnalyses &analyses,
                  Diagnostics &diagnostics) {
  Lowering(handler, accesses, analyses, diagnostics).run();
}

} // namespace acis::import
