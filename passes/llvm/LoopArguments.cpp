// See Transforms.h.
#include "passes/llvm/Transforms.h"

#include "passes/llvm/UnrolledPlaces.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace acis {
namespace {

class ArgumentKeeper {
public:
  ArgumentKeeper(Loop &loop, const LoopInfo &loops, ScalarEvolution &evolution)
      : loop(loop), loops(loops), evolution(evolution) {}

  bool run(unsigned arguments) {
    findAddresses();
    SmallSetVector<Value *, 32> values;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &inst : *block)
        for (Value *value : inst.operands())
          if (mayBeInArray(*value))
            values.insert(value);
    // Half of the arguments is for where accesses start, and for constants.
    unsigned left = arguments / 2;
    bool isChanged = false;
    for (Value *value : values) {
      const unsigned words = divideCeil(value->getType()->getPrimitiveSizeInBits(), 32);
      if (words <= left) {
        left -= words;
        continue;
      }
      keep(*value);
      isChanged = true;
    }
    return isChanged;
  }

private:
  /// What says where the loop's accesses are, or how often it runs, is an argument in any case: all
  /// that ScalarEvolution sees them come from.
  void findAddresses() {
    SmallVector<Value *, 16> work;
    for (BasicBlock *block : loop.blocks()) {
      for (Instruction &inst : *block)
        if (Value *pointer = getLoadStorePointerOperand(&inst))
          work.push_back(pointer);
      if (auto *branch = dyn_cast<BranchInst>(block->getTerminator());
          branch && branch->isConditional() && loops.getLoopFor(block)->isLoopExiting(block))
        if (auto *test = dyn_cast<Instruction>(branch->getCondition()))
          append_range(work, test->operands());
    }
    while (!work.empty()) {
      Value *value = work.pop_back_val();
      auto *inst = dyn_cast<Instruction>(value);
      if (addresses.insert(value).second && inst && loop.contains(inst) &&
          evolution.isSCEVable(inst->getType()) && !isa<SCEVUnknown>(evolution.getSCEV(inst)))
        append_range(work, inst->operands());
    }
  }

  bool mayBeInArray(Value &value) const {
    Type *type = value.getType();
    const bool isNumber = type->isFloatTy() || type->isDoubleTy() ||
                          (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
    return isNumber && (isa<Instruction>(value) || isa<Argument>(value)) &&
           loop.isLoopInvariant(&value) && !addresses.contains(&value) &&
           none_of(value.users(), [&](const User *user) {
             return isa<PHINode>(user) && loop.contains(cast<Instruction>(user));
           });
  }

  void keep(Value &value) {
    BasicBlock &entry = loop.getHeader()->getParent()->getEntryBlock();
    IRBuilder<> builder(&entry, entry.begin());
    Type *type = value.getType(), *element = type;
    if (type->isIntegerTy())
      element = builder.getIntNTy(PowerOf2Ceil(std::max(8U, type->getIntegerBitWidth())));
    AllocaInst *array = builder.CreateAlloca(ArrayType::get(element, 1), nullptr, "argument");
    Instruction &before = *loop.getLoopPreheader()->getTerminator();
    builder.SetInsertPoint(&before);
    builder.SetCurrentDebugLocation(loop.getStartLoc());
    builder.CreateStore(element == type ? &value : builder.CreateZExt(&value, element), array);
    SmallMapVector<Loop *, Value *, 2> read;
    for (Use &use : make_early_inc_range(value.uses())) {
      auto *user = dyn_cast<Instruction>(use.getUser());
      if (!user || !loop.contains(user))
        continue;
      Loop *inner = loops.getLoopFor(user->getParent());
      Value *&number = read[inner];
      if (!number) {
        builder.SetInsertPoint(inner->getHeader(), inner->getHeader()->getFirstInsertionPt());
        builder.SetCurrentDebugLocation(user->getDebugLoc());
        number = builder.CreateLoad(element, array, value.getName());
        if (element != type)
          number = builder.CreateTrunc(number, type);
      }
      use.set(number);
    }
  }

  Loop &loop;
  const LoopInfo &loops;
  ScalarEvolution &evolution;
  SmallPtrSet<const Value *, 16> addresses;
};

} // namespace

bool loopArguments(Function &function, FunctionAnalysisManager &analyses, unsigned arguments) {
  if (!function.hasFnAttribute(ArrayArgumentsAttribute))
    return false;
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool isChanged = false;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->getLoopPreheader() && hasPlace(function, ArrayArgumentsAttribute, placeOf(*loop)))
      isChanged |= ArgumentKeeper(*loop, loops, evolution).run(arguments);
  return isChanged;
}

} // namespace acis
