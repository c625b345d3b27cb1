// One loop for each call; two for arrays that are split over the VPEs.
#include "passes/llvm/Transforms.h"

#include "passes/llvm/Diagnose.h"
#include "passes/llvm/Handlers.h"
#include "passes/llvm/objects/Layout.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace acis {
namespace {

/// What the bytes behind a pointer are.
struct Elements {
  bool isRecord = false;
  Type *element = nullptr;  ///< null: records, or not known, since the pointer is a parameter
  uint64_t vpeElements = 0; ///< elements of one VPE's part; 0: not split over VPEs
};

Elements elementsOf(const Value &base, const DataLayout &data) {
  Type *type = nullptr;
  bool perVpe = false;
  if (auto *alloca = dyn_cast<AllocaInst>(&base)) {
    type = alloca->getAllocatedType();
  } else if (auto *global = dyn_cast<GlobalVariable>(&base)) {
    type = global->getValueType();
    perVpe = global->getSection() == "acis.vpe";
  }
  Elements layout;
  if (!type)
    return layout;
  uint64_t bytes = 0;
  if (auto *array = dyn_cast<ArrayType>(type); array && perVpe)
    bytes = data.getTypeAllocSize(array->getElementType());
  layout.element = numberIn(type, data);
  layout.isRecord = !layout.element;
  if (bytes && layout.element)
    layout.vpeElements = bytes / data.getTypeAllocSize(layout.element);
  return layout;
}

/// Of all that the pointer may be into, if it is the same.
Elements elementsAt(const Value *pointer, const DataLayout &data) {
  const auto objects = objectsBehind(pointer);
  const Elements first = elementsOf(*objects.front(), data);
  const bool isOne = all_of(objects, [&](const Value *object) {
    const Elements other = elementsOf(*object, data);
    return other.element == first.element && other.isRecord == first.isRecord &&
           other.vpeElements == first.vpeElements;
  });
  return isOne ? first : Elements();
}

/// Whether both sides may be in one array.
bool isWithinArray(const MemMoveInst &call) {
  const auto from = objectsBehind(call.getRawSource()), to = objectsBehind(call.getRawDest());
  return any_of(from, [&](const Value *object) { return is_contained(to, object); });
}

/// How far behind the elements that it writes a move reads, if that is a constant.
std::optional<int64_t> distanceOf(const MemMoveInst &call, const DataLayout &data) {
  return call.getRawSource()->getPointerOffsetFrom(call.getRawDest(), data);
}

class Lowering {
public:
  Lowering(MemIntrinsic &call, Diagnostics &diagnostics)
      : call(call), diagnostics(diagnostics), data(call.getDataLayout()) {}

  bool run() {
    if (!choose())
      return false;
    Value *value = nullptr;
    if (auto *set = dyn_cast<MemSetInst>(&call)) {
      value = fillValue(*set);
      if (!value)
        return false;
    }
    emit(value);
    call.eraseFromParent();
    return true;
  }

private:
  bool fail(Refusal refusal) {
    diagnostics.push_back(diagnose(call, std::move(refusal)));
    return false;
  }

  /// Element type and count.
  bool choose() {
    Elements to = elementsAt(call.getRawDest(), data), from;
    if (auto *transfer = dyn_cast<MemTransferInst>(&call)) {
      from = elementsAt(transfer->getRawSource(), data);
    }
    layout = to.element ? to : from;
    element = layout.element ? layout.element : Type::getInt8Ty(call.getContext());
    if (to.isRecord || (!to.element && from.isRecord))
      return fail(Refusal(Why::CopyOfRecords));
    uint64_t size = data.getTypeAllocSize(element);
    Value *length = call.getLength();
    if (auto *constant = dyn_cast<ConstantInt>(length)) {
      if (constant->getZExtValue() % size)
        return fail(Refusal(Why::CopyOfPart, constant->getZExtValue(), size));
      count = ConstantInt::get(constant->getType(), constant->getZExtValue() / size);
    } else if (size == 1) {
      count = length;
    } else if (isPowerOf2_64(size) && isMultiple(length, Log2_64(size))) {
      count = IRBuilder<>(&call).CreateLShr(length, Log2_64(size), "", /*isExact=*/true);
    } else {
      return fail(Refusal(Why::CopyOfUnknownLength));
    }
    return true;
  }

