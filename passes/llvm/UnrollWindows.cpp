// Decides by the strides of a loop's accesses; LLVM's utility does the unrolling.
#include "passes/llvm/Transforms.h"

#include "backend/isa/Numbers.h"
#include "passes/llvm/Handlers.h"
#include "passes/llvm/UnitDemand.h"
#include "passes/llvm/UnrolledPlaces.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace acis {
namespace {

constexpr unsigned MaxTrip = 64;           ///< iterations of a loop that is unrolled
constexpr unsigned MaxInstructions = 4096; ///< of its copies together
constexpr unsigned MaxOperations = 640;    ///< of them; the array's builder takes 768 nodes
constexpr unsigned MaxWindow = 64;         ///< elements of an array that becomes scalars
constexpr unsigned MaxPassedWords = 24;    ///< of those that a loop takes from outside of it

/// What the accesses of a loop say about it.
struct Strides {
  bool streams = false;        ///< it moves in a stream
  bool unitStreams = false;    ///< and by one element per iteration
  bool strided = false;        ///< it moves in an array or in memory by more than an element
  unsigned memory = 0;         ///< accesses at which it moves in memory
  bool other = false;          ///< it moves in an array that is no window, or in memory
  bool slides = false;         ///< over elements that an outer loop moves over in its steps, too
  bool slidesInStream = false; ///< over words of the input stream that windows/KeptWindows.cpp keeps
  SmallPtrSet<const AllocaInst *, 4> windows; ///< small local arrays that it moves in
  SmallPtrSet<const AllocaInst *, 4> shifted; ///< those that it goes down in, w[k] = w[k - 1]
};

/// Elements of an array of any dimensions, and the type of one.
std::pair<uint64_t, Type *> elementsOf(const AllocaInst &alloca) {
  Type *type = alloca.getAllocatedType();
  uint64_t count = 1;
  while (auto *array = dyn_cast<ArrayType>(type)) {
    count *= array->getNumElements();
    type = array->getElementType();
  }
  return {count, type};
}

/// The small local array that a pointer leads into, or null.
const AllocaInst *windowOf(const Value *pointer) {
  auto *alloca = dyn_cast<AllocaInst>(getUnderlyingObject(pointer, /*MaxLookup=*/0));
  if (!alloca || !alloca->isStaticAlloca())
    return nullptr;
  return elementsOf(*alloca).first <= MaxWindow ? alloca : nullptr;
}

/// Whether a step goes from one VPE's part of a per-VPE array to another one's. Such a
/// loop stays: its iterations run side by side.
bool isOverVpes(const Value &pointer, const SCEVConstant *step) {
  auto *global = dyn_cast<GlobalVariable>(getUnderlyingObject(&pointer, /*MaxLookup=*/0));
  if (!step || !global || global->getSection() != "acis.vpe")
    return false;
  auto *type = dyn_cast<ArrayType>(global->getValueType());
  if (!type)
    return false;
  uint64_t slice = global->getDataLayout().getTypeAllocSize(type->getElementType());
  return slice != 0 && step->getAPInt().abs().urem(slice) == 0;
}

class Unroller {
public:
  Unroller(Function &function, FunctionAnalysisManager &analyses, const CostModel &cost)
      : loops(analyses.getResult<LoopAnalysis>(function)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        dominators(analyses.getResult<DominatorTreeAnalysis>(function)),
        assumptions(analyses.getResult<AssumptionAnalysis>(function)),
        target(analyses.getResult<TargetIRAnalysis>(function)),
        remarks(analyses.getResult<OptimizationRemarkEmitterAnalysis>(function)),
        function(function), cost(cost) {
    findPassedIn(function);
    findTooLarge(function);
  }

  bool run() {
    bool changed = false;
    // Unrolling one loop makes its parent an innermost one, and deletes the loop.
    for (bool again = true; again;) {
      again = false;
      for (Loop *loop : loops.getLoopsInPreorder())
        if ((takesTurns(*loop) ||
             (mayChange(*loop) &&
              (loop->isInnermost() ? shouldUnroll(*loop) : isTriangle(*loop)))) &&
            unroll(*loop)) {
          again = changed = true;
          break;
        }
    }
    return changed;
  }

private:
  bool mayChange(const Loop &loop) const {
    for (const Loop *around = &loop; around; around = around->getParentLoop())
      if (hasPlace(function, RolledAttribute, placeOf(*around)))
        return false;
    return true;
  }

  /// By how much a loop moves a part of an address, or null.
  const SCEV *stepIn(const Loop &loop, const SCEV *address) {
    if (auto *sum = dyn_cast<SCEVAddExpr>(address)) {
      for (const SCEV *part : sum->operands())
        if (const SCEV *step = stepIn(loop, part))
          return step;
      return nullptr;
    }
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(address);
    if (!recurrence)
      return nullptr;
    return recurrence->getLoop() == &loop ? recurrence->getStepRecurrence(evolution)
                                          : stepIn(loop, recurrence->getStart());
  }

  /// Whether VPEs take turns at a stream, each for more than the lanes of one beat: there is a loop
  /// for each of them, since copies that run side by side would break the order.
  bool takesTurns(Loop &loop) {
    const unsigned trip = evolution.getSmallConstantTripCount(&loop);
    if (loop.isInnermost() || trip == 0 || trip > cost.machine().numPes())
      return false;
    bool areVpes = false, areTurns = false;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &inst : *block)
        if (const Value *pointer = getLoadStorePointerOperand(&inst)) {
          const SCEV *step = stepIn(loop, evolution.getSCEV(const_cast<Value *>(pointer)));
          const Loop *inner = loops.getLoopFor(block);
          areVpes |= isOverVpes(*pointer, dyn_cast_or_null<SCEVConstant>(step));
          areTurns |= step && isStreamPointer(pointer) && inner != &loop &&
                      (inner->getParentLoop() != &loop ||
                       evolution.getSmallConstantTripCount(inner) !=
                           cost.lanesOf(getLoadStoreType(&inst)->getScalarSizeInBits()));
        }
    return areVpes && areTurns;
  }

