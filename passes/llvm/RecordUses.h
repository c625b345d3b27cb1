// What the address of a record, or of an array of records, is used for in a handler: followed from
// the variable through all pointers to its records.
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"

#include <optional>

namespace llvm {
class GetElementPtrInst;
class GlobalVariable;
class Instruction;
class MemIntrinsic;
} // namespace llvm

namespace acis {

/// What a step from a pointer to a record leads to.
struct RecordAddress {
  enum class Kind {
    Record, ///< another record of the variable
    Member, ///< in an array or a record that is a member
    Bytes,  ///< some byte of the record, to access numbers there
  };

  Kind kind = Kind::Record;
  unsigned member = 0;  ///< Member: which
  unsigned inner = 0;   ///< Member: the step's first operand that is an index within it
  uint64_t bytes = 0;   ///< Bytes: from the start of the record
  int64_t constant = 0; ///< by how many records, and by how many times each of these values
  llvm::SmallVector<std::pair<llvm::Value *, int64_t>, 2> terms;
};

class RecordUses {
public:
  /// Records that one copy may be of, but from a constant table: it becomes as many copies.
  static constexpr uint64_t MaxCopied = 16;

  /// `object` is a variable with elements of type `record`.
  RecordUses(llvm::Value &object, llvm::StructType *record, const llvm::DataLayout &data);

  /// Finds all uses. False if there is one that is not of whole members: then nothing is to be
  /// split.
  bool collect();

  /// Whether SROA cannot tell which members are accessed: an index is not a constant, or may not
  /// be.
  bool isIndexed() const { return indexed; }

  /// Every pointer to a record, the object first.
  llvm::ArrayRef<llvm::Value *> pointers() const { return found.getArrayRef(); }
  bool isPointer(llvm::Value *value) const { return found.contains(value); }

  /// What takes one of the pointers and makes none.
  llvm::ArrayRef<llvm::Instruction *> uses() const { return users.getArrayRef(); }

  /// nullopt if it may be in several members.
  std::optional<RecordAddress> analyse(llvm::GetElementPtrInst &step) const;

  llvm::StructType *type() const { return record; }
  unsigned memberAt(uint64_t bytes) const { return layout.getElementContainingOffset(bytes); }
  uint64_t offsetOf(unsigned member) const { return layout.getElementOffset(member); }

  /// Whether `length` bytes behind `bytes` are in one member.
  bool isInMember(uint64_t length, uint64_t bytes) const;

  /// The members, numbers all, that an integer is of which the first byte is `bytes`; none if it
  /// has a part of one.
  llvm::SmallVector<unsigned, 8> partsOf(llvm::Type *type, uint64_t bytes) const;

  /// How many records a copy or fill is of; 0: not a number of whole ones, or not known.
  uint64_t recordsOf(const llvm::MemIntrinsic &call) const;

  /// Whether a copy or fill is of (a part of) the first member.
  bool isOfFirst(const llvm::MemIntrinsic &call) const;

  /// The constant records that are copied, null if there are others.
  llvm::GlobalVariable *tableOf(const llvm::MemIntrinsic &call) const;

private:
  bool follow(llvm::Value &pointer, llvm::Instruction &user);
  RecordAddress byNumbers(llvm::GetElementPtrInst &step) const;
  RecordAddress byBytes(int64_t bytes) const;
  bool areOurs(const llvm::Value &value) const;
  bool isOfRecords(const llvm::MemIntrinsic &call) const;
  bool isOfAccesses(llvm::GetElementPtrInst &step, uint64_t bytes) const;
  bool isAccess(const llvm::Value &pointer, llvm::Instruction &access, uint64_t bytes) const;

  llvm::StructType *record;
  const llvm::DataLayout &data;
  const llvm::StructLayout &layout;
  const uint64_t size;
  bool indexed = false;
  llvm::SetVector<llvm::Value *> found;
  llvm::SetVector<llvm::Instruction *> users;
};

/// Whether a type is of what the overlay computes with.
inline bool isNumber(const llvm::Type *type) {
  return type->isIntegerTy() || type->isFloatingPointTy();
}

} // namespace acis
