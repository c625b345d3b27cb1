// Demands of iterations, in the ways that the planner will have for them.
#include "passes/llvm/ValueCosts.h"

#include "backend/isa/Numbers.h"
#include "passes/llvm/UnitDemand.h"
#include "passes/llvm/windows/Footprint.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

#include <tuple>

using namespace llvm;

namespace acis {
namespace {

/// Cycles, then nodes of all graphs; the largest is of what cannot be.
struct Cost {
  uint64_t cycles = UINT64_MAX, nodes = UINT64_MAX;

  bool operator<(const Cost &other) const {
    return std::tie(cycles, nodes) < std::tie(other.cycles, other.nodes);
  }
  Cost times(uint64_t count) const { return {SaturatingMultiply(cycles, count), nodes}; }
  Cost plus(const Cost &other) const {
    return {SaturatingAdd(cycles, other.cycles), SaturatingAdd(nodes, other.nodes)};
  }
};

/// What one iteration of a loop is when others are unrolled in it.
struct Iteration {
  Demand demand;
  SmallVector<std::pair<Loop *, uint64_t>, 4> inner; ///< that stay, and how many

  uint64_t accesses() const {
    return demand.streamReads + demand.streamWrites + demand.fileReads + demand.fileWrites +
           demand.memoryReads + demand.memoryWrites;
  }
};

class ValueCosts {
public:
  ValueCosts(ValueCandidates &candidates, LoopInfo &loops, ScalarEvolution &evolution,
             DominatorTree &dominators, const CostModel &cost)
      : candidates(candidates), loops(loops), evolution(evolution), dominators(dominators),
        cost(cost) {
    for (const PlacedAccess &access : candidates.accesses())
      if (access.isWrite())
        homes.insert({access.object, unsigned(homes.size())});
  }

  /// Whether no launch costs more with the larger set unrolled, one costs less, and what passes
  /// between launches fits. Control code fills arguments slower than a launch fills an array, so
  /// fewer nodes alone are worth that only where a loop has any number of iterations that do not
  /// wait for each other.
  bool gains(const LoopSet &without, const LoopSet &with) {
    choose(with);
    const SmallVector<Loop *, 8> stay = launches();
    if (!all_of(stay, [&](const Loop *launch) { return passes(*launch); }))
      return false;
    const SmallVector<Cost> before = costsOf(stay, without), after = costsOf(stay, with);
    const bool fills = any_of(with, [&](const Loop *loop) { return isFill(*loop, without); });
    bool gains = false;
    for (auto [launch, old, now] : zip(stay, before, after)) {
      if (old < now)
        return false;
      const bool isLong = candidates.tripOf(*launch) == 0 && !handsOn(*launch);
      gains |= fills && !isLong ? now.cycles < old.cycles : now < old;
    }
    return gains;
  }

private:
  void choose(const LoopSet &set) {
    chosen = set;
    values.clear();
    for (const ValueArray &array : candidates.arrays())
      if (all_of(array.loops, [&](Loop *loop) { return chosen.contains(loop); }))
        values.insert(array.array);
  }

  SmallVector<Cost> costsOf(ArrayRef<Loop *> launches, const LoopSet &set) {
    choose(set);
    return to_vector(map_range(launches, [&](Loop *loop) { return costOf(*loop, {}); }));
  }

  /// Whether it becomes control code that reads.
  bool isFill(const Loop &loop, const LoopSet &without) {
    return !loop.getParentLoop() && !without.contains(const_cast<Loop *>(&loop)) &&
           any_of(candidates.accesses(), [&](const PlacedAccess &access) {
             return loop.contains(access.inst) && !access.isWrite() && !isValue(access);
           });
  }

  /// Loops in nothing but unrolled ones.
  SmallVector<Loop *, 8> launches() const {
    SmallVector<Loop *, 8> found;
    for (Loop *loop : loops.getLoopsInPreorder())
      if (Loop *around = loop->getParentLoop();
          !chosen.contains(loop) && (!around || chosen.contains(around)))
        found.push_back(loop);
    return found;
  }

  /// Of a loop, all its iterations, in the best of the ways that the planner will have. `around`:
  /// what loops around do beside it, which its iterations do under a condition.
  Cost costOf(Loop &loop, const Demand &around) {
    Iteration iteration{around, {}};
    add(iteration, loop, 1, /*isWhole=*/false);
    const uint64_t trip = iterationsOf(loop);
    if (iteration.inner.empty())
      return costAsOne(iteration).times(divideCeil(trip, isLanes(loop) ? lanesOf(loop) : 1));
    if (readsAgain(loop) && candidates.tripOf(loop) == 0)
      return {};
    Cost best = costInside(iteration);
    if (all_of(iteration.inner, [&](auto &inner) { return candidates.tripOf(*inner.first); })) {
      Iteration whole{around, {}};
      add(whole, loop, 1, /*isWhole=*/true);
      best = std::min(best, costAsOne(whole));
    }
    return best.times(trip);
  }

