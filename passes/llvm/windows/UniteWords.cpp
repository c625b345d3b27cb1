// The largest word is taken in which each field lies, or of which it is several. The fields of a
// word are written all or none; bytes that nothing writes, as those between the members of a
// structure, are 0.
#include "passes/llvm/windows/Windows.h"

#include "passes/llvm/windows/Fields.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {
namespace {

constexpr unsigned LeastTried = 4, MostTried = 8; ///< bytes of a word that is tried first

/// A read or a write of a stream.
struct Field {
  Instruction *inst;
  Value *pointer;
  Type *type;
  unsigned bytes;
  unsigned inWord = 0; ///< bytes in front of it in its word

  unsigned end() const { return inWord + bytes; }
};

class Uniter {
public:
  Uniter(Function &function, FunctionAnalysisManager &analyses)
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
  /// A loop with all in it if it may become one loop of the array, else its parts.
  void visit(Loop &loop) {
    bool isNest = all_of(loop.getLoopsInPreorder(), [&](const Loop *inner) {
      return inner == &loop || evolution.getSmallConstantTripCount(inner) != 0;
    });
    if (!isNest)
      for (Loop *inner : loop)
        visit(*inner);
    SmallVector<Field, 8> reads, writes;
    for (BasicBlock *block : loop.blocks())
      if (isNest || loops.getLoopFor(block) == &loop)
        for (Instruction &inst : *block)
          gather(inst, reads, writes);
    unite(reads, /*areRead=*/true);
    unite(writes, /*areRead=*/false);
  }

  static void gather(Instruction &inst, SmallVectorImpl<Field> &reads,
                     SmallVectorImpl<Field> &writes) {
    auto add = [&](SmallVectorImpl<Field> &fields, Value *pointer, Type *type) {
      fields.push_back({&inst, pointer, type, unsigned(type->getPrimitiveSizeInBits() / 8)});
    };
    if (auto *load = dyn_cast<LoadInst>(&inst); load && isInputPointer(load->getPointerOperand()))
      add(reads, load->getPointerOperand(), load->getType());
    auto *store = dyn_cast<StoreInst>(&inst);
    if (store && isOutputPointer(store->getPointerOperand()))
      add(writes, store->getPointerOperand(), store->getValueOperand()->getType());
  }

  /// Whether the fields are numbers that are no elements of a stream together.
  bool areNoElements(ArrayRef<Field> fields) {
    auto isNumber = [](const Field &field) {
      return (field.type->isIntegerTy() || field.type->isFloatTy() || field.type->isDoubleTy()) &&
             field.bytes * 8 == field.type->getPrimitiveSizeInBits() && isPowerOf2_32(field.bytes);
    };
    return all_of(fields, isNumber) && any_of(fields, [&](const Field &field) {
             return field.bytes != fields[0].bytes || stepsInto(field);
           });
  }

  /// Whether a later iteration has the field where this one has a part of another element.
  bool stepsInto(const Field &field) {
    auto *moving = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(field.pointer));
    auto *step = moving ? dyn_cast<SCEVConstant>(moving->getStepRecurrence(evolution)) : nullptr;
    return step && step->getAPInt().urem(field.bytes) != 0;
  }

  /// Finds where each field lies in words of `word` bytes.
  bool findPlaces(MutableArrayRef<Field> fields, unsigned word) {
    for (Field &field : fields) {
      const SCEV *pointer = evolution.getSCEV(field.pointer);
      field.inWord = 0;
      while (!isMultiple(wordOf(pointer, field.inWord), word))
        if (field.inWord += field.bytes; field.end() > word)
          return false;
    }
    return true;
  }

  /// What is `inWord` bytes in front of a pointer.
  const SCEV *wordOf(const SCEV *pointer, int64_t inWord) {
    Type *offset = evolution.getEffectiveSCEVType(pointer->getType());
    return evolution.getAddExpr(pointer, evolution.getConstant(offset, uint64_t(-inWord),
                                                               /*isSigned=*/true));
  }