  /// Whether a number of bytes has `zeros` zeros at its end, also as one that a loop carries: what
  /// comes round is what it was, and more.
  bool isMultiple(Value *bytes, unsigned zeros) const {
    SmallSetVector<Value *, 8> parts;
    parts.insert(bytes);
    for (size_t at = 0; at < parts.size(); at++) {
      auto *inst = dyn_cast<Instruction>(parts[at]);
      const bool isSum = inst && (inst->getOpcode() == Instruction::Add ||
                                  inst->getOpcode() == Instruction::Sub || isa<PHINode>(inst));
      if (isSum)
        parts.insert(inst->value_op_begin(), inst->value_op_end());
      else if (auto *choice = dyn_cast_or_null<SelectInst>(inst))
        parts.insert(choice->value_op_begin() + 1, choice->value_op_end());
      else if (computeKnownBits(parts[at], data).countMinTrailingZeros() < zeros)
        return false;
    }
    return true;
  }

  Value *fillValue(MemSetInst &set) {
    if (auto *byte = dyn_cast<ConstantInt>(set.getValue())) {
      unsigned bits = element->getPrimitiveSizeInBits();
      APInt pattern = APInt::getSplat(bits, byte->getValue());
      if (element->isIntegerTy())
        return ConstantInt::get(element, pattern);
      return ConstantFP::get(element, APFloat(element->getFltSemantics(), pattern));
    }
    if (element->isIntegerTy(8))
      return set.getValue();
    fail(Refusal(Why::FillWithUnknown));
    return nullptr;
  }

  /// Opens a loop of `n` iterations (at least one) before `at`, puts the insertion point
  /// into its body and returns its counter.
  Value *openLoop(Value *n, Instruction *at) {
    BasicBlock *before = at->getParent();
    BasicBlock *body = SplitBlock(before, at);
    BasicBlock *after = SplitBlock(body, at);
    body->setName("elements");
    IRBuilder<> builder(body, body->begin());
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    PHINode *counter = builder.CreatePHI(n->getType(), 2);
    counter->addIncoming(ConstantInt::get(n->getType(), 0), before);
    Value *next = builder.CreateAdd(counter, ConstantInt::get(n->getType(), 1), "", /*NUW=*/true);
    builder.CreateCondBr(builder.CreateICmpEQ(next, n), after, body);
    body->getTerminator()->eraseFromParent();
    counter->addIncoming(next, body);
    insertAt = body->getFirstNonPHIIt();
    return counter;
  }

  void emit(Value *value) {
    if (auto *move = dyn_cast<MemMoveInst>(&call); move && isWithinArray(*move))
      isUpwards = movesUpwards(*move);
    if (!isa<ConstantInt>(count))
      guard();
    uint64_t part = layout.vpeElements;
    auto *constant = dyn_cast<ConstantInt>(count);
    if (!constant || !part || constant->getZExtValue() <= part || constant->getZExtValue() % part)
      return emitBody(openLoop(count, &call), value);
    // Over the VPEs, and over the part of each.
    Type *type = count->getType();
    Value *vpe = openLoop(ConstantInt::get(type, constant->getZExtValue() / part), &call);
    Value *element = openLoop(ConstantInt::get(type, part), &*insertAt);
    IRBuilder<> builder(insertAt->getParent(), insertAt);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    Value *first = builder.CreateMul(vpe, ConstantInt::get(type, part));
    emitBody(builder.CreateAdd(first, element), value);
  }

  /// Whether a move within an array begins at the last element, so that each is read before it is
  /// written.
  Value *movesUpwards(MemMoveInst &move) {
    IRBuilder<> builder(&call);
    const std::optional<int64_t> distance = distanceOf(move, data);
    return distance ? builder.getInt1(*distance < 0)
                    : builder.CreateICmpULT(move.getRawSource(), move.getRawDest());
  }

  /// Skips the loop when a count that is not a constant is 0.
  void guard() {
    BasicBlock *before = call.getParent();
    BasicBlock *inside = SplitBlock(before, &call);
    BasicBlock *after = SplitBlock(inside, std::next(call.getIterator()));
    IRBuilder<> builder(before->getTerminator());
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    builder.CreateCondBr(builder.CreateICmpEQ(count, ConstantInt::get(count->getType(), 0)), after,
                         inside);
    before->getTerminator()->eraseFromParent();
  }

  void emitBody(Value *index, Value *value) {
    IRBuilder<> builder(insertAt->getParent(), insertAt);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    if (isUpwards) {
      Value *last = builder.CreateSub(count, ConstantInt::get(count->getType(), 1));
      index = builder.CreateSelect(isUpwards, builder.CreateSub(last, index), index);
    }
    if (auto *transfer = dyn_cast<MemTransferInst>(&call))
      value =
          builder.CreateLoad(element, builder.CreateGEP(element, transfer->getRawSource(), index));
    builder.CreateStore(value, builder.CreateGEP(element, call.getRawDest(), index));
  }