  bool shouldUnroll(Loop &loop) {
    unsigned trip = evolution.getSmallConstantTripCount(&loop);
    if (trip == 0 || trip > MaxTrip || trip * sizeOf(loop) > MaxInstructions)
      return false;
    if (!loop.getLoopLatch() || sumsInLanes(loop) || isDisabledByUser(loop))
      return false;
    Strides strides = stridesOf(loop);
    if (any_of(strides.windows, [&](auto *window) { return whole.contains(window); }))
      return true;
    // Once an array is to become scalars, no loop may index it.
    if (any_of(strides.windows, [&](auto *window) { return scalars.contains(window); }) &&
        (!strides.streams || !loop.getParentLoop())) {
      if (loop.getParentLoop())
        scalars.insert(strides.windows.begin(), strides.windows.end());
      return true;
    }
    const bool isKept = strides.slidesInStream && loop.getParentLoop() &&
                        evolution.getSmallConstantTripCount(loop.getParentLoop()) == 0;
    if ((strides.streams && !isKept) || !loop.getParentLoop())
      return false;
    // More than a context holds stays a loop: it may be counted by the sequencer.
    Demand demand;
    demand.add(demandOf(loop, strides), trip);
    if (!fits(demand))
      return false;
    // Lanes over a sliding window would be few, and would read each element again for each
    // place of the window.
    if (strides.strided || isKept || (strides.slides && trip < cost.machine().lanes)) {
      scalars.insert(strides.shifted.begin(), strides.shifted.end());
      return true;
    }
    // A window is kept for a loop around it that moves in a stream, or is too short to
    // be lanes.
    if (strides.windows.empty() ||
        (trip >= cost.machine().lanes && !stridesOf(*loop.getParentLoop()).unitStreams))
      return false;
    scalars.insert(strides.windows.begin(), strides.windows.end());
    return true;
  }

