// Two-dimensional windows of a packet, and passes over it that no other rule can bring into the
// stream's order: the packet is read into an array first, in which any place may be read.
#include "passes/llvm/windows/Windows.h"

#include "passes/llvm/windows/ByData.h"
#include "passes/llvm/windows/Extent.h"
#include "passes/llvm/windows/Fields.h"
#include "passes/llvm/windows/Footprint.h"
#include "passes/llvm/windows/InPacket.h"
#include "passes/llvm/windows/Order.h"
#include "passes/llvm/windows/PacketLength.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <numeric>

using namespace llvm;

namespace acis {
namespace {

constexpr uint64_t LongestDatagram = 1 << 16; ///< of UDP, and no longer packet comes from a network

/// Where an inner loop writes under a condition, the loop around it is no nest with it.
bool writesUnderCondition(const Loop &loop, const DominatorTree &dominators) {
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    return !dominators.dominates(block, loop.getLoopLatch()) &&
           any_of(*block, [](const Instruction &inst) {
             auto *store = dyn_cast<StoreInst>(&inst);
             return store && isOutputPointer(store->getPointerOperand());
           });
  });
}

/// Whether all loops in a loop that read something have constant counts.
bool areReadersCounted(const Loop &loop, ArrayRef<LoadInst *> reads, ScalarEvolution &evolution) {
  return all_of(loop.getSubLoops(), [&](const Loop *inner) {
    return none_of(reads, [&](const LoadInst *read) { return inner->contains(read); }) ||
           (evolution.getSmallConstantTripCount(inner) &&
            areReadersCounted(*inner, reads, evolution));
  });
}

/// Whether iterations of a loop go on in front of what the one before has read. A loop that reads
/// alone keeps its window itself, if its count is no constant; rows of a nest of which there is a
/// constant number are kept all at once.
bool overlaps(const Loop &loop, ArrayRef<LoadInst *> reads, const LoopInfo &loops,
              const DominatorTree &dominators, ScalarEvolution &evolution) {
  if (!loop.getLoopLatch())
    return false;
  if (!areReadersCounted(loop, reads, evolution))
    return nextMayGoBack(loop, reads, loops, evolution);
  const std::optional<Footprint> window = windowOf(reads, loop, evolution);
  if (!window || window->step >= window->bytes)
    return false;
  if (evolution.getSmallConstantTripCount(&loop))
    return loop.getParentLoop() && writesUnderCondition(loop, dominators);
  return any_of(reads,
                [&](LoadInst *read) { return loops.getLoopFor(read->getParent()) != &loop; });
}

class PacketKeeper {
public:
  PacketKeeper(Function &handler, FunctionAnalysisManager &analyses, uint64_t mostNumbers)
      : handler(handler), loops(analyses.getResult<LoopAnalysis>(handler)),
        dominators(analyses.getResult<DominatorTreeAnalysis>(handler)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(handler)),
        asksForLength(packetLengthOf(handler)), length(&readLength(handler)),
        reads(inputReadsOf(handler)), mostNumbers(mostNumbers) {}

  std::optional<KeptPacket> run() {
    if (!all_of(reads, [&](LoadInst *read) { return dominators.dominates(length, read); }))
      return std::nullopt;
    const uint64_t word = wordOf();
    const uint64_t mostBytes = std::min<uint64_t>(LongestDatagram, mostNumbers * word);
    const uint64_t readBytes = alignTo(bytesRead(), word);
    for (LoadInst *read : reads)
      if (uint64_t(bytesOf(*read)) > word)
        cut(*read, word);
    reads = inputReadsOf(handler);
    Instruction &before = firstPlace();
    KeptPacket kept{mostBytes, !evolution.isKnownPredicateAt(
                                   ICmpInst::ICMP_ULE, evolution.getSCEV(length),
                                   evolution.getConstant(length->getType(), mostBytes), &before)};
    if (readBytes <= mostBytes)
      kept = {readBytes, false};
    Argument &in = *handler.getArg(InParameter);
    IRBuilder<> builder(&handler.getEntryBlock(), handler.getEntryBlock().begin());
    Type *type = builder.getIntNTy(unsigned(8 * word));
    AllocaInst *array =
        builder.CreateAlloca(ArrayType::get(type, kept.bytes / word), nullptr, "packet");
    const SCEV *reach = nullptr; // the byte behind the last one that may be read
    for (LoadInst *read : reads) {
      if (isInPacket(*read, *length, loops, evolution))
        continue;
      const SCEV *end = asksForLength ? endOfLoops(*read, before) : nullptr;
      if (!end)
        stayInPacket(*read, word);
      else
        reach = reach ? evolution.getUMaxExpr(reach, end) : end;
    }
    in.replaceAllUsesWith(array);
    builder.SetInsertPoint(&before);
    Value *words = builder.CreateLShr(length, Log2_64(word));
    if (!kept.mayNotFit)
      words = builder.CreateBinaryIntrinsic(Intrinsic::umin, words,
                                            builder.getInt32(unsigned(kept.bytes / word)));
    Value *end = reach ? endOfWords(*reach, word, kept, before) : nullptr;
    copyWords(before, in, *array, *words);
    if (end)
      clearWords(before, *array, *words, *end); // what loops find there is 0, no earlier packet
    return kept;
  }

private:
  /// In front of all reads, outside of loops.
  Instruction &firstPlace() const {
    BasicBlock *block = reads.front()->getParent();
    for (LoadInst *read : reads)
      block = dominators.findNearestCommonDominator(block, read->getParent());
    while (const Loop *loop = loops.getLoopFor(block))
      block = dominators.getNode(loop->getOutermostLoop()->getHeader())->getIDom()->getBlock();
    for (Instruction &inst : *block)
      if (is_contained(reads, &inst))
        return inst;
    return *block->getTerminator();
  }

