// A header with parts of which data says where they are is read, and then a loop goes over the
// packet: nobody knows whether it begins behind all of that. The beginning of the packet is read by
// a loop of its own then, which keeps it in an array, and keepPasses() does the rest.
#include "passes/llvm/windows/Windows.h"

#include "passes/llvm/windows/Facts.h"
#include "passes/llvm/windows/Fields.h"
#include "passes/llvm/windows/Footprint.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
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

  bool run() {
    for (LoadInst *read : inputReadsOf(handler))
      if (!loops.getLoopFor(read->getParent()))
        header.push_back(read);
    length = packetLengthOf(handler);
    if (!length || header.empty())
      return false;
    for (auto &[loop, reads] : inputReadsByLoop(handler, loops))
      if (loop && reads.size() == 1 && mayReadAgain(*loop, *reads.front()))
        return keep(*reads.front());
    return false;
  }

private:
  const SCEV *endOf(const LoadInst &read) const {
    const SCEV *place = placeOf(read, evolution);
    return place ? evolution.getAddExpr(
                       place, evolution.getConstant(place->getType(), uint64_t(bytesOf(read))))
                 : nullptr;
  }

  /// Whether the loop, with no other around, may begin in front of what the header's reads have
  /// passed, and nothing says where: what is at constant distances, other rules know.
  bool mayReadAgain(const Loop &loop, const LoadInst &again) const {
    const std::optional<Footprint> print = footprintOf(again, loop, evolution);
    return !loop.getParentLoop() && print && print->step == bytesOf(again) &&
           any_of(header, [&](const LoadInst *before) {
             const SCEV *place = placeOf(*before, evolution), *end = endOf(*before);
             return place && end->getType() == print->start->getType() &&
                    leadsTo(*before->getParent(), *again.getParent(), nullptr) &&
                    !distance(place, print->start, evolution) &&
                    !evolution.isKnownPredicateAt(ICmpInst::ICMP_UGE, print->start, end, &again);
           });
  }

  /// Bytes that have all parts of the header; none if a part may be anywhere, or is no multiple of
  /// the loop's words.
  std::optional<uint64_t> bytesOfHeader(uint64_t word) const {
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

  /// The loop's read, which every iteration may do if all of it is of the packet.
  void readAlways(LoadInst &again) {
    Instruction &at = *loops.getLoopFor(again.getParent())->getHeader()->getFirstInsertionPt();
    const SCEV *address = evolution.getSCEV(again.getPointerOperand());
    if (!staysInPacket(again, loops, evolution) ||
        !canExpandAt(*address, at, dominators, evolution))
      return;
    again.setOperand(LoadInst::getPointerOperandIndex(),
                     expander.expandCodeFor(address, nullptr, at.getIterator()));
    again.moveBefore(at.getIterator());
  }

  bool keep(LoadInst &again) {
    type = again.getType();
    word = uint64_t(bytesOf(again));
    const std::optional<uint64_t> bytes = bytesOfHeader(word);
    if (!bytes)
      return false;
    readAlways(again);
    SmallVector<Value *, 8> numbers; // before anything is stale
    SmallVector<bool, 8> areInPacket;
    for (LoadInst *read : header) {
      const SCEV *place = placeOf(*read, evolution);
      numbers.push_back(expander.expandCodeFor(
          evolution.getUDivExactExpr(place, evolution.getConstant(place->getType(), word)),
          Type::getInt32Ty(handler.getContext()), read->getIterator()));
      areInPacket.push_back(evolution.isKnownPredicateAt(ICmpInst::ICMP_ULE, endOf(*read),
                                                         evolution.getSCEV(length), read));
    }
    copyBeginning(*bytes / word);
    for (auto [read, number, isInPacket] : zip(header, numbers, areInPacket))
      take(*read, *number, isInPacket);
    return true;
  }

  /// As many words as the packet has, up to `most`.
  void copyBeginning(uint64_t most) {
    IRBuilder<> builder(&handler.getEntryBlock(), handler.getEntryBlock().begin());
    array = builder.CreateAlloca(ArrayType::get(type, most), nullptr, "beginning");
    BasicBlock *before = length->getParent();
    BasicBlock *after = SplitBlock(before, length->getNextNode());
    auto *start = BasicBlock::Create(handler.getContext(), "beginning", &handler, after);
    auto *copy = BasicBlock::Create(handler.getContext(), "word", &handler, after);
    before->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(before);
    builder.SetCurrentDebugLocation(header.front()->getDebugLoc());
    count = builder.CreateBinaryIntrinsic(Intrinsic::umin,
                                          builder.CreateUDiv(length, builder.getInt32(word)),
                                          builder.getInt32(most));
    builder.CreateCondBr(builder.CreateICmpEQ(count, builder.getInt32(0)), after, start);
    builder.SetInsertPoint(start);
    builder.CreateBr(copy);
    builder.SetInsertPoint(copy);
    PHINode *number = builder.CreatePHI(builder.getInt32Ty(), 2, "number");
    number->addIncoming(builder.getInt32(0), start);
    Value *read = builder.CreateLoad(
        type, builder.CreateInBoundsGEP(type, handler.getArg(InParameter), number));
    builder.CreateStore(read, builder.CreateInBoundsGEP(type, array, number));
    Value *next = builder.CreateAdd(number, builder.getInt32(1), "", true, true);
    number->addIncoming(next, copy);
    builder.CreateCondBr(builder.CreateICmpEQ(next, count), after, copy);
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

bool keepBeginning(Function &handler, FunctionAnalysisManager &analyses, uint64_t mostBytes) {
  return BeginningKeeper(handler, analyses, mostBytes).run();
}

} // namespace acis