  MemIntrinsic &call;
  Diagnostics &diagnostics;
  const DataLayout &data;
  Elements layout;
  Type *element = nullptr;
  Value *count = nullptr;
  Value *isUpwards = nullptr; ///< null: it does not matter
  BasicBlock::iterator insertAt;
};

constexpr unsigned MaxMoved = 64; ///< elements, as of arrays that become scalars

/// A move of a few elements within one array, as std::copy makes them: all are read before the
/// first is written, so the array can be scalars.
class Mover {
public:
  explicit Mover(MemMoveInst &call) : call(call), data(call.getDataLayout()) {}

  bool run() {
    auto *length = dyn_cast<ConstantInt>(call.getLength());
    Type *element = elementsAt(call.getRawDest(), data).element;
    if (!length || !element ||
        getUnderlyingObject(call.getRawSource(), 0) != getUnderlyingObject(call.getRawDest(), 0))
      return false;
    const uint64_t size = data.getTypeAllocSize(element), bytes = length->getZExtValue();
    if (bytes % size != 0 || bytes / size > MaxMoved)
      return false;
    IRBuilder<> builder(&call);
    auto place = [&](Value *array, uint64_t i) {
      return builder.CreateConstInBoundsGEP1_64(element, array, i);
    };
    SmallVector<Value *, MaxMoved> values;
    for (uint64_t i = 0; i < bytes / size; i++)
      values.push_back(builder.CreateLoad(element, place(call.getRawSource(), i)));
    for (auto [i, value] : enumerate(values))
      builder.CreateStore(value, place(call.getRawDest(), i));
    call.eraseFromParent();
    return true;
  }

private:
  MemMoveInst &call;
  const DataLayout &data;
};

/// Whether a pointer is to a local array of a few bytes that is only accessed at constant places:
/// the part of a record that no member of it was taken from, as SROA leaves it.
bool isRestOfRecord(Value *pointer) {
  auto *array = dyn_cast<AllocaInst>(getUnderlyingObject(pointer, /*MaxLookup=*/0));
  auto *type = array ? dyn_cast<ArrayType>(array->getAllocatedType()) : nullptr;
  if (!type || !type->getElementType()->isIntegerTy(8) || type->getNumElements() > MaxMoved)
    return false;
  SmallVector<const Value *, 4> work{array};
  while (!work.empty())
    for (const User *user : work.pop_back_val()->users()) {
      if (auto *step = dyn_cast<GetElementPtrInst>(user); step && step->hasAllConstantIndices())
        work.push_back(step);
      else if (auto *copy = dyn_cast<MemIntrinsic>(user);
               copy && isa<ConstantInt>(copy->getLength()))
        continue;
      else if (!isa<LoadInst, StoreInst>(user))
        return false;
    }
  return true;
}

/// Copies the rest of a record from or to a stream byte by byte, without a loop: the bytes become
/// scalars, and parts of the words that the stream has.
bool copyBytes(MemCpyInst &call) {
  auto *length = dyn_cast<ConstantInt>(call.getLength());
  Value *to = call.getRawDest(), *from = call.getRawSource();
  if (!length || length->getZExtValue() > MaxMoved ||
      !((isRestOfRecord(to) && isStreamPointer(from)) ||
        (isStreamPointer(to) && isRestOfRecord(from))))
    return false;
  IRBuilder<> builder(&call);
  for (uint64_t i = 0; i < length->getZExtValue(); i++) {
    auto place = [&](Value *pointer) {
      return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, i);
    };
    Value *byte = builder.CreateLoad(builder.getInt8Ty(), place(from));
    builder.CreateStore(byte, place(to));
  }
  call.eraseFromParent();
  return true;
}

} // namespace

bool expandMoves(Function &handler) {
  bool changed = false;
  for (Instruction &inst : make_early_inc_range(instructions(handler)))
    if (auto *call = dyn_cast<MemMoveInst>(&inst))
      changed |= Mover(*call).run();
    else if (auto *copy = dyn_cast<MemCpyInst>(&inst))
      changed |= copyBytes(*copy);
  return changed;
}

bool lowerMemory(Function &handler, Diagnostics &diagnostics, bool &changed) {
  SmallVector<MemIntrinsic *, 8> calls;
  for (Instruction &inst : instructions(handler))
    if (auto *call = dyn_cast<MemIntrinsic>(&inst))
      calls.push_back(call);
  changed = !calls.empty();
  bool good = true;
  for (MemIntrinsic *call : calls) {
    if (auto *length = dyn_cast<ConstantInt>(call->getLength()); length && length->isZero())
      call->eraseFromParent();
    else
      good &= Lowering(*call, diagnostics).run();
  }
  return good;
}

} // namespace acis
