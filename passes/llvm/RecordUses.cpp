// See RecordUses.h.
#include "passes/llvm/RecordUses.h"

#include "passes/llvm/RecordTypes.h"

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace acis {
namespace {

bool isJoin(const Value &value) { return isa<PHINode, SelectInst>(value); }

void addTerm(RecordAddress &address, Value *index, int64_t records) {
  if (auto *constant = dyn_cast<ConstantInt>(index))
    address.constant += constant->getSExtValue() * records;
  else
    address.terms.emplace_back(index, records);
}

} // namespace

RecordUses::RecordUses(Value &object, StructType *record, const DataLayout &data)
    : record(record), data(data), layout(*data.getStructLayout(record)),
      size(data.getTypeAllocSize(record)) {
  found.insert(&object);
}

bool RecordUses::collect() {
  for (size_t at = 0; at < found.size(); at++)
    for (User *user : found[at]->users())
      if (!isa<Instruction>(user) || !follow(*found[at], cast<Instruction>(*user)))
        return false;
  return all_of(found, [&](Value *pointer) { return !isJoin(*pointer) || areOurs(*pointer); }) &&
         all_of(users, [&](Instruction *use) { return !isa<ICmpInst>(use) || areOurs(*use); });
}

/// Whether all pointers that an instruction takes are to records of this object, or to none.
bool RecordUses::areOurs(const Value &value) const {
  return all_of(cast<User>(value).operands(), [&](Value *operand) {
    return !operand->getType()->isPointerTy() || found.contains(operand) ||
           isa<ConstantPointerNull, UndefValue>(operand);
  });
}

bool RecordUses::follow(Value &pointer, Instruction &user) {
  if (isJoin(user))
    return found.insert(&user), indexed = true;
  if (auto *step = dyn_cast<GetElementPtrInst>(&user)) {
    std::optional<RecordAddress> address = analyse(*step);
    if (!address)
      return false;
    indexed |= !address->terms.empty() || address->kind == RecordAddress::Kind::Member;
    if (address->kind == RecordAddress::Kind::Record)
      return found.insert(step), true;
    if (address->kind == RecordAddress::Kind::Bytes && !isOfAccesses(*step, address->bytes))
      return false;
  } else if (isa<LoadInst, StoreInst>(user)) {
    if (!isAccess(pointer, user, 0))
      return false;
  } else if (auto *call = dyn_cast<MemIntrinsic>(&user)) {
    if (!isOfFirst(*call) && !isOfRecords(*call))
      return false;
  } else if (auto *call = dyn_cast<IntrinsicInst>(&user); !call || !call->isLifetimeStartOrEnd()) {
    if (!isa<ICmpInst>(user))
      return false;
  }
  return users.insert(&user), true;
}

std::optional<RecordAddress> RecordUses::analyse(GetElementPtrInst &step) const {
  Type *type = step.getSourceElementType();
  if (recordOf(type) == record)
    return byNumbers(step);
  // An array, or a record, that the first member is or begins with. A number has no neighbours.
  auto *first = dyn_cast<ConstantInt>(step.getOperand(1));
  if (first && first->isZero() && type->isAggregateType() && beginsWith(record, type)) {
    RecordAddress address;
    address.kind = RecordAddress::Kind::Member;
    address.inner = 1;
    return address;
  }
  APInt bytes(data.getIndexTypeSizeInBits(step.getType()), 0);
  if (step.accumulateConstantOffset(data, bytes))
    return byBytes(bytes.getSExtValue());
  return std::nullopt;
}

RecordAddress RecordUses::byNumbers(GetElementPtrInst &step) const {
  Type *type = step.getSourceElementType();
  RecordAddress address;
  for (unsigned at = 1; at < step.getNumOperands(); at++) {
    Value *index = step.getOperand(at);
    if (at > 1 && type == record) {
      address.member = cast<ConstantInt>(index)->getZExtValue();
      address.inner = at + 1;
      address.bytes = int64_t(layout.getElementOffset(address.member));
      address.kind = isNumber(record->getElementType(address.member)) ? RecordAddress::Kind::Bytes
                                                                      : RecordAddress::Kind::Member;
      return address;
    }
    if (at > 1)
      type = GetElementPtrInst::getTypeAtIndex(type, index);
    addTerm(address, index, data.getTypeAllocSize(type) / size);
  }
  return address;
}

RecordAddress RecordUses::byBytes(int64_t bytes) const {
  RecordAddress address;
  address.kind = RecordAddress::Kind::Bytes;
  address.constant = divideFloorSigned(bytes, int64_t(size));
  address.bytes = bytes - address.constant * int64_t(size);
  if (address.bytes == 0)
    address.kind = RecordAddress::Kind::Record;
  return address;
}

/// Whether all that uses an address `bytes` behind the start of a record stays in what is there.
bool RecordUses::isOfAccesses(GetElementPtrInst &step, uint64_t bytes) const {
  return all_of(step.users(), [&](User *user) {
    if (auto *call = dyn_cast<MemIntrinsic>(user))
      return !call->isVolatile() && isa<ConstantInt>(call->getLength()) &&
             isInMember(cast<ConstantInt>(call->getLength())->getZExtValue(), bytes);
    return isAccess(step, cast<Instruction>(*user), bytes);
  });
}

/// Whether a load or store is of a whole number of members, or is in one.
bool RecordUses::isAccess(const Value &pointer, Instruction &access, uint64_t bytes) const {
  if (!isa<LoadInst, StoreInst>(access) || getLoadStorePointerOperand(&access) != &pointer ||
      access.isVolatile())
    return false;
  Type *type = getLoadStoreType(&access);
  return isNumber(type) && (isInMember(data.getTypeStoreSize(type), bytes) ||
                            (type->isIntegerTy() && !partsOf(type, bytes).empty()));
}

bool RecordUses::isInMember(uint64_t length, uint64_t bytes) const {
  unsigned member = layout.getElementContainingOffset(bytes);
  return bytes - layout.getElementOffset(member) + length <=
         data.getTypeAllocSize(record->getElementType(member));
}

SmallVector<unsigned, 8> RecordUses::partsOf(Type *type, uint64_t bytes) const {
  const uint64_t end = bytes + data.getTypeStoreSize(type);
  SmallVector<unsigned, 8> parts;
  for (unsigned i = 0; i < record->getNumElements(); i++) {
    const uint64_t first = layout.getElementOffset(i);
    const uint64_t behind = first + data.getTypeStoreSize(record->getElementType(i));
    if (behind <= bytes || first >= end)
      continue;
    if (first < bytes || behind > end || !isNumber(record->getElementType(i)))
      return {};
    parts.push_back(i);
  }
  return parts;
}

uint64_t RecordUses::recordsOf(const MemIntrinsic &call) const {
  auto *length = dyn_cast<ConstantInt>(call.getLength());
  return !length || length->getZExtValue() % size != 0 ? 0 : length->getZExtValue() / size;
}

bool RecordUses::isOfRecords(const MemIntrinsic &call) const {
  uint64_t records = recordsOf(call);
  return !call.isVolatile() && records != 0 &&
         (records <= MaxCopied || isa<MemSetInst>(call) || tableOf(call));
}

bool RecordUses::isOfFirst(const MemIntrinsic &call) const {
  auto *length = dyn_cast<ConstantInt>(call.getLength());
  return length && !call.isVolatile() && isInMember(length->getZExtValue(), 0);
}

GlobalVariable *RecordUses::tableOf(const MemIntrinsic &call) const {
  auto *table = dyn_cast<GlobalVariable>(cast<MemTransferInst>(call).getRawSource());
  return table && table->isConstant() && table->hasDefinitiveInitializer() &&
                 recordOf(sourceTypeOf(*table)) == record && !found.contains(table)
             ? table
             : nullptr;
}

} // namespace acis