  /// Whether inner loops, over small arrays alone, get their counts from this loop: a sort, a
  /// triangular solve. Its copies have inner loops of constant counts.
  bool isTriangle(Loop &loop) {
    const unsigned trip = evolution.getSmallConstantTripCount(&loop);
    if (trip == 0 || trip > MaxTrip || !loop.getParentLoop() || isDisabledByUser(loop))
      return false;
    bool varies = false;
    unsigned size = 0;
    Demand work;
    SmallPtrSet<const AllocaInst *, 4> windows;
    for (Loop *inner : loop.getSubLoops()) {
      const unsigned most = evolution.getSmallConstantMaxTripCount(inner);
      if (!inner->isInnermost() || most == 0 || most > MaxTrip || sumsInLanes(*inner) ||
          isDisabledByUser(*inner))
        return false;
      varies |= evolution.getSmallConstantTripCount(inner) == 0;
      size += trip * most * sizeOf(*inner);
      // A triangle is half of a square; a write of some iterations becomes a choice.
      Demand inside = operationsOf(*inner);
      inside.operations[unsigned(UnitClass::Integer)] += storesOf(*inner);
      work.add(inside, trip * most / 2);
      Strides strides = stridesOf(*inner);
      if (strides.streams || strides.other)
        return false;
      windows.insert(strides.windows.begin(), strides.windows.end());
    }
    if (!varies || size > MaxInstructions || !fits(work) ||
        any_of(windows, [&](auto *window) { return !canBeScalars(*window, loop); }))
      return false;
    scalars.insert(windows.begin(), windows.end());
    whole.insert(windows.begin(), windows.end());
    return true;
  }

  bool fits(const Demand &demand) const {
    return demand.allOperations() <= MaxOperations && cost.hasPorts(demand) &&
           cost.hasRoom(cost.interval(demand));
  }

  static bool isDisabledByUser(const Loop &loop) {
    return hasUnrollTransformation(&loop) == TM_SuppressedByUser;
  }

  /// All that uses the array, without the address computations between.
  static SmallVector<const User *, 16> usersOf(const AllocaInst &window) {
    SmallVector<const User *, 16> users;
    SmallVector<const Value *, 8> work{&window};
    while (!work.empty())
      for (const User *user : work.pop_back_val()->users())
        llvm::isa<GetElementPtrInst>(user) ? work.push_back(user) : users.push_back(user);
    return users;
  }

  /// 32-bit words of windows that are scalars; a byte is an argument and a result, too.
  static uint64_t wordsOf(ArrayRef<const AllocaInst *> windows) {
    uint64_t words = 0;
    for (const AllocaInst *window : windows) {
      auto [count, type] = elementsOf(*window);
      words += count * divideCeil(window->getDataLayout().getTypeAllocSize(type), 4);
    }
    return words;
  }

  /// Whether a loop stays one when all loops of few iterations are unrolled.
  bool staysLoop(const Loop &loop) {
    const unsigned trip = evolution.getSmallConstantTripCount(&loop);
    return trip == 0 || trip > MaxTrip;
  }

  /// Finds the windows of each outermost loop that come from another one or go on to it, if they
  /// are more scalars together than a launch has arguments for, or than it has results, if the loop
  /// writes them.
  void findPassedIn(Function &function) {
    MapVector<const Loop *, SmallVector<const AllocaInst *, 4>> shared;
    SmallDenseMap<const Loop *, uint64_t> written;
    for (Instruction &inst : function.getEntryBlock()) {
      const AllocaInst *window = windowOf(&inst);
      if (window != &inst)
        continue;
      SmallSetVector<const Loop *, 4> users, writers;
      for (const User *user : usersOf(*window))
        if (llvm::isa<LoadInst, StoreInst>(user)) {
          const Loop *loop = outermost(loops.getLoopFor(cast<Instruction>(user)->getParent()));
          users.insert(loop);
          if (llvm::isa<StoreInst>(user))
            writers.insert(loop);
        }
      for (const Loop *loop : users)
        if (loop && users.size() > 1)
          shared[loop].push_back(window);
      for (const Loop *loop : writers)
        if (loop && staysLoop(*loop))
          written[loop] += wordsReadBehind(*loop, *window);
    }
    for (auto &[loop, windows] : shared)
      if (wordsOf(windows) > MaxPassedWords || written.lookup(loop) > isa::MaxResults)
        passedIn.insert(windows.begin(), windows.end());
  }

