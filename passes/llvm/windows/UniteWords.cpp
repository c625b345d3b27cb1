// The largest word is taken in which each field lies, or of which it is several. The fields of a
// word are written all or none; bytes that nothing writes, as those between the members of a
// structure, are 0.
#include "passes/llvm/windows/UniteWords.h"
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
    uniteReads(reads);
    uniteWrites(writes);
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

  void uniteReads(MutableArrayRef<Field> fields) {
    if (!areNoElements(fields))
      return;
    unsigned word = firstTried(fields);
    while (!findPlaces(fields, word))
      if (word /= 2; word == 0)
        return;
    for (const Field &field : fields)
      replaceRead(field, word);
    changed = true;
  }

  void replaceRead(const Field &field, unsigned word) {
    IRBuilder<> builder(field.inst);
    Value *value = nullptr;
    if (field.bytes <= word) {
      value = readWord(field, -int64_t(field.inWord), word, builder);
      value = builder.CreateTrunc(builder.CreateLShr(value, uint64_t(8) * field.inWord),
                                  builder.getIntNTy(8 * field.bytes));
    } else {
      Type *whole = builder.getIntNTy(8 * field.bytes);
      for (unsigned at = 0; at < field.bytes; at += word) {
        Value *part = builder.CreateZExt(readWord(field, at, word, builder), whole);
        part = builder.CreateShl(part, uint64_t(8) * at);
        value = value ? builder.CreateOr(value, part) : part;
      }
    }
    field.inst->replaceAllUsesWith(builder.CreateBitCast(value, field.type));
    field.inst->eraseFromParent();
  }

  /// The word at `offset` from a field; which of them are one, others find out.
  Value *readWord(const Field &field, int64_t offset, unsigned word, IRBuilder<> &builder) {
    return builder.CreateLoad(
        builder.getIntNTy(8 * word),
        builder.CreateConstGEP1_64(builder.getInt8Ty(), field.pointer, uint64_t(offset)));
  }

  /// Where a word is, and what is written of it, in the order in which it is.
  using Words = MapVector<const SCEV *, SmallVector<const Field *, 4>>;

  void uniteWrites(MutableArrayRef<Field> fields) {
    if (!areNoElements(fields))
      return;
    for (unsigned word = firstTried(fields); word > 0; word /= 2) {
      Words written;
      if (!findPlaces(fields, word) || !gatherWords(fields, word, written))
        continue;
      for (const auto &[place, fieldsOfWord] : written)
        replaceWrites(fieldsOfWord, word);
      changed = true;
      return;
    }
  }

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
    auto bitsOf = [&](const Field &field) {
      Value *value = cast<StoreInst>(field.inst)->getValueOperand();
      return builder.CreateBitCast(value, builder.getIntNTy(8 * field.bytes));
    };
    auto write = [&](Value *value, int64_t offset) {
      builder.CreateStore(
          value, builder.CreateConstGEP1_64(builder.getInt8Ty(), last.pointer, uint64_t(offset)));
    };
    Type *type = builder.getIntNTy(8 * word);
    if (last.bytes > word) {
      for (unsigned at = 0; at < last.bytes; at += word)
        write(builder.CreateTrunc(builder.CreateLShr(bitsOf(last), uint64_t(8) * at), type), at);
    } else {
      Value *joined = ConstantInt::get(type, 0);
      for (const Field *field : fields) {
        Value *value = builder.CreateZExt(bitsOf(*field), type);
        // A later write of the same bytes replaces the earlier.
        const APInt kept = ~APInt::getBitsSet(8 * word, 8 * field->inWord, 8 * field->end());
        joined = builder.CreateOr(builder.CreateAnd(joined, ConstantInt::get(type, kept)),
                                  builder.CreateShl(value, uint64_t(8) * field->inWord));
      }
      write(joined, -int64_t(last.inWord));
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
