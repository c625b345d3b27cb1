// One loop at a time, since analyses are built anew after each.
#include "passes/import/UnrollVpes.h"

#include "passes/llvm/StreamAccess.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace acis::import {
namespace {

bool isStream(const Object &object) {
  return object.kind == ObjectKind::In || object.kind == ObjectKind::Out;
}

class VpeUnroller {
public:
  VpeUnroller(Function &handler, const ImportOptions &options)
      : handler(handler), options(options),
        libraryImpl(Triple(handler.getParent()->getTargetTriple())), library(libraryImpl),
        assumptions(handler), dominators(handler), loops(dominators),
        evolution(handler, library, assumptions, dominators, loops),
        accesses(handler, evolution, ignored) {}

  /// Whether a loop was unrolled.
  bool run() {
    for (Loop *loop : loops.getLoopsInPreorder())
      if (!loop->isInnermost() && isOverVpes(*loop) && breaksOrder(*loop))
        return unroll(*loop);
    return false;
  }

private:
  bool isOverVpes(const Loop &loop);
  bool breaksOrder(const Loop &loop);
  bool unroll(Loop &loop);

  Function &handler;
  const ImportOptions &options;
  Diagnostics ignored; ///< the importer reports them
  TargetLibraryInfoImpl libraryImpl;
  TargetLibraryInfo library;
  AssumptionCache assumptions;
  DominatorTree dominators;
  LoopInfo loops;
  ScalarEvolution evolution;
  StreamAccess accesses;
};

bool VpeUnroller::isOverVpes(const Loop &loop) {
  unsigned trip = evolution.getSmallConstantTripCount(&loop);
  if (trip == 0 || trip > options.cost.machine().numPes())
    return false;
  return any_of(accesses.accesses(), [&](const Access &access) {
    int64_t slice = access.object->vpeBytes();
    if (slice == 0 || !loop.contains(access.inst))
      return false;
    std::optional<int64_t> step = accesses.position(access, &loop).constantStep(&loop);
    return step && *step != 0 && *step % slice == 0;
  });
}

/// A VPE's turn is more than one beat: a loop in the loop that is not just the lanes.
bool VpeUnroller::breaksOrder(const Loop &loop) {
  return any_of(accesses.accesses(), [&](const Access &access) {
    if (!isStream(*access.object) || !loop.contains(access.inst))
      return false;
    Loop *inner = loops.getLoopFor(access.inst->getParent());
    if (inner == &loop || accesses.position(access, &loop).constantStep(&loop) == 0)
      return false;
    const unsigned beat = options.cost.lanesOf(access.type->getScalarSizeInBits());
    return inner->getParentLoop() != &loop || evolution.getSmallConstantTripCount(inner) != beat;
  });
}

bool VpeUnroller::unroll(Loop &loop) {
  UnrollLoopOptions unrolling{};
  unrolling.Count = evolution.getSmallConstantTripCount(&loop);
  unrolling.Force = true;
  unrolling.ForgetAllSCEV = true;
  TargetTransformInfo target(handler.getDataLayout());
  OptimizationRemarkEmitter remarks(&handler);
  return UnrollLoop(&loop, unrolling, &loops, &evolution, &dominators, &assumptions, &target,
                    &remarks, /*PreserveLCSSA=*/true) == LoopUnrollResult::FullyUnrolled;
}

} // namespace

void unrollStreamedVpes(Function &handler, const ImportOptions &options) {
  bool hasPerVpe = any_of(handler.getParent()->globals(), [](const GlobalVariable &global) {
    return global.getSection() == "acis.vpe";
  });
  while (hasPerVpe && VpeUnroller(handler, options).run()) {
  }
}

} // namespace acis::import
