// A header has parts of which data says where they are: nobody knows in which order they lie, nor
// whether a loop over the packet begins behind all of them. The beginning of the packet is read by
// a loop of its own then, which keeps it in an array, and keepPasses() does the rest.
#include "passes/llvm/windows/Windows.h"

#include "passes/llvm/windows/Facts.h"
#include "passes/llvm/windows/Fields.h"
#include "passes/llvm/windows/Footprint.h"
#include "passes/llvm/windows/InPacket.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace acis {
namespace {

class BeginningKeeper {
public:
  BeginningKeeper(Function &handler, FunctionAnalysisManager &analyses, uint64_t mostBytes)
      : handler(handler), loops(analyses.getResult<LoopAnalysis>(handler)),
        dominators(analyses.getResult<DominatorTreeAnalysis>(handler)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(handler)),
        expander(evolution, "kept"), mostBytes(mostBytes) {}

  Beginning run() {
    for (LoadInst *read : inputReadsOf(handler))
      if (!loops.getLoopFor(read->getParent()))
        header.push_back(read);
    const LoadInst *again = findUnordered();
    if (!again)
      return {};
    length = packetLengthOf(handler);
    if (!length)
      return {.isKept = false, .unordered = again};
    setWord();
    const std::optional<uint64_t> bytes = bytesOfHeader();
    if (!bytes || !all_of(inputReadsByLoop(handler, loops), [&](auto &of) {
          return !of.first || canGoOn(*of.first, of.second, *bytes);
        }))
      return {.isKept = false, .unordered = again};
    keep(*bytes);
    return {.isKept = true, .unordered = again};
  }

private:
  const SCEV *endOf(const LoadInst &read) const {
    const SCEV *place = placeOf(read, evolution);
    return place ? evolution.getAddExpr(
                       place, evolution.getConstant(place->getType(), uint64_t(bytesOf(read))))
                 : nullptr;
  }

  /// Where a read begins: in a loop, with no other around, its first iteration.
  const SCEV *startOf(const LoadInst &read) const {
    const Loop *loop = loops.getLoopFor(read.getParent());
    if (!loop)
      return placeOf(read, evolution);
    const std::optional<Footprint> print = footprintOf(read, *loop->getOutermostLoop(), evolution);
    return print ? print->start : nullptr;
  }

  bool comesBefore(const LoadInst &before, const LoadInst &read) const {
    return before.getParent() == read.getParent()
               ? before.comesBefore(&read)
               : leadsTo(*before.getParent(), *read.getParent(), nullptr);
  }

  /// A read of which nobody knows whether what the header's reads have passed ends in front of it.
  /// What is at constant distances, other rules know.
  const LoadInst *findUnordered() const {
    for (const LoadInst *again : inputReadsOf(handler))
      if (const SCEV *start = startOf(*again))
        for (const LoadInst *before : header) {
          const SCEV *place = placeOf(*before, evolution);
          if (place && before != again && place->getType() == start->getType() &&
              comesBefore(*before, *again) && !distance(place, start, evolution) &&
              !evolution.isKnownPredicateAt(ICmpInst::ICMP_UGE, start, endOf(*before), again))
            return again;
        }
    return nullptr;
  }

  /// A loop of a word for each iteration, which keepPasses() takes from the array as far as it
  /// goes.
  bool isPass(const Loop &loop, ArrayRef<LoadInst *> reads) const {
    const std::optional<Footprint> print = footprintOf(*reads.front(), loop, evolution);
    return reads.size() == 1 && !loop.getParentLoop() && loop.isInnermost() && print &&
           print->step == bytesOf(*reads.front()) &&
           dominators.dominates(reads.front()->getParent(), loop.getLoopLatch());
  }

  bool canGoOn(const Loop &loop, ArrayRef<LoadInst *> reads, uint64_t bytes) const {
    return (isPass(loop, reads) && uint64_t(bytesOf(*reads.front())) == word &&
            !evolution.getSmallConstantTripCount(&loop)) ||
           all_of(reads, [&](const LoadInst *read) {
             const SCEV *start = startOf(*read);
             return start && evolution.getUnsignedRangeMin(start).uge(bytes);
           });
  }

