// Counters in places, by ScalarEvolution of the code with all of its loops.
#include "passes/llvm/ValueCandidates.h"

#include "passes/llvm/UnitDemand.h"
#include "passes/llvm/UnrolledPlaces.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace acis {

std::optional<int64_t> stepOf(const SCEV *place, const Loop &loop, ScalarEvolution &evolution) {
  // Counters of loops in this one begin anew.
  if (!SCEVExprContains(place, [&](const SCEV *part) {
        auto *moving = dyn_cast<SCEVAddRecExpr>(part);
        auto *unknown = dyn_cast<SCEVUnknown>(part);
        auto *inst = unknown ? dyn_cast<Instruction>(unknown->getValue()) : nullptr;
        return (moving && moving->getLoop() == &loop) || (inst && loop.contains(inst));
      }))
    return 0;
  if (auto *sum = dyn_cast<SCEVAddExpr>(place)) {
    int64_t steps = 0;
    for (const SCEV *part : sum->operands()) {
      std::optional<int64_t> step = stepOf(part, loop, evolution);
      if (!step)
        return std::nullopt;
      steps += *step;
    }
    return steps;
  }
  auto *moving = dyn_cast<SCEVAddRecExpr>(place);
  if (!moving || !moving->isAffine())
    return std::nullopt;
  if (moving->getLoop() != &loop)
    return stepOf(moving->getStart(), loop, evolution);
  auto *step = dyn_cast<SCEVConstant>(moving->getOperand(1));
  return step ? std::optional(step->getAPInt().getSExtValue()) : std::nullopt;
}

ValueCandidates::ValueCandidates(Function &function, LoopInfo &loops, ScalarEvolution &evolution)
    : function(function), loops(loops), evolution(evolution) {
  findAccesses(function);
  findArrays(function);
}

void ValueCandidates::findAccesses(Function &function) {
  for (Instruction &inst : instructions(function)) {
    Value *pointer = const_cast<Value *>(getLoadStorePointerOperand(&inst));
    const Value *object = pointer ? getUnderlyingObject(pointer, /*MaxLookup=*/0) : nullptr;
    if (object && (llvm::isa<AllocaInst, GlobalVariable>(object) || isStreamPointer(pointer) ||
                   isMemoryPointer(pointer)))
      all.push_back(
          {&inst, evolution.getSCEV(pointer), object, loops.getLoopFor(inst.getParent())});
  }
}

/// Words of 32 bits of all elements; one of fewer bits has one, too.
static uint64_t wordsOf(const AllocaInst &array) {
  Type *type = array.getAllocatedType();
  uint64_t count = 1;
  for (; type->isArrayTy(); type = type->getArrayElementType())
    count *= type->getArrayNumElements();
  return count * divideCeil(array.getDataLayout().getTypeAllocSize(type), 4);
}

/// Uses that are neither accesses nor fills and copies of intrinsics, which SROA takes apart, close
/// an array.
void ValueCandidates::findArrays(Function &function) {
  for (Instruction &inst : function.getEntryBlock()) {
    auto *array = dyn_cast<AllocaInst>(&inst);
    if (!array || !array->isStaticAlloca() || !array->getAllocatedType()->isArrayTy())
      continue;
    ValueArray candidate{array, wordsOf(*array), {}, {}};
    SmallVector<const Value *, 8> work{array};
    bool isClosed = false;
    while (!work.empty() && !isClosed)
      for (const User *user : work.pop_back_val()->users()) {
        if (llvm::isa<GetElementPtrInst>(user)) {
          work.push_back(user);
          continue;
        }
        const Value *pointer = getLoadStorePointerOperand(user);
        auto *call = dyn_cast<IntrinsicInst>(user);
        isClosed |= pointer ? getUnderlyingObject(pointer, /*MaxLookup=*/0) != array ||
                                  !addCounters(evolution.getSCEV(const_cast<Value *>(pointer)),
                                               array, candidate.loops)
                            : !call;
        if (!call || !call->isLifetimeStartOrEnd())
          candidate.users.push_back(cast<Instruction>(user));
      }
    if (!isClosed)
      local.push_back(std::move(candidate));
  }
}

/// Adds the loops whose counters a value is computed of; false if it is of more than these.
bool ValueCandidates::addCounters(const SCEV *of, const Value *base, LoopSet &set) const {
  return !SCEVExprContains(of, [&](const SCEV *part) {
    if (auto *moving = dyn_cast<SCEVAddRecExpr>(part))
      set.insert(const_cast<Loop *>(moving->getLoop()));
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    return llvm::isa<SCEVCouldNotCompute>(part) || (unknown && unknown->getValue() != base);
  });
}