  /// Of the loops that stay in an iteration: one is one nest with it, more are launched.
  /// What is beside them is control code, or one iteration of the array's, which has nothing to
  /// overlap with: a cycle for each operation.
  Cost costInside(const Iteration &iteration) {
    if (iteration.inner.size() == 1 && iteration.inner.front().second == 1)
      return costOf(*iteration.inner.front().first, iteration.demand);
    const Cost launch{cost.launchCycles(), 0};
    const uint64_t nodes = iteration.demand.allOperations() + iteration.accesses();
    Cost sum = iteration.accesses() != 0 ? Cost{nodes, nodes}.plus(launch) : Cost{0, 0};
    for (auto [inner, times] : iteration.inner)
      sum = sum.plus(costOf(*inner, {}).plus(launch).times(times));
    return sum;
  }

  Cost costAsOne(const Iteration &iteration) const {
    const Demand &demand = iteration.demand;
    const uint64_t interval = cost.interval(demand);
    const uint64_t nodes = demand.allOperations() + iteration.accesses();
    if (nodes > CostModel::MostNodes || !cost.hasPorts(demand) || !cost.hasRoom(interval))
      return {};
    return {interval, nodes};
  }

  /// One that is not known counts for a beat of iterations.
  uint64_t iterationsOf(const Loop &loop) {
    const unsigned trip = candidates.tripOf(loop);
    return trip ? trip : cost.machine().lanes;
  }

  /// Adds `times` iterations of a loop; `isWhole`: with all loops in it, not the chosen ones alone.
  void add(Iteration &iteration, Loop &loop, uint64_t times, bool isWhole) {
    iteration.demand.add(demandOf(loop), times);
    for (Loop *inner : loop)
      if (isWhole || chosen.contains(inner))
        add(iteration, *inner, SaturatingMultiply(times, iterationsOf(*inner)), isWhole);
      else
        iteration.inner.push_back({inner, times});
  }

  /// Of an iteration, without loops in it.
  Demand demandOf(const Loop &loop) {
    Demand demand;
    for (const BasicBlock *block : loop.blocks())
      if (loops.getLoopFor(block) == &loop)
        for (const Instruction &inst : *block)
          if (isOperation(inst) && !isOfCounters(inst))
            ++demand.operations[unsigned(unitOf(inst))];
    for (const PlacedAccess &access : candidates.accesses())
      if (access.loop == &loop)
        addAccess(demand, access);
    return demand;
  }

  /// Such are constants, or parts of places.
  bool isOfCounters(const Instruction &inst) {
    return evolution.isSCEVable(inst.getType()) &&
           !SCEVExprContains(evolution.getSCEV(const_cast<Instruction *>(&inst)),
                             [](const SCEV *part) {
                               auto *unknown = dyn_cast<SCEVUnknown>(part);
                               return unknown && llvm::isa<Instruction>(unknown->getValue());
                             });
  }

  void addAccess(Demand &demand, const PlacedAccess &access) {
    const bool isWrite = access.isWrite();
    if (isValue(access)) { // a write under a condition is a choice
      if (isWrite && !dominators.dominates(access.inst->getParent(), access.loop->getLoopLatch()))
        ++demand.operations[unsigned(UnitClass::Integer)];
    } else if (isStreamPointer(access.object)) {
      ++(isWrite ? demand.streamWrites : demand.streamReads);
    } else if (isMemoryPointer(access.object)) {
      ++(isWrite ? demand.memoryWrites : demand.memoryReads);
    } else {
      ++(isWrite ? demand.fileWrites : demand.fileReads);
      if (auto home = homes.find(access.object); home != homes.end()) {
        demand.homes.resize(std::max<size_t>(demand.homes.size(), home->second + 1));
        ++(isWrite ? demand.homes[home->second].writes : demand.homes[home->second].reads);
      }
    }
  }

  bool isValue(const PlacedAccess &access) const { return values.contains(access.object); }

  /// Whether iterations read words of the input that the ones before have read.
  bool readsAgain(const Loop &loop) {
    return any_of(candidates.accesses(), [&](const PlacedAccess &access) {
      auto *read = dyn_cast<LoadInst>(access.inst);
      if (!read || !loop.contains(read) || !isInputPointer(access.object))
        return false;
      std::optional<Footprint> print = footprintOf(*read, loop, evolution);
      return print && print->bytes > print->step;
    });
  }

  /// Elements of a beat, of the widest type.
  unsigned lanesOf(const Loop &loop) {
    unsigned bits = 0;
    for (const PlacedAccess &access : candidates.accesses())
      if (loop.contains(access.inst) && !isValue(access))
        bits = std::max(bits, getLoadStoreType(access.inst)->getScalarSizeInBits());
    return cost.lanesOf(bits);
  }

  bool isLanes(const Loop &loop) {
    return loop.getExitingBlock() == loop.getLoopLatch() && !handsOn(loop) &&
           all_of(candidates.accesses(), [&](const PlacedAccess &access) {
             return !loop.contains(access.inst) || isInLanes(access, loop);
           });
  }

