// A planned nest as the value that all ways to run it are judged by.
#include "passes/import/Plan.h"

#include "passes/import/Operations.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis::import {
namespace {

nest::Object objectOf(ObjectKind kind) {
  return kind == ObjectKind::In    ? nest::Object::Input
         : kind == ObjectKind::Out ? nest::Object::Output
         : kind == ObjectKind::Mem ? nest::Object::Memory
                                   : nest::Object::Array;
}

class Describer {
public:
  Describer(const NestPlan &plan, ScalarEvolution &evolution) : plan(plan), evolution(evolution) {}

  nest::LoopNest run() {
    nest::LoopNest form;
    for (const PlannedAccess &planned : plan.accesses)
      form.accesses.push_back(accessOf(planned));
    for (unsigned loop = 0; loop < plan.shape.loops.size(); ++loop)
      form.levels.push_back(levelOf(loop));
    for (unsigned loop = 0; loop < plan.shape.loops.size(); ++loop)
      for (const Carried &carried : plan.carried[loop])
        if (!carried.isCounter) {
          form.carried.push_back(carried);
          form.carried.back().level = form.carried.back().updatedIn = loop;
        }
    return form;
  }

private:
  nest::Level levelOf(unsigned loop) const {
    const LoopShape &shape = plan.shape.loops[loop];
    nest::Level level;
    if (loop != 0)
      level.around = plan.shape.numberOf(shape.loop->getParentLoop());
    level.trip = shape.constantTrip;
    level.overVpes = plan.overVpes[loop];
    level.isNumberUsed = isNumberUsed(loop);
    level.isPassedThrough = loop != 0 && isPassedThrough(level.around, loop);
    for (const Item &item : shape.body)
      level.size += item.kind != Item::Kind::Loop && !isMarker(*item.inst) &&
                    !llvm::isa<GetElementPtrInst>(item.inst);
    return level;
  }

  bool isNumberUsed(unsigned loop) const {
    auto isOfLoop = [&](const SCEV *part) {
      auto *recurrence = dyn_cast<SCEVAddRecExpr>(part);
      return recurrence && recurrence->getLoop() == plan.shape.loops[loop].loop;
    };
    return any_of(plan.carried[loop],
                  [&](const Carried &carried) {
                    return carried.isCounter && plan.needed.contains(carried.phi);
                  }) ||
           any_of(plan.accesses, [&](const PlannedAccess &planned) {
             return planned.position.index &&
                    llvm::SCEVExprContains(planned.position.index, isOfLoop);
           });
  }

  /// Nothing is carried around the loop but through it.
  bool isPassedThrough(unsigned outer, unsigned loop) const {
    auto isValue = [](const Carried &carried) { return !carried.isCounter; };
    if (count_if(plan.carried[outer], isValue) != count_if(plan.carried[loop], isValue) ||
        !plan.last[loop].empty())
      return false;
    return all_of(plan.carried[loop], [&](const Carried &carried) {
      return !isValue(carried) || any_of(plan.carried[outer], [&](const Carried &around) {
        return isValue(around) && around.phi == carried.init;
      });
    });
  }

  nest::Access accessOf(const PlannedAccess &planned) {
    nest::Access access;
    access.object = objectOf(planned.kind());
    access.name = planned.access->object->name;
    access.isWrite = planned.access->isWrite();
    access.appends = planned.append;
    access.level = planned.loop;
    access.type = unsigned(types.insert({planned.access->type, types.size()}).first->second);
    access.size = planned.bytes() / planned.unit;
    access.steps.assign(plan.shape.loops.size(), 0);
    for (const Position::Step &step : planned.position.steps) {
      std::optional<int64_t> bytes = planned.position.constantStep(step.loop);
      access.steps[plan.shape.numberOf(step.loop)] =
          bytes ? std::optional(*bytes / planned.unit) : std::nullopt;
    }
    if (planned.position.index)
      access.indexScale = planned.position.scale / planned.unit;
    if (planned.kind() != ObjectKind::Array) {
      findOrigin(planned, access);
    } else if (!plan.isScalar()) {
      const Start start = startOf(planned, evolution);
      access.offset = start.offset;
      access.alignment = start.rest ? start.multiple : 0;
      access.origin = unsigned(
          rests.insert({{start.rest, access.alignment}, unsigned(rests.size())}).first->second);
    }
    return access;
  }

  /// An origin is the place of the first access that is of it, without constant steps.
  void findOrigin(const PlannedAccess &planned, nest::Access &access) {
    const SCEV *place = planned.position.start;
    for (const Position::Step &step : planned.position.steps)
      if (!llvm::isa<SCEVConstant>(step.bytes))
        place = evolution.getAddExpr(
            place, evolution.getAddRecExpr(evolution.getZero(place->getType()), step.bytes,
                                           step.loop, SCEV::FlagAnyWrap));
    for (auto [number, origin] : enumerate(origins))
      if (origin.first == planned.kind())
        if (auto distance = evolution.computeConstantDifference(place, origin.second)) {
          access.origin = unsigned(number);
          access.offset = distance->getSExtValue();
          return;
        }
    access.origin = unsigned(origins.size());
    origins.push_back({planned.kind(), place});
  }

  const NestPlan &plan;
  ScalarEvolution &evolution;
  DenseMap<const Type *, size_t> types;
  SmallVector<std::pair<ObjectKind, const SCEV *>, 8> origins; ///< of streams and memory
  DenseMap<std::pair<const SCEV *, int64_t>, unsigned> rests;  ///< of arrays
};

} // namespace

void describe(NestPlan &plan, ScalarEvolution &evolution) {
  plan.form = Describer(plan, evolution).run();
}

} // namespace acis::import
