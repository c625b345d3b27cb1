// Where streams are cut into words. An array's stream moves by elements of one size: in a loop all
// fields are parts of the largest words in which each of them lies, or of which it is several.
// Elsewhere fields that overlap are cut at their bounds, since no more may be read than C reads.
#include "passes/llvm/windows/Windows.h"

#include "passes/llvm/windows/Facts.h"
#include "passes/llvm/windows/Fields.h"
#include "passes/llvm/windows/Footprint.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <set>

using namespace llvm;

namespace acis {
namespace {

constexpr int64_t LeastTried = 4, MostTried = 8; ///< bytes of a loop's word that is tried first
constexpr int64_t LargestWord = 4;               ///< bytes that control code reads at once

/// A read or a write of a stream in a loop.
struct Field {
  Instruction *access;
  const SCEV *address;
  int64_t bytes;
  int64_t inWord = 0; ///< bytes in front of it in its word
};

class LoopCutter {
public:
  LoopCutter(Function &function, FunctionAnalysisManager &analyses)
      : loops(analyses.getResult<LoopAnalysis>(function)),
        dominators(analyses.getResult<DominatorTreeAnalysis>(function)),
        postDominators(analyses.getResult<PostDominatorTreeAnalysis>(function)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(function)) {}

  bool run() {
    for (Loop *loop : loops)
      visit(*loop);
    return changed;
  }

private:
  using Fields = SmallVector<Field, 8>;
  /// A field that has a part of a word, which begins `at` bytes behind the field.
  struct Part {
    const Field *field;
    int64_t at;
  };
  using Way = SmallVector<Part, 4>;
  using Ways = SmallVector<Way, 2>;

  /// A loop with all in it if it may become one loop of the array, else its parts.
  void visit(Loop &loop) {
    bool isNest = all_of(loop.getLoopsInPreorder(), [&](const Loop *inner) {
      return inner == &loop || evolution.getSmallConstantTripCount(inner) != 0;
    });
    if (!isNest)
      for (Loop *inner : loop)
        visit(*inner);
    Fields reads, writes;
    for (BasicBlock *block : loop.blocks()) // dominating ones first
      if (isNest || loops.getLoopFor(block) == &loop)
        for (Instruction &inst : *block)
          if (Value *pointer = getLoadStorePointerOperand(&inst)) {
            const Field field{&inst, evolution.getSCEV(pointer), bytesOf(inst)};
            if (isa<LoadInst>(inst) && isInputPointer(pointer))
              reads.push_back(field);
            else if (isa<StoreInst>(inst) && isOutputPointer(pointer))
              writes.push_back(field);
          }
    cut(reads);
    cut(writes);
  }

  void cut(Fields &fields) {
    if (!areNoElements(fields))
      return;
    int64_t word = LeastTried;
    for (const Field &field : fields)
      word = std::max(word, std::min(field.bytes, MostTried));
    while (!findPlaces(fields, word) || !areWrittenTogether(fields, word))
      if (word /= 2; word == 0)
        return;
    replace(fields, word);
    changed = true;
  }

  /// Whether the fields are numbers that are no elements of a stream together.
  bool areNoElements(ArrayRef<Field> fields) {
    auto isWord = [](const Field &field) {
      const Type *type = getLoadStoreType(field.access);
      return isNumber(type) && type->getPrimitiveSizeInBits() == uint64_t(8 * field.bytes) &&
             isPowerOf2_64(uint64_t(field.bytes));
    };
    return all_of(fields, isWord) && any_of(fields, [&](const Field &field) {
             return field.bytes != fields[0].bytes || stepsInto(field);
           });
  }

  /// Whether a later iteration has the field where this one has a part of another element.
  bool stepsInto(const Field &field) {
    auto *moving = dyn_cast<SCEVAddRecExpr>(field.address);
    auto *step = moving ? dyn_cast<SCEVConstant>(moving->getStepRecurrence(evolution)) : nullptr;
    return step && step->getAPInt().urem(uint64_t(field.bytes)) != 0;
  }

  /// Finds where each field lies in words of `word` bytes.
  bool findPlaces(Fields &fields, int64_t word) {
    return all_of(fields, [&](Field &field) {
      for (field.inWord = 0; field.inWord + field.bytes <= std::max(word, field.bytes);
           field.inWord += field.bytes)
        if (isMultiple(behind(field, -field.inWord), word))
          return true;
      return false;
    });
  }

  const SCEV *behind(const Field &field, int64_t bytes) {
    Type *offset = evolution.getEffectiveSCEVType(field.address->getType());
    return evolution.getAddExpr(field.address, evolution.getConstant(offset, uint64_t(bytes),
                                                                     /*isSigned=*/true));
  }

  /// Streams begin at a word.
  bool isMultiple(const SCEV *address, int64_t word) {
    auto *base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(address));
    return base && isa<Argument>(base->getValue()) &&
           evolution.getConstantMultiple(evolution.removePointerBase(address))
                   .urem(uint64_t(word)) == 0;
  }

  /// The words of each field, by their distance from it.
  template <typename Use> static void forWords(const Field &field, int64_t word, Use use) {
    for (int64_t at = -field.inWord; at < field.bytes; at += word)
      use(at);
  }