  /// Whether a loop hands on more than counters and sums, which lanes have: values, or arrays of
  /// such that others see as well.
  bool handsOn(const Loop &loop) {
    auto isInside = [&](const Instruction *user) { return loop.contains(user); };
    return any_of(loop.getHeader()->phis(),
                  [&](PHINode &phi) {
                    RecurrenceDescriptor sum;
                    return !(evolution.isSCEVable(phi.getType()) &&
                             llvm::isa<SCEVAddRecExpr>(evolution.getSCEV(&phi))) &&
                           (!RecurrenceDescriptor::isReductionPHI(&phi, const_cast<Loop *>(&loop),
                                                                  sum) ||
                            sum.isOrdered());
                  }) ||
           any_of(candidates.arrays(), [&](const ValueArray &array) {
             return values.contains(array.array) && !all_of(array.users, isInside) &&
                    any_of(array.users, [&](auto *user) {
                      return llvm::isa<StoreInst>(user) && isInside(user);
                    });
           });
  }

  /// Whether each iteration has an element of its own, one behind the other, or reads that of all.
  /// Places that come from data may be lanes; but whether they will be is not known here.
  bool isInLanes(const PlacedAccess &access, const Loop &loop) {
    if (isValue(access))
      return true;
    const std::optional<int64_t> step = stepOf(access.place, loop, evolution);
    const DataLayout &data = access.inst->getDataLayout();
    const bool isUnit =
        step == int64_t(data.getTypeStoreSize(getLoadStoreType(access.inst)).getFixedValue());
    if (isStreamPointer(access.object))
      return isUnit;
    if (!access.isWrite())
      return isUnit || step == 0;
    return isUnit && all_of(candidates.accesses(), [&](const PlacedAccess &other) {
             return other.object != access.object || !loop.contains(other.inst) ||
                    other.place == access.place;
           });
  }

  /// Whether values that a launch takes from others, or from control code, fit its arguments beside
  /// what else it takes, and those that it hands on its results.
  bool passes(const Loop &launch) {
    auto isInside = [&](const Instruction *user) { return launch.contains(user); };
    auto writes = [&](const ValueArray &array, bool inside) { // beside constants
      return any_of(array.users, [&](auto *user) {
        auto *store = dyn_cast<StoreInst>(user);
        return store && isInside(store) == inside && !llvm::isa<Constant>(store->getValueOperand());
      });
    };
    uint64_t taken = 0, given = 0;
    for (const ValueArray &array : candidates.arrays())
      if (values.contains(array.array) && any_of(array.users, isInside)) {
        taken += writes(array, /*inside=*/false) ? array.words : 0;
        given += writes(array, /*inside=*/true) ? wordsReadBehind(launch, array) : 0;
      }
    return (taken == 0 || taken + wordsTaken(launch) <= cost.machine().arguments) &&
           given <= isa::MaxResults;
  }

  static uint64_t wordsOf(const Type *type) { return divideCeil(type->getScalarSizeInBits(), 32); }

  /// Words that a launch takes from outside of it, beside its count, with its loops as they are.
  static uint64_t wordsTaken(const Loop &launch) {
    SmallPtrSet<const Value *, 16> taken;
    uint64_t words = 0;
    for (const BasicBlock *block : launch.blocks())
      for (const Instruction &inst : *block)
        for (const Value *value : inst.operands())
          if (auto *from = dyn_cast<Instruction>(value);
              from && &inst != launch.getLatchCmpInst() && !launch.contains(from) &&
              !value->getType()->isPointerTy() && taken.insert(value).second)
            words += wordsOf(value->getType());
    return words;
  }

  /// Words of an array that are read outside of a launch: of one element for each read at a
  /// constant place, of all if there are others.
  uint64_t wordsReadBehind(const Loop &launch, const ValueArray &array) {
    uint64_t words = 0;
    for (const PlacedAccess &access : candidates.accesses())
      if (access.object == array.array && !access.isWrite() && !launch.contains(access.inst))
        words += llvm::isa<SCEVConstant>(evolution.removePointerBase(access.place))
                     ? wordsOf(getLoadStoreType(access.inst))
                     : array.words;
    return std::min(words, array.words);
  }

  ValueCandidates &candidates;
  LoopInfo &loops;
  ScalarEvolution &evolution;
  DominatorTree &dominators;
  const CostModel &cost;
  MapVector<const Value *, unsigned> homes; ///< of arrays that are written
  LoopSet chosen;                           ///< to be unrolled
  SmallPtrSet<const Value *, 8> values;     ///< arrays that become values with it
};

} // namespace

LoopSet chooseForValues(Function &function, LoopInfo &loops, ScalarEvolution &evolution,
                        DominatorTree &dominators, const CostModel &cost) {
  ValueCandidates candidates(function, loops, evolution);
  ValueCosts costs(candidates, loops, evolution, dominators, cost);
  LoopSet chosen = candidates.turns(cost);
  const LoopSet bodies = candidates.bodies();
  chosen.insert(bodies.begin(), bodies.end());
  for (const LoopSet &promotion : candidates.promotions()) {
    LoopSet more = chosen;
    more.insert(promotion.begin(), promotion.end());
    if (more.size() > chosen.size() && costs.gains(chosen, more))
      chosen = std::move(more);
  }
  return chosen;
}

} // namespace acis
