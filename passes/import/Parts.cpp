// Between which places an access stays, by ScalarEvolution: in a[i + j] and a[i + j + n] with j <
// n, the first ends where the second begins, whatever i and n are.
#include "passes/import/Parts.h"

#include "passes/llvm/Transforms.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis::import {
namespace {

/// Accesses of one array that differ by a constant, and the bytes that they stay in.
struct Group {
  const Object *object = nullptr;
  const SCEV *begin = nullptr, *end = nullptr; ///< null: anywhere in the array
  SmallVector<unsigned, 4> members;
};

class Parts {
public:
  Parts(const NestPlan &plan, ScalarEvolution &evolution) : plan(plan), evolution(evolution) {}

  std::vector<unsigned> run() {
    for (auto [number, planned] : enumerate(plan.accesses))
      if (planned.kind() == ObjectKind::Array)
        add(unsigned(number), planned);
    for (unsigned group = 0; group < groups.size(); ++group) {
      classes.insert(group);
      for (unsigned other = 0; other < group; ++other)
        if (groups[group].object == groups[other].object && !areApart(groups[group], groups[other]))
          classes.unionSets(group, other);
    }
    return number();
  }

private:
  void add(unsigned number, const PlannedAccess &planned) {
    Group group{planned.access->object, nullptr, nullptr, {number}};
    findReach(planned, group);
    for (Group &known : groups)
      if (known.object == group.object && join(known, group))
        return;
    groups.push_back(std::move(group));
  }

  /// Leaves it open where data, a VPE, or a step or count that changes in the nest decides. So it
  /// is where an iteration need not access its place: only the places of accesses are known to be
  /// in the array.
  void findReach(const PlannedAccess &planned, Group &group) {
    const Position &position = planned.position;
    if (position.index || planned.access->object->perVpe || planned.item->predicate ||
        planned.item->inst->hasMetadata(GuardedMetadata))
      return;
    Type *type = position.start->getType();
    const SCEV *begin = position.start;
    const SCEV *end =
        evolution.getAddExpr(begin, evolution.getConstant(type, uint64_t(planned.bytes())));
    for (const Position::Step &step : position.steps) {
      auto *bytes = dyn_cast<SCEVConstant>(step.bytes);
      const SCEV *last = evolution.getBackedgeTakenCount(step.loop);
      if (!bytes || llvm::isa<SCEVCouldNotCompute>(last) ||
          !evolution.isLoopInvariant(last, plan.shape.root().loop))
        return;
      const SCEV *moved =
          evolution.getMulExpr(evolution.getTruncateOrZeroExtend(last, type), bytes);
      const SCEV *&bound = bytes->getAPInt().isNegative() ? begin : end;
      bound = evolution.getAddExpr(bound, moved);
    }
    group.begin = begin;
    group.end = end;
  }

  /// Adds to a group what is at a constant distance from it.
  bool join(Group &known, const Group &more) {
    if (!known.begin || !more.begin) {
      if (known.begin || more.begin)
        return false;
    } else {
      std::optional<APInt> begin = evolution.computeConstantDifference(more.begin, known.begin);
      std::optional<APInt> end = evolution.computeConstantDifference(more.end, known.end);
      if (!begin || !end)
        return false;
      known.begin = begin->isNegative() ? more.begin : known.begin;
      known.end = end->isNegative() ? known.end : more.end;
    }
    known.members.append(more.members);
    return true;
  }

  /// An object is smaller than half of the addresses, so the sign of a difference says what lies
  /// behind.
  bool areApart(const Group &a, const Group &b) {
    auto isBehind = [&](const Group &later, const Group &earlier) {
      return evolution.isKnownNonNegative(evolution.getMinusSCEV(later.begin, earlier.end));
    };
    return a.begin && b.begin && (isBehind(a, b) || isBehind(b, a));
  }

  std::vector<unsigned> number() const {
    std::vector<unsigned> parts(plan.accesses.size(), 0);
    DenseMap<const Object *, unsigned> counts;
    for (const auto &leader : classes)
      if (leader->isLeader()) {
        const unsigned part = ++counts[groups[leader->getData()].object];
        for (unsigned group : classes.members(*leader))
          for (unsigned member : groups[group].members)
            parts[member] = part;
      }
    for (auto [number, planned] : enumerate(plan.accesses))
      if (counts.lookup(planned.access->object) < 2)
        parts[number] = 0;
    return parts;
  }

  const NestPlan &plan;
  ScalarEvolution &evolution;
  SmallVector<Group, 8> groups;
  EquivalenceClasses<unsigned> classes;
};

} // namespace

std::vector<unsigned> partsOf(const NestPlan &plan, ScalarEvolution &evolution) {
  return Parts(plan, evolution).run();
}

} // namespace acis::import
