// Fields: what a program accesses at once of a stream or of an array, and the words that have parts
// of it.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace llvm {
class AllocaInst;
class IRBuilderBase;
class Instruction;
class LoadInst;
class Type;
class Value;
} // namespace llvm

namespace acis {

bool isNumber(const llvm::Type *type);

/// Bytes that a load or a store accesses.
int64_t bytesOf(const llvm::Instruction &access);

/// The address that is so many bytes behind one.
llvm::Value *addressBehind(llvm::IRBuilderBase &builder, llvm::Value *address, int64_t bytes);

/// What a number that begins with byte `at` of a value of this type has of it; other bytes are 0.
llvm::Value *placedAt(llvm::IRBuilderBase &builder, llvm::Value *number, int64_t at,
                      llvm::Type *type);

/// A word that has a part of a field: where it begins, in bytes behind the beginning of the field.
struct Piece {
  int64_t at;
  llvm::Type *type;
};

/// Replaces the read of a field by reads of these words, which have all of it.
void readByWords(llvm::LoadInst &read, llvm::ArrayRef<Piece> pieces);

/// A loop in front of an instruction that copies so many words, perhaps none, to the beginning of
/// an array of them. Returns its read.
llvm::LoadInst &copyWords(llvm::Instruction &before, llvm::Value &from, llvm::AllocaInst &array,
                          llvm::Value &count);

/// A loop in front of an instruction that writes 0 to words of an array from one on up to another
/// one, if that is later.
void clearWords(llvm::Instruction &before, llvm::AllocaInst &array, llvm::Value &first,
                llvm::Value &end);

} // namespace acis