  /// Words of a window that are read outside of a loop: of one element for each read at a constant
  /// place, of all if there are others.
  uint64_t wordsReadBehind(const Loop &loop, const AllocaInst &window) {
    const uint64_t all = wordsOf({&window}), each = all / elementsOf(window).first;
    uint64_t words = 0;
    for (const User *user : usersOf(window)) {
      auto *read = dyn_cast<LoadInst>(user);
      if (!read || loop.contains(read))
        continue;
      const SCEV *address = evolution.getSCEV(const_cast<Value *>(read->getPointerOperand()));
      words += llvm::isa<SCEVConstant>(evolution.removePointerBase(address)) ? each : all;
    }
    return std::min(words, all);
  }

  /// Finds the windows whose loops, unrolled, are more than the array holds at a time: those loops
  /// stay. Each outermost loop is a launch.
  void findTooLarge(Function &function) {
    for (Instruction &inst : function.getEntryBlock()) {
      const AllocaInst *window = windowOf(&inst);
      if (window != &inst)
        continue;
      SmallDenseMap<const Loop *, uint64_t> copies; // by innermost loop
      for (const User *user : usersOf(*window))
        if (const Value *pointer = getLoadStorePointerOperand(user))
          if (Loop *loop = loops.getLoopFor(cast<Instruction>(user)->getParent());
              loop && loop->isInnermost())
            copies[loop] = std::max(copies[loop], copiesOf(*loop, *pointer));
      SmallDenseMap<const Loop *, Demand> sums; // by outermost loop
      for (auto [loop, times] : copies)
        sums[outermost(loop)].add(operationsOf(*loop), times);
      if (any_of(sums, [&](auto &sum) { return !fits(sum.second); }))
        passedIn.insert(window);
    }
  }

  /// Copies of a loop's body that are made before the pointer's places are constants.
  uint64_t copiesOf(const Loop &loop, const Value &pointer) {
    const SCEV *address = evolution.getSCEV(const_cast<Value *>(&pointer));
    uint64_t copies = 1, needed = 1;
    for (const Loop *around = &loop; around; around = around->getParentLoop()) {
      copies *= std::max(1u, evolution.getSmallConstantTripCount(around));
      if (!evolution.isLoopInvariant(address, around))
        needed = copies;
    }
    return needed;
  }

  /// Whether each position in the window is a constant once loops of constant counts, and those
  /// in `triangle`, are unrolled.
  bool canBeScalars(const AllocaInst &window, const Loop &triangle) {
    return all_of(usersOf(window), [&](const User *user) {
      const Value *pointer = getLoadStorePointerOperand(user);
      return pointer ? isCounted(*pointer, window, triangle) : llvm::isa<IntrinsicInst>(user);
    });
  }

  bool isCounted(const Value &pointer, const AllocaInst &window, const Loop &triangle) {
    const SCEV *address = evolution.getSCEV(const_cast<Value *>(&pointer));
    return !SCEVExprContains(address, [&](const SCEV *part) {
      if (auto *unknown = dyn_cast<SCEVUnknown>(part))
        return unknown->getValue() != &window;
      auto *recurrence = dyn_cast<SCEVAddRecExpr>(part);
      if (!recurrence || triangle.contains(recurrence->getLoop()))
        return false;
      const unsigned trip = evolution.getSmallConstantTripCount(recurrence->getLoop());
      return !recurrence->getLoop()->isInnermost() || trip == 0 || trip > MaxTrip;
    });
  }

  static const Loop *outermost(const Loop *loop) {
    return loop ? loop->getOutermostLoop() : nullptr;
  }

  /// Of an iteration, when windows are scalars.
  Demand demandOf(const Loop &loop, const Strides &strides) {
    Demand demand = operationsOf(loop);
    demand.memoryReads = strides.memory;
    for (const BasicBlock *block : loop.blocks())
      for (const Instruction &inst : *block) {
        const Value *pointer = getLoadStorePointerOperand(&inst);
        const AllocaInst *window = pointer ? windowOf(pointer) : nullptr;
        if (pointer && (!window || passedIn.contains(window)))
          ++(llvm::isa<LoadInst>(inst) ? demand.fileReads : demand.fileWrites);
      }
    return demand;
  }

  static unsigned storesOf(const Loop &loop) {
    unsigned count = 0;
    for (const BasicBlock *block : loop.blocks())
      count += count_if(*block, [](const Instruction &inst) { return llvm::isa<StoreInst>(inst); });
    return count;
  }