/// With the loops in these and those that counts come from; none if one cannot be unrolled.
std::optional<LoopSet> ValueCandidates::close(LoopSet set) {
  for (size_t i = 0; i < set.size(); ++i) { // grows
    if (!mayUnroll(*set[i]) || !addCounters(evolution.getBackedgeTakenCount(set[i]), nullptr, set))
      return std::nullopt;
    set.insert(set[i]->begin(), set[i]->end());
  }
  auto isSmall = [&](Loop *loop) {
    uint64_t copies = 1;
    for (Loop *around = loop; around && set.contains(around); around = around->getParentLoop())
      copies = SaturatingMultiply<uint64_t>(copies, tripOf(*around));
    return copies <= CostModel::MostNodes;
  };
  return all_of(set, isSmall) ? std::optional(std::move(set)) : std::nullopt;
}

bool ValueCandidates::mayUnroll(Loop &loop) {
  for (const Loop *around = &loop; around; around = around->getParentLoop())
    if (staysRolled(function, placeOf(*around)))
      return false;
  if (!loop.getParentLoop() && staysRolled(function, HandlerPlace))
    return false;
  return tripOf(loop) != 0 && loop.getLoopLatch() && !sumsInLanes(loop) &&
         hasUnrollTransformation(&loop) != TM_SuppressedByUser &&
         none_of(all, [&](const PlacedAccess &access) { return movesOverVpes(access, loop); });
}

/// Whether a loop goes from one VPE's part of a per-VPE array to another one's.
bool ValueCandidates::movesOverVpes(const PlacedAccess &access, const Loop &loop) {
  auto *global = dyn_cast<GlobalVariable>(access.object);
  if (!global || global->getSection() != "acis.vpe" || !loop.contains(access.inst))
    return false;
  auto *type = dyn_cast<ArrayType>(global->getValueType());
  const int64_t slice =
      type ? int64_t(global->getDataLayout().getTypeAllocSize(type->getElementType())) : 0;
  const int64_t step = stepOf(access.place, loop, evolution).value_or(0);
  return slice != 0 && step != 0 && step % slice == 0;
}

unsigned ValueCandidates::tripOf(const Loop &loop) {
  const unsigned trip = evolution.getSmallConstantTripCount(&loop);
  if (trip != 0)
    return trip;
  LoopSet counters;
  if (!addCounters(evolution.getBackedgeTakenCount(&loop), nullptr, counters))
    return 0;
  return unsigned(divideCeil(evolution.getSmallConstantMaxTripCount(&loop), 2));
}

std::vector<LoopSet> ValueCandidates::promotions() {
  std::vector<LoopSet> sets;
  auto propose = [&](LoopSet of) {
    std::optional<LoopSet> set = close(std::move(of));
    if (set && !set->empty())
      sets.insert(
          upper_bound(sets, *set,
                      [](const LoopSet &a, const LoopSet &b) { return a.size() < b.size(); }),
          std::move(*set));
  };
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->getParentLoop()) {
      LoopSet one;
      one.insert(loop);
      propose(std::move(one));
    }
  for (const ValueArray &array : local)
    propose(array.loops);
  return sets;
}

LoopSet ValueCandidates::turns(const CostModel &cost) {
  LoopSet set;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    const unsigned trip = evolution.getSmallConstantTripCount(loop);
    bool areVpes = false, areTurns = false;
    for (const PlacedAccess &access : all)
      if (loop->contains(access.inst)) {
        const Loop *inner = access.loop;
        areVpes |= movesOverVpes(access, *loop);
        areTurns |= inner != loop && isStreamPointer(access.object) &&
                    stepOf(access.place, *loop, evolution) != 0 &&
                    (inner->getParentLoop() != loop ||
                     evolution.getSmallConstantTripCount(inner) !=
                         cost.lanesOf(getLoadStoreType(access.inst)->getScalarSizeInBits()));
      }
    if (areVpes && areTurns && trip != 0 && trip <= cost.machine().numPes())
      set.insert(loop);
  }
  return set;
}

LoopSet ValueCandidates::bodies() {
  LoopSet set;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    const bool isCounted = loop->getExitingBlock() == loop->getLoopLatch() &&
                           !isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(loop));
    const bool hasAccess =
        any_of(all, [&](const PlacedAccess &access) { return access.loop == loop; });
    if (loop->isInnermost() || isCounted || !hasAccess)
      continue;
    const SmallVector<Loop *, 4> nest = loop->getLoopsInPreorder();
    LoopSet inner;
    inner.insert(nest.begin() + 1, nest.end());
    if (all_of(inner, [&](const Loop *one) {
          return evolution.getSmallConstantTripCount(one) != 0 && !touchesData(*one);
        }))
      if (const std::optional<LoopSet> closed = close(std::move(inner)))
        set.insert(closed->begin(), closed->end());
  }
  return set;
}

} // namespace acis