  /// Of a loop over the packet, if there is one, else of the header.
  void setWord() {
    for (auto &[loop, reads] : inputReadsByLoop(handler, loops))
      if (loop && isPass(*loop, reads)) {
        type = reads.front()->getType();
        word = uint64_t(bytesOf(*reads.front()));
        return;
      }
    word = 8;
    for (const LoadInst *read : header)
      word = std::min(word, uint64_t(bytesOf(*read)));
    type = IntegerType::get(handler.getContext(), unsigned(8 * word));
  }

  /// Bytes that have all parts of the header; none if a part may be anywhere, or is no multiple of
  /// the words.
  std::optional<uint64_t> bytesOfHeader() const {
    uint64_t bytes = 0;
    for (const LoadInst *read : header) {
      const SCEV *place = placeOf(*read, evolution);
      if (!place || uint64_t(bytesOf(*read)) % word != 0 ||
          evolution.getConstantMultiple(place).urem(word) != 0)
        return std::nullopt;
      bytes = std::max(bytes, evolution.getUnsignedRangeMax(endOf(*read)).getLimitedValue());
    }
    return bytes <= mostBytes ? std::optional(alignTo(bytes, word)) : std::nullopt;
  }

  void keep(uint64_t bytes) {
    SmallVector<Value *, 8> numbers; // before anything is stale
    SmallVector<bool, 8> areInPacket;
    for (LoadInst *read : header) {
      const SCEV *place = placeOf(*read, evolution);
      numbers.push_back(expander.expandCodeFor(
          evolution.getUDivExactExpr(place, evolution.getConstant(place->getType(), word)),
          Type::getInt32Ty(handler.getContext()), read->getIterator()));
      areInPacket.push_back(isInPacket(*read, *length, loops, evolution));
    }
    copyBeginning(bytes / word);
    for (auto [read, number, isInPacket] : zip(header, numbers, areInPacket))
      take(*read, *number, isInPacket);
  }

  /// As many words as the packet has, up to `most`.
  void copyBeginning(uint64_t most) {
    IRBuilder<> builder(&handler.getEntryBlock(), handler.getEntryBlock().begin());
    array = builder.CreateAlloca(ArrayType::get(type, most), nullptr, "beginning");
    Instruction &before = *length->getNextNode();
    builder.SetInsertPoint(&before);
    count = builder.CreateBinaryIntrinsic(Intrinsic::umin,
                                          builder.CreateUDiv(length, builder.getInt32(word)),
                                          builder.getInt32(most));
    copyWords(before, *handler.getArg(InParameter), *array, *count)
        .setMetadata(BeginningMetadata, MDNode::get(handler.getContext(), {}));
  }

  /// A part of the header, from the array. There is nothing behind the packet: a place outside of
  /// the array, which traps.
  void take(LoadInst &read, Value &number, bool isInPacket) {
    const uint64_t parts = uint64_t(bytesOf(read)) / word;
    IRBuilder<> builder(&read);
    Value *first = &number;
    if (!isInPacket) {
      Value *end = builder.CreateAdd(&number, builder.getInt32(parts));
      first = builder.CreateSelect(builder.CreateICmpULE(end, count), &number,
                                   builder.getInt32(PacketEnd - 1));
    }
    Type *whole = builder.getIntNTy(unsigned(8 * bytesOf(read)));
    Value *value = ConstantInt::getNullValue(whole);
    for (uint64_t part = 0; part < parts; ++part) {
      Value *at = builder.CreateAdd(first, builder.getInt32(part));
      Value *loaded = builder.CreateLoad(type, builder.CreateInBoundsGEP(type, array, at));
      value = builder.CreateOr(placedAt(builder, loaded, int64_t(part * word), whole), value);
    }
    read.replaceAllUsesWith(builder.CreateBitCast(value, read.getType()));
    read.eraseFromParent();
  }

  Function &handler;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  SCEVExpander expander;
  const uint64_t mostBytes;

  InputReads header; ///< reads outside of loops
  LoadInst *length = nullptr;
  Type *type = nullptr; ///< of words
  uint64_t word = 0;    ///< bytes
  AllocaInst *array = nullptr;
  Value *count = nullptr; ///< words in the array
};

} // namespace

Beginning keepBeginning(Function &handler, FunctionAnalysisManager &analyses, uint64_t mostBytes) {
  return BeginningKeeper(handler, analyses, mostBytes).run();
}

} // namespace acis
