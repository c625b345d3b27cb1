// See Fields.h.
#include "passes/llvm/windows/Fields.h"

#include "passes/llvm/windows/Footprint.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <set>

using namespace llvm;

namespace acis {
namespace {

constexpr int64_t LargestWord = 4; ///< bytes that control code reads at once

struct Field {
  const Word *word;
  int64_t begin, end; ///< bytes from the first of the fields
};

int64_t bytesOf(const Word &word) {
  return int64_t(word.reads.front()->getDataLayout().getTypeStoreSize(word.type).getFixedValue());
}

/// Adds the bounds of words between bounds of fields. A word stands at a multiple of its size.
void cutIntoWords(std::set<int64_t> &cuts, const SCEV &first, int64_t begin,
                  ScalarEvolution &evolution) {
  const int64_t multiple = std::min(
      LargestWord,
      int64_t(evolution.getConstantMultiple(&first).getLimitedValue(uint64_t(LargestWord))));
  for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
    const int64_t left = *std::next(cut) - *cut;
    int64_t size = LargestWord;
    while (size > left || (size > 1 && (multiple % size != 0 || (*cut - begin) % size != 0)))
      size /= 2;
    cuts.insert(*cut + size);
  }
}

/// The fields of a list in order of their beginning, from the first on that overlaps the next.
bool splitGroup(ArrayRef<Field> fields, ScalarEvolution &evolution) {
  if (all_of(fields, [&](const Field &field) {
        return field.begin == fields.front().begin && field.end == fields.front().end &&
               field.word->type == fields.front().word->type;
      }))
    return false;
  std::set<int64_t> cuts;
  for (const Field &field : fields)
    cuts.insert({field.begin, field.end});
  cutIntoWords(cuts, *fields.front().word->place, fields.front().begin, evolution);
  for (const Field &field : fields) {
    SmallVector<Piece, 4> pieces; // from each of the cuts in it to the next
    for (auto cut = cuts.find(field.begin); *cut != field.end; ++cut)
      pieces.push_back({*cut - field.begin, unsigned(*std::next(cut) - *cut)});
    for (LoadInst *read : field.word->reads)
      readByWords(*read, pieces);
  }
  return true;
}

} // namespace

void readByWords(LoadInst &read, ArrayRef<Piece> pieces) {
  IRBuilder<> builder(&read);
  Type *whole =
      builder.getIntNTy(unsigned(read.getDataLayout().getTypeStoreSizeInBits(read.getType())));
  Value *value = ConstantInt::getNullValue(whole);
  for (const Piece &piece : pieces) {
    Value *place = builder.CreateConstGEP1_64(builder.getInt8Ty(), read.getPointerOperand(),
                                              uint64_t(piece.at));
    Value *part = builder.CreateLoad(builder.getIntNTy(8 * piece.bytes), place);
    if (piece.at < 0)
      part = builder.CreateLShr(part, uint64_t(-8 * piece.at));
    part = builder.CreateZExtOrTrunc(part, whole);
    if (piece.at > 0)
      part = builder.CreateShl(part, uint64_t(8 * piece.at));
    value = builder.CreateOr(part, value);
  }
  read.replaceAllUsesWith(builder.CreateBitCast(value, read.getType()));
  read.eraseFromParent();
}

bool splitOverlaps(ArrayRef<LoadInst *> reads, ScalarEvolution &evolution) {
  SmallVector<Word, 8> words = wordsOf(reads, evolution);
  bool changed = false;
  SmallVector<Field, 4> group; // that overlap
  const SCEV *first = nullptr;
  int64_t end = 0;
  for (const Word &word : words) {
    std::optional<int64_t> begin = distance(first, word.place, evolution);
    if (!begin || *begin >= end) {
      changed |= group.size() > 1 && splitGroup(group, evolution);
      group.clear();
      first = word.place;
      begin = end = 0;
    }
    group.push_back({&word, *begin, *begin + bytesOf(word)});
    end = std::max(end, group.back().end);
  }
  return (group.size() > 1 && splitGroup(group, evolution)) || changed;
}

} // namespace acis