  /// Streams begin at a word.
  bool isMultiple(const SCEV *pointer, unsigned word) {
    auto *base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(pointer));
    return base && isa<Argument>(base->getValue()) &&
           evolution.getConstantMultiple(evolution.removePointerBase(pointer)).urem(word) == 0;
  }

  static unsigned firstTried(ArrayRef<Field> fields) {
    unsigned largest = LeastTried;
    for (const Field &field : fields)
      largest = std::max(largest, field.bytes);
    return std::min(largest, MostTried);
  }

  /// The words that have parts of a field.
  static SmallVector<Piece, 4> piecesOf(const Field &field, unsigned word) {
    SmallVector<Piece, 4> pieces;
    for (int64_t at = -int64_t(field.inWord); at < int64_t(field.bytes); at += word)
      pieces.push_back({at, word});
    return pieces;
  }

  void unite(MutableArrayRef<Field> fields, bool areRead) {
    if (!areNoElements(fields))
      return;
    unsigned word = firstTried(fields);
    Words written;
    while (!findPlaces(fields, word) || (!areRead && !gatherWords(fields, word, written)))
      if (word /= 2; word == 0)
        return;
    if (areRead)
      for (const Field &field : fields) // which words are one, others find out
        readByWords(*cast<LoadInst>(field.inst), piecesOf(field, word));
    for (const auto &[place, fieldsOfWord] : written)
      replaceWrites(fieldsOfWord, word);
    changed = true;
  }

  /// Where a word is, and what is written of it, in the order in which it is.
  using Words = MapVector<const SCEV *, SmallVector<const Field *, 4>>;

  /// Puts the writes in their order; false if one may be made without another.
  bool areWrittenTogether(SmallVectorImpl<const Field *> &fields) {
    auto isAfter = [&](const Field *second, const Field *first) {
      return dominators.dominates(first->inst, second->inst) &&
             postDominators.dominates(second->inst->getParent(), first->inst->getParent()) &&
             loops.getLoopFor(first->inst->getParent()) ==
                 loops.getLoopFor(second->inst->getParent());
    };
    for (size_t i = 0; i < fields.size(); ++i)
      for (size_t k = i + 1; k < fields.size(); ++k)
        if (!isAfter(fields[k], fields[i]) && !isAfter(fields[i], fields[k]))
          return false;
    sort(fields, [&](const Field *a, const Field *b) { return a != b && isAfter(b, a); });
    return true;
  }

  /// False if some of a word may be written without the rest, or a part of a larger field again.
  bool gatherWords(ArrayRef<Field> fields, unsigned word, Words &written) {
    written.clear();
    DenseSet<const SCEV *> inLarger;
    for (const Field &field : fields) {
      const SCEV *pointer = evolution.getSCEV(field.pointer);
      const SCEV *first = wordOf(pointer, field.inWord);
      if (field.bytes <= word) {
        written[first].push_back(&field);
        continue;
      }
      for (int64_t at = 0; at < field.bytes; at += word)
        if (!inLarger.insert(wordOf(pointer, -at)).second)
          return false;
      written[first].push_back(&field);
    }
    return all_of(written, [&](auto &entry) {
      auto &[place, fieldsOfWord] = entry;
      return areWrittenTogether(fieldsOfWord) &&
             (fieldsOfWord[0]->bytes > word ? fieldsOfWord.size() == 1 : !inLarger.contains(place));
    });
  }

  /// All fields are joined where the last of them was written.
  void replaceWrites(ArrayRef<const Field *> fields, unsigned word) {
    const Field &last = *fields.back();
    IRBuilder<> builder(last.inst);
    const unsigned bits = 8 * std::max(word, last.bytes);
    Type *whole = builder.getIntNTy(bits);
    Value *joined = ConstantInt::get(whole, 0);
    for (const Field *field : fields) {
      Value *value = cast<StoreInst>(field->inst)->getValueOperand();
      value = builder.CreateBitCast(value, builder.getIntNTy(8 * field->bytes));
      value = builder.CreateShl(builder.CreateZExt(value, whole), uint64_t(8) * field->inWord);
      // A later write of the same bytes replaces the earlier.
      const APInt kept = ~APInt::getBitsSet(bits, 8 * field->inWord, 8 * field->end());
      joined = builder.CreateOr(builder.CreateAnd(joined, ConstantInt::get(whole, kept)), value);
    }
    for (const Piece &piece : piecesOf(last, word)) {
      Value *part = builder.CreateLShr(joined, uint64_t(8) * uint64_t(piece.at + last.inWord));
      builder.CreateStore(
          builder.CreateTrunc(part, builder.getIntNTy(8 * word)),
          builder.CreateConstGEP1_64(builder.getInt8Ty(), last.pointer, uint64_t(piece.at)));
    }
    for (const Field *field : fields)
      field->inst->eraseFromParent();
  }

  LoopInfo &loops;
  DominatorTree &dominators;
  PostDominatorTree &postDominators;
  ScalarEvolution &evolution;
  bool changed = false;
};

} // namespace

bool uniteWords(Function &handler, FunctionAnalysisManager &analyses) {
  return Uniter(handler, analyses).run();
}

} // namespace acis
