// Fills and copies of records: of each column that has a part of them.
#include "passes/llvm/objects/Rewriter.h"

#include "passes/llvm/windows/Streams.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace acis {
namespace {

constexpr uint64_t LargestInteger = 8; ///< bytes of a copy of which LLVM would make one number

/// The numbers of a range that are in one column are neighbours there: one run for each column.
SmallVector<Run, 8> joined(ArrayRef<Run> runs) {
  MapVector<unsigned, Run> columns;
  for (const Run &run : runs)
    if (auto [found, isNew] = columns.insert({run.column, run}); !isNew)
      found->second.count += run.count;
  return SmallVector<Run, 8>(llvm::make_second_range(columns));
}

/// The constant variable that a pointer is into, and where in it.
GlobalVariable *constantAt(Value *pointer, const DataLayout &data, uint64_t &byte) {
  APInt offset(data.getIndexTypeSizeInBits(pointer->getType()), 0);
  auto *variable = dyn_cast<GlobalVariable>(
      pointer->stripAndAccumulateConstantOffsets(data, offset, /*AllowNonInbounds=*/true));
  byte = offset.getZExtValue();
  return variable && variable->isConstant() && variable->hasDefinitiveInitializer() ? variable
                                                                                    : nullptr;
}

} // namespace

/// Whether a copy or fill of any length is of an array of numbers, as one that has no records is.
bool Rewriter::isOfNumbers(MemIntrinsic &call) {
  auto *copy = dyn_cast<MemTransferInst>(&call);
  Value &ours = isOurs(call.getRawDest()) ? *call.getRawDest() : *copy->getRawSource();
  return isOfAnyLength(call) && !table.recordsOf(call, *places.of(ours));
}

/// The records of a copy or fill of any length; null where its length is known.
Value *Rewriter::recordsOf(IRBuilder<> &builder, MemIntrinsic &call, Value &pointer) {
  const std::optional<Number> records = table.recordsOf(call, *places.of(pointer));
  return records ? emitter.emit(builder, *records) : nullptr;
}

void Rewriter::rewriteSet(MemSetInst &set) {
  IRBuilder<> builder(&set);
  Value &to = *set.getRawDest();
  Value *records = recordsOf(builder, set, to);
  for (const Run &run :
       joined(runsAt(to, records ? places.of(to)->part().stride : lengthOf(set)))) {
    Value *bytes = ConstantInt::get(numberType, bytesOf(run));
    builder.CreateMemSet(placeOf(builder, to, run), set.getValue(),
                         records ? builder.CreateMul(records, bytes) : bytes, {});
  }
  set.eraseFromParent();
}

void Rewriter::rewriteCopy(MemTransferInst &copy) {
  IRBuilder<> builder(&copy);
  Value *to = copy.getRawDest(), *from = copy.getRawSource();
  uint64_t byte = 0;
  if (isOurs(to) && isOurs(from)) {
    Value *records = recordsOf(builder, copy, *to);
    const uint64_t bytes = records ? places.of(*to)->part().stride : lengthOf(copy);
    for (auto [target, source] : zip(joined(runsAt(*to, bytes)), joined(runsAt(*from, bytes))))
      copyWithin(builder, copy, target, source, records);
  } else if (GlobalVariable *values =
                 isOurs(to) && !isOfAnyLength(copy) ? constantAt(from, data, byte) : nullptr) {
    copyFromTable(builder, copy, *values, byte);
  } else {
    copyRecords(copy);
  }
  copy.eraseFromParent();
}

/// A run, or that of each of some records.
void Rewriter::copyWithin(IRBuilder<> &builder, MemTransferInst &copy, const Run &to,
                          const Run &from, Value *records) {
  Value *target = placeOf(builder, *copy.getRawDest(), to);
  Value *source = placeOf(builder, *copy.getRawSource(), from);
  if (!records && bytesOf(to) <= LargestInteger)
    return copyNumbers(builder, target, source, to);
  Value *bytes = ConstantInt::get(numberType, bytesOf(to));
  if (records)
    bytes = builder.CreateMul(records, bytes);
  if (isa<MemMoveInst>(copy))
    builder.CreateMemMove(target, {}, source, {}, bytes);
  else
    builder.CreateMemCpy(target, {}, source, {}, bytes);
}