  /// Bytes of the packet that reads may be of.
  uint64_t bytesRead() const {
    uint64_t bytes = 1;
    for (LoadInst *read : reads) {
      const SCEV *place = placeOf(*read, evolution);
      if (!place)
        return UINT32_MAX;
      bytes = std::max(bytes, evolution.getUnsignedRangeMax(place).getLimitedValue() +
                                  uint64_t(bytesOf(*read)));
    }
    return bytes;
  }

  /// Bytes that all places and sizes of reads are multiples of.
  uint64_t wordOf() const {
    uint64_t word = 8;
    for (LoadInst *read : reads) {
      const SCEV *place = placeOf(*read, evolution);
      const uint64_t multiple = place ? evolution.getConstantMultiple(place).getLimitedValue(8) : 1;
      word = std::gcd(word, std::gcd(uint64_t(bytesOf(*read)), multiple == 0 ? 8 : multiple));
    }
    return word;
  }

  /// The byte behind the last one that a read takes, if loops alone say where it is.
  const SCEV *endOfLoops(LoadInst &read, const Instruction &before) const {
    const SCEV *first = placeOf(read, evolution);
    while (auto *moving = dyn_cast_or_null<SCEVAddRecExpr>(first))
      first = moving->getStart();
    if (!first || !canExpandAt(*first, before, dominators, evolution))
      return nullptr;
    const SCEV *end = extentOf(read, nullptr, loops, evolution).end;
    return end && canExpandAt(*end, before, dominators, evolution) ? end : nullptr;
  }

  /// The word behind the last one that loops may read of what is kept.
  Value *endOfWords(const SCEV &reach, uint64_t word, const KeptPacket &kept, Instruction &before) {
    IRBuilder<> builder(&before);
    SCEVExpander expander(evolution, "reach");
    Value *bytes = expander.expandCodeFor(&reach, builder.getInt32Ty(), before.getIterator());
    return builder.CreateBinaryIntrinsic(Intrinsic::umin, builder.CreateLShr(bytes, Log2_64(word)),
                                         builder.getInt32(unsigned(kept.bytes / word)));
  }

  /// Behind the packet's end a place outside of the array is read, which traps, and nothing of an
  /// earlier packet.
  void stayInPacket(LoadInst &read, uint64_t word) {
    const SCEV *place = placeOf(read, evolution);
    if (!place || !canExpandAt(*place, read, dominators, evolution))
      return;
    IRBuilder<> builder(&read);
    SCEVExpander expander(evolution, "kept");
    Value *at = expander.expandCodeFor(place, builder.getInt32Ty(), read.getIterator());
    Value *end = builder.CreateAdd(at, builder.getInt32(unsigned(word)));
    Value *inside = builder.CreateSelect(builder.CreateICmpULE(end, length), at,
                                         builder.getInt32(uint32_t(PacketEnd - word)));
    read.setOperand(LoadInst::getPointerOperandIndex(),
                    builder.CreatePtrAdd(handler.getArg(InParameter), inside));
  }

  void cut(LoadInst &read, uint64_t word) {
    SmallVector<Piece, 8> pieces;
    for (int64_t at = 0; at < bytesOf(read); at += int64_t(word))
      pieces.push_back({at, IntegerType::get(handler.getContext(), unsigned(8 * word))});
    readByWords(read, pieces);
  }

  Function &handler;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  const bool asksForLength;
  LoadInst *length;
  InputReads reads;
  const uint64_t mostNumbers;
};

} // namespace

LoadInst *overlappingRead(Function &handler, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(handler);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(handler);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(handler);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    const InputReads reads = inputReadsIn(*loop);
    if (!reads.empty() && overlaps(*loop, reads, loops, dominators, evolution))
      return reads.front();
  }
  return nullptr;
}

std::optional<KeptPacket> keepPacket(Function &handler, FunctionAnalysisManager &analyses,
                                     uint64_t mostNumbers) {
  return PacketKeeper(handler, analyses, mostNumbers).run();
}

} // namespace acis