  /// Finds what is written of each word, in the order in which it is, on each of the ways of which
  /// an iteration takes one. False if some of a word may be written without the rest, or a part of
  /// a larger field again. A word that is read twice is found by others.
  bool areWrittenTogether(ArrayRef<Field> fields, int64_t word) {
    written.clear();
    bool areTogether = true;
    for (const Field &field : fields)
      if (isa<StoreInst>(field.access))
        forWords(field, word, [&](int64_t at) {
          areTogether &= addTo(written[behind(field, at)], {&field, at}, word);
        });
    return areTogether;
  }

  /// Behind the way that a part follows, or as another way.
  bool addTo(Ways &ways, Part part, int64_t word) {
    for (Way &way : ways)
      if (const Field &last = *way.back().field; follows(*part.field, last))
        return part.field->bytes <= word && last.bytes <= word && (way.push_back(part), true);
      else if (mayBothBe(*part.field, last))
        return false;
    ways.push_back({part});
    return true;
  }

  /// Whether one iteration may come to both.
  bool mayBothBe(const Field &one, const Field &other) const {
    const BasicBlock *from = one.access->getParent(), *to = other.access->getParent();
    const Loop *loop = loops.getLoopFor(from);
    while (loop && !loop->contains(to))
      loop = loop->getParentLoop();
    const BasicBlock *header = loop ? loop->getHeader() : nullptr;
    return from == to || leadsTo(*from, *to, header) || leadsTo(*to, *from, header);
  }

  /// Whether a field is written if and only if another one was, in the same iteration.
  bool follows(const Field &second, const Field &first) {
    const BasicBlock *from = first.access->getParent(), *to = second.access->getParent();
    return dominators.dominates(first.access, second.access) &&
           postDominators.dominates(to, from) && loops.getLoopFor(from) == loops.getLoopFor(to);
  }

  void replace(ArrayRef<Field> fields, int64_t word) {
    Type *type = Type::getIntNTy(fields[0].access->getContext(), unsigned(8 * word));
    for (const auto &entry : written)
      for (const Way &way : entry.second)
        writeWord(way, type);
    for (const Field &field : fields) {
      SmallVector<Piece, 4> pieces;
      forWords(field, word, [&](int64_t at) { pieces.push_back({at, type}); });
      if (auto *read = dyn_cast<LoadInst>(field.access))
        readByWords(*read, pieces);
      else
        field.access->eraseFromParent();
    }
  }

  /// All parts are joined where the last of them was written.
  static void writeWord(ArrayRef<Part> parts, Type *type) {
    const Part &last = parts.back();
    IRBuilder<> builder(last.field->access);
    const unsigned bits = type->getIntegerBitWidth();
    Value *joined = ConstantInt::get(type, 0);
    for (auto [field, at] : parts) {
      Value *value = cast<StoreInst>(field->access)->getValueOperand();
      // A later write of the same bytes replaces the earlier.
      const APInt replaced =
          APInt::getBitsSet(bits, unsigned(std::max<int64_t>(0, -8 * at)),
                            unsigned(std::min<int64_t>(bits, 8 * (field->bytes - at))));
      joined = builder.CreateAnd(joined, ConstantInt::get(type, ~replaced));
      joined = builder.CreateOr(joined, placedAt(builder, value, -at, type));
    }
    Value *pointer = getLoadStorePointerOperand(last.field->access);
    builder.CreateStore(joined, addressBehind(builder, pointer, last.at));
  }

  LoopInfo &loops;
  DominatorTree &dominators;
  PostDominatorTree &postDominators;
  ScalarEvolution &evolution;
  MapVector<const SCEV *, Ways> written; ///< by the word's address
  bool changed = false;
};

/// Adds the bounds of words between bounds of fields. A word stands at a multiple of its size.
void cutBetween(std::set<int64_t> &cuts, const SCEV &first, ScalarEvolution &evolution) {
  const auto multiple =
      int64_t(evolution.getConstantMultiple(&first).getLimitedValue(uint64_t(LargestWord)));
  for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
    const int64_t left = *std::next(cut) - *cut;
    int64_t size = LargestWord;
    while (size > left || (size > 1 && (multiple % size != 0 || *cut % size != 0)))
      size /= 2;
    cuts.insert(*cut + size);
  }
}

} // namespace

bool cutLoops(Function &handler, FunctionAnalysisManager &analyses) {
  return LoopCutter(handler, analyses).run();
}

bool cutOverlaps(ArrayRef<LoadInst *> reads, ScalarEvolution &evolution) {
  bool changed = false;
  SmallVector<Word, 8> fields = wordsOf(reads, evolution);
  for (auto *first = fields.begin(), *next = first; first != fields.end(); first = next) {
    std::set<int64_t> cuts; // bytes behind the first one
    for (; next != fields.end(); ++next) {
      std::optional<int64_t> begin = distance(first->place, next->place, evolution);
      if (!begin || (next != first && *begin >= *cuts.rbegin()))
        break;
      cuts.insert({*begin, *begin + bytesOf(*next->reads.front())});
    }
    if (next - first < 2)
      continue;
    changed = true;
    cutBetween(cuts, *first->place, evolution);
    for (const Word &field : make_range(first, next)) {
      const int64_t begin = *distance(first->place, field.place, evolution);
      for (LoadInst *read : field.reads) {
        SmallVector<Piece, 4> pieces; // from each of the cuts in it to the next
        for (auto cut = cuts.find(begin); *cut < begin + bytesOf(*read); ++cut)
          pieces.push_back({*cut - begin, Type::getIntNTy(read->getContext(),
                                                          unsigned(8 * (*std::next(cut) - *cut)))});
        readByWords(*read, pieces);
      }
    }
  }
  return changed;
}

} // namespace acis
