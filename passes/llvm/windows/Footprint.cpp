// See Footprint.h.
#include "passes/llvm/windows/Footprint.h"

#include "passes/llvm/windows/Fields.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace acis {
const SCEV *placeOf(const LoadInst &read, ScalarEvolution &evolution) {
  const SCEV *pointer = evolution.getSCEV(const_cast<Value *>(read.getPointerOperand()));
  auto *base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(pointer));
  if (!base)
    return nullptr;
  const SCEV *rest = evolution.removePointerBase(pointer);
  if (isa<Argument>(base->getValue()))
    return rest;
  const SCEV *moved = evolution.getPtrToIntExpr(base, rest->getType());
  return isa<SCEVCouldNotCompute>(moved) ? nullptr : evolution.getAddExpr(rest, moved);
}

std::optional<Footprint> footprintOf(const LoadInst &read, const Loop &loop,
                                     ScalarEvolution &evolution) {
  int64_t bytes = bytesOf(read);
  const SCEV *place = placeOf(read, evolution);
  while (auto *moving = dyn_cast_or_null<SCEVAddRecExpr>(place)) {
    auto *step = moving->isAffine() ? dyn_cast<SCEVConstant>(moving->getOperand(1)) : nullptr;
    if (!step || step->getAPInt().isNegative() || !loop.contains(moving->getLoop()))
      break;
    place = moving->getStart();
    if (moving->getLoop() == &loop)
      return Footprint{place, bytes, step->getAPInt().getSExtValue()};
    const unsigned trip = evolution.getSmallConstantTripCount(moving->getLoop());
    if (trip == 0)
      break;
    bytes += step->getAPInt().getSExtValue() * int64_t(trip - 1);
  }
  return std::nullopt;
}

std::optional<Footprint> windowOf(ArrayRef<LoadInst *> reads, const Loop &loop,
                                  ScalarEvolution &evolution) {
  std::optional<Footprint> window;
  for (const LoadInst *read : reads) {
    std::optional<Footprint> print = footprintOf(*read, loop, evolution);
    if (!window)
      window = print;
    std::optional<int64_t> at =
        print ? distance(window->start, print->start, evolution) : std::nullopt;
    if (!at || print->step != window->step)
      return std::nullopt;
    if (*at < 0)
      window->start = print->start;
    window->bytes = std::max(window->bytes, *at + print->bytes) - std::min(*at, int64_t(0));
  }
  return window;
}

const SCEV *endOf(const Footprint &print, ScalarEvolution &evolution) {
  return evolution.getAddExpr(print.start,
                              evolution.getConstant(print.start->getType(), uint64_t(print.bytes)));
}

std::optional<int64_t> distance(const SCEV *from, const SCEV *to, ScalarEvolution &evolution) {
  if (!from || !to || from->getType() != to->getType())
    return std::nullopt;
  auto *difference = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(to, from));
  if (!difference)
    return std::nullopt;
  return difference->getAPInt().getSExtValue();
}

bool passes(const LoadInst &read, const SCEV *place, ScalarEvolution &evolution) {
  std::optional<int64_t> later = distance(place, placeOf(read, evolution), evolution);
  return later && *later >= 0;
}

bool canExpandAt(const SCEV &address, const Instruction &at, const DominatorTree &dominators,
                 ScalarEvolution &evolution) {
  auto isMissing = [&](const SCEV *part) {
    if (auto *moving = dyn_cast<SCEVAddRecExpr>(part))
      return !dominators.dominates(moving->getLoop()->getHeader(), at.getParent());
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    auto *inst = unknown ? dyn_cast<Instruction>(unknown->getValue()) : nullptr;
    return inst && !dominators.dominates(inst, &at);
  };
  return SCEVExpander(evolution, "").isSafeToExpand(&address) &&
         !SCEVExprContains(&address, isMissing);
}

std::optional<int64_t> goesBackBy(const BasicBlock &of, const SCEV *start, int64_t bytes,
                                  const Loop *outermost, const LoopInfo &loops,
                                  const DominatorTree &dominators, ScalarEvolution &evolution) {
  const BasicBlock *block = &of;
  const Loop *end = outermost ? outermost->getParentLoop() : nullptr;
  for (const Loop *loop = loops.getLoopFor(block); loop != end; loop = loop->getParentLoop()) {
    auto *moving = dyn_cast<SCEVAddRecExpr>(start);
    const bool moves = moving && moving->getLoop() == loop && moving->isAffine();
    auto *step = moves ? dyn_cast<SCEVConstant>(moving->getOperand(1)) : nullptr;
    const BasicBlock *exiting = loop->getExitingBlock();
    if (!loop->getLoopLatch() || !dominators.dominates(block, loop->getLoopLatch()) ||
        (!step && !evolution.isLoopInvariant(start, loop)))
      return std::nullopt;
    const unsigned trips = evolution.getSmallConstantTripCount(loop);
    const int64_t forward = step ? step->getAPInt().getSExtValue() : 0;
    if (forward < bytes && trips != 1)
      return bytes - forward;
    // Behind the block that leaves the loop, it is not in the last iteration.
    if (!exiting || trips <= unsigned(!dominators.dominates(block, exiting)))
      return std::nullopt;
    bytes += forward * (int64_t(trips) - !dominators.dominates(block, exiting) - 1);
    start = step ? moving->getStart() : start;
    block = loop->getHeader();
  }
  return std::nullopt;
}

SmallVector<Word, 8> wordsOf(ArrayRef<LoadInst *> reads, ScalarEvolution &evolution) {
  SmallVector<SmallVector<Word, 8>, 4> lists; // of known distance from the first one
  for (LoadInst *read : reads) {
    const SCEV *place = placeOf(*read, evolution);
    if (!place)
      continue;
    auto *list = find_if(lists, [&](const auto &words) {
      return distance(words.front().place, place, evolution).has_value();
    });
    if (list == lists.end())
      list = &lists.emplace_back();
    auto *word = find_if(*list, [&](const Word &known) {
      return known.place == place && known.type == read->getType();
    });
    if (word == list->end())
      word = &list->emplace_back(Word{place, read->getType(), {}});
    word->reads.push_back(read);
  }
  SmallVector<Word, 8> all;
  for (auto &list : lists) {
    llvm::sort(list, [&](const Word &a, const Word &b) {
      return distance(a.place, b.place, evolution).value_or(0) > 0;
    });
    append_range(all, list);
  }
  return all;
}

} // namespace acis