/// Reads all, then writes them.
void Rewriter::copyNumbers(IRBuilder<> &builder, Value *to, Value *from, const Run &run) {
  auto at = [&](Value *start, unsigned i) {
    return i == 0 ? start : builder.CreateConstInBoundsGEP1_32(typeOf(run), start, i);
  };
  SmallVector<Value *, 8> values;
  for (unsigned i = 0; i < run.count; i++)
    values.push_back(builder.CreateLoad(typeOf(run), at(from, i)));
  for (unsigned i = 0; i < run.count; i++)
    builder.CreateStore(values[i], at(to, i));
}

/// The values become constants for each column.
void Rewriter::copyFromTable(IRBuilder<> &builder, MemTransferInst &copy, GlobalVariable &values,
                             uint64_t at) {
  MapVector<unsigned, SmallVector<Constant *, 16>> elements;
  auto runs = runsAt(*copy.getRawDest(), lengthOf(copy));
  for (const Run &run : runs)
    for (uint64_t i = 0; i < run.count; i++) {
      const uint64_t byte = at + run.byte + i * columnOf(run).number().stride;
      Constant *value =
          ConstantFoldLoadFromConst(values.getInitializer(), typeOf(run), APInt(64, byte), data);
      elements[run.column].push_back(value ? value : Constant::getNullValue(typeOf(run)));
    }
  for (const Run &run : joined(runs)) {
    ArrayRef<Constant *> own = elements[run.column];
    Constant *array = ConstantArray::get(ArrayType::get(typeOf(run), run.count), own);
    auto *part = new GlobalVariable(*values.getParent(), array->getType(), /*isConstant=*/true,
                                    GlobalValue::PrivateLinkage, array,
                                    values.getName() + columnOf(run).name);
    builder.CreateMemCpy(placeOf(builder, *copy.getRawDest(), run), {}, part, {}, bytesOf(run));
  }
}

/// To or from what has whole records, one behind the other: one record after
/// the other.
void Rewriter::copyRecords(MemTransferInst &copy) {
  Value *ours = isOurs(copy.getRawDest()) ? copy.getRawDest() : copy.getRawSource();
  const uint64_t size = places.of(*ours)->part().stride, bytes = lengthOf(copy);
  IRBuilder<> builder(&copy);
  Value *records = recordsOf(builder, copy, *ours);
  if (!records && (bytes <= size || bytes % size != 0 || places.of(*ours)->part().number))
    return copyRecord(builder, copy, bytes, nullptr);
  emitter.numbersOf(*ours);
  Instruction *before = &copy;
  if (records)
    before = SplitBlockAndInsertIfThen(builder.CreateIsNotNull(records), before,
                                       /*Unreachable=*/false);
  else
    records = ConstantInt::get(numberType, bytes / size);
  auto [body, record] = SplitBlockAndInsertSimpleForLoop(records, before->getIterator());
  builder.SetInsertPoint(body);
  builder.SetCurrentDebugLocation(copy.getDebugLoc());
  copyRecord(builder, copy, size, record);
}

void Rewriter::copyRecord(IRBuilder<> &builder, MemTransferInst &copy, uint64_t bytes,
                          Value *ahead) {
  const bool isRead = isOurs(copy.getRawSource());
  Value *ours = isRead ? copy.getRawSource() : copy.getRawDest();
  Value *other = isRead ? copy.getRawDest() : copy.getRawSource();
  if (ahead)
    other = builder.CreateInBoundsGEP(ArrayType::get(builder.getInt8Ty(), bytes), other, ahead);
  auto at = [&](uint64_t byte) {
    return byte ? builder.CreateInBoundsPtrAdd(other, builder.getInt32(unsigned(byte))) : other;
  };
  // The space between members is sent, too.
  uint64_t sent = 0;
  auto fillTo = [&](uint64_t byte) {
    for (; isRead && isOutputPointer(other) && sent < byte; ++sent)
      builder.CreateStore(builder.getInt8(0), at(sent));
  };
  for (const Run &run : runsAt(*ours, bytes)) {
    fillTo(run.byte);
    sent = run.byte + bytesOf(run);
    Value *inside = placeOf(builder, *ours, run, ahead);
    Value *outside = at(run.byte);
    Value *to = isRead ? outside : inside, *from = isRead ? inside : outside;
    if (bytesOf(run) <= LargestInteger)
      copyNumbers(builder, to, from, run);
    else
      builder.CreateMemCpy(to, {}, from, {}, bytesOf(run));
  }
  fillTo(bytes);
}

} // namespace acis