  Strides stridesOf(Loop &loop) {
    Strides strides;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &inst : *block)
        if (const Value *pointer = getLoadStorePointerOperand(&inst))
          add(strides, loop, *pointer, getLoadStoreType(&inst));
    return strides;
  }

  void add(Strides &strides, Loop &loop, const Value &pointer, Type *type) {
    const SCEV *address = evolution.getSCEV(const_cast<Value *>(&pointer));
    if (evolution.isLoopInvariant(address, &loop))
      return;
    bool isStream = isStreamPointer(&pointer);
    strides.streams |= isStream;
    const AllocaInst *window = windowOf(&pointer);
    if (passedIn.contains(window))
      window = nullptr;
    if (window)
      strides.windows.insert(window);
    strides.other |= !window && !isStream;
    strides.memory += isMemoryPointer(&pointer);
    // An address that is no recurrence comes from data; lanes may differ in it.
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(address);
    if (!recurrence || recurrence->getLoop() != &loop)
      return;
    auto *step = dyn_cast<SCEVConstant>(recurrence->getStepRecurrence(evolution));
    const DataLayout &data = loop.getHeader()->getDataLayout();
    bool isUnit = step && step->getAPInt() == data.getTypeStoreSize(type);
    if (window && step && -step->getAPInt() == data.getTypeStoreSize(type))
      strides.shifted.insert(window);
    strides.unitStreams |= isStream && isUnit;
    strides.strided |= !isStream && !isUnit && !isOverVpes(pointer, step);
    strides.slides |= !isStream && isUnit && movesBy(step, recurrence->getStart());
    strides.slidesInStream |= isInputPointer(&pointer) && isUnit && overlaps(*recurrence, *step);
  }

  /// Whether the next iteration of the loop around goes over some of the elements again.
  bool overlaps(const SCEVAddRecExpr &inner, const SCEVConstant &step) {
    auto *outer = dyn_cast<SCEVAddRecExpr>(inner.getStart());
    auto *moved =
        outer && outer->isAffine() ? dyn_cast<SCEVConstant>(outer->getOperand(1)) : nullptr;
    const uint64_t trip = evolution.getSmallConstantTripCount(inner.getLoop());
    return moved && moved->getAPInt().isStrictlyPositive() &&
           moved->getAPInt().ult(step.getAPInt().getZExtValue() * trip);
  }

  /// Whether a loop around moves the address by this step as well: x[i + k].
  static bool movesBy(const SCEV *step, const SCEV *start) {
    return SCEVExprContains(start, [&](const SCEV *part) {
      auto *outer = dyn_cast<SCEVAddRecExpr>(part);
      return outer && outer->isAffine() && outer->getOperand(1) == step;
    });
  }

  bool unroll(Loop &loop) {
    for (const Loop *around = loop.getParentLoop(); around; around = around->getParentLoop())
      addPlace(function, UnrolledAttribute, placeOf(*around));
    UnrollLoopOptions options{};
    options.Count = evolution.getSmallConstantTripCount(&loop);
    options.Force = true;
    options.ForgetAllSCEV = true;
    return UnrollLoop(&loop, options, &loops, &evolution, &dominators, &assumptions, &target,
                      &remarks, /*PreserveLCSSA=*/true) == LoopUnrollResult::FullyUnrolled;
  }

  LoopInfo &loops;
  ScalarEvolution &evolution;
  DominatorTree &dominators;
  AssumptionCache &assumptions;
  TargetTransformInfo &target;
  OptimizationRemarkEmitter &remarks;
  Function &function;
  SmallPtrSet<const AllocaInst *, 4> scalars;  ///< windows that are to become scalars
  SmallPtrSet<const AllocaInst *, 4> whole;    ///< those that a stream fills and takes, too
  SmallPtrSet<const AllocaInst *, 4> passedIn; ///< those that stay arrays between loops
  const CostModel &cost;
};

} // namespace

bool unrollWindows(Function &function, FunctionAnalysisManager &analyses, const CostModel &cost) {
  return Unroller(function, analyses, cost).run();
}

} // namespace acis
