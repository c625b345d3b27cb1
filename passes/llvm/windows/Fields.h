// Fields of the input stream, which are read by words that have parts of them.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace llvm {
class LoadInst;
class ScalarEvolution;
} // namespace llvm

namespace acis {

/// A word that has a part of a field: where it begins, in bytes behind the beginning of the field,
/// and its size.
struct Piece {
  int64_t at;
  unsigned bytes;
};

/// Replaces the read of a field by reads of these words, which have all of it.
void readByWords(llvm::LoadInst &read, llvm::ArrayRef<Piece> pieces);

/// Makes reads that overlap, as of a byte and of the word that it is in, at constant distances, of
/// the words between their bounds: a stream has each byte once. Returns whether there were such;
/// they are gone then.
bool splitOverlaps(llvm::ArrayRef<llvm::LoadInst *> reads, llvm::ScalarEvolution &evolution);

} // namespace acis
