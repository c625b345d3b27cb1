// The tables. A step's place is part of it: what stands in `why` must stay true when it moves.
#include "passes/llvm/Steps.h"

#include "passes/llvm/Diagnose.h"
#include "passes/llvm/Fences.h"
#include "passes/llvm/HandlerForm.h"
#include "passes/llvm/Handlers.h"
#include "passes/llvm/InlineCalls.h"
#include "passes/llvm/StaticScalars.h"
#include "passes/llvm/Transforms.h"
#include "passes/llvm/VerifyHandlerForm.h"
#include "passes/llvm/objects/Aggregates.h"
#include "passes/llvm/objects/InitialTables.h"
#include "passes/llvm/objects/LowerObjects.h"
#include "passes/llvm/objects/Padding.h"
#include "passes/llvm/windows/PacketLength.h"
#include "passes/llvm/windows/Streams.h"
#include "passes/llvm/windows/Windows.h"

#include "llvm/Analysis/MemorySSA.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LowerConstantIntrinsics.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace acis {
namespace {

bool promote(Forming &forming) { return forming.run(SROAPass(SROAOptions::ModifyCFG)); }

/// Variables whose addresses were in other variables, as what a lambda refers to, are values once
/// these are, and once unused copies of the addresses are gone.
bool promoteAll(Forming &forming) {
  auto variables = [&] {
    return count_if(instructions(forming.handler),
                    [](const Instruction &inst) { return isa<AllocaInst>(inst); });
  };
  const auto before = variables();
  bool isChanged = promote(forming);
  for (auto left = variables(), last = before; left != 0 && left < last; left = variables()) {
    last = left;
    isChanged |= forming.run(DCEPass());
    isChanged |= promote(forming);
  }
  return isChanged;
}

/// Whether the handler both writes and reads the memory.
bool updatesMemory(const Function &handler) {
  bool reads = false, writes = false;
  for (const Instruction &inst : instructions(handler)) {
    const Value *pointer = getLoadStorePointerOperand(&inst);
    if (pointer && isMemoryPointer(pointer))
      (isa<StoreInst>(inst) ? writes : reads) = true;
  }
  return reads && writes;
}

/// The array reads memory ahead of what it writes: what is written and then read is to be a value,
/// on whichever way it was written.
bool reuse(Forming &forming) {
  bool isChanged = forming.run(EarlyCSEPass(/*UseMemorySSA=*/true));
  if (updatesMemory(forming.handler))
    isChanged |= forming.run(GVNPass(GVNOptions().setPRE(false).setLoadPRE(false)));
  return isChanged;
}

bool lowerSwitch(Forming &forming) { return forming.run(LowerSwitchPass()); }

bool ignoreExpectations(Forming &forming) {
  bool isChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(forming.handler)))
    if (auto *call = dyn_cast<IntrinsicInst>(&inst);
        call && (call->getIntrinsicID() == Intrinsic::expect ||
                 call->getIntrinsicID() == Intrinsic::expect_with_probability)) {
      call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
      isChanged = true;
    }
  return forming.settle(isChanged);
}

bool packetLength(Forming &forming) {
  return forming.settle(promoteLength(
      forming.handler, forming.analyses.getResult<DominatorTreeAnalysis>(forming.handler),
      forming.analyses.getResult<LoopAnalysis>(forming.handler)));
}

bool countIterations(Forming &forming) {
  bool isChanged = forming.run(LoopSimplifyPass());
  isChanged |= forming.settle(recogniseMinima(forming.handler));
  isChanged |= forming.settle(simplifyWays(forming.handler, forming.analyses));
  isChanged |= forming.settle(countMeetings(forming.handler, forming.analyses));
  isChanged |= forming.run(LCSSAPass());
  isChanged |= forming.settle(restateNestedCounters(forming.handler, forming.analyses));
  LoopPassManager passes;
  passes.addPass(IndVarSimplifyPass());
  passes.addPass(LoopDeletionPass());
  isChanged |= forming.run(createFunctionToLoopPassAdaptor(std::move(passes)));
  return isChanged;
}

bool convertConditions(Forming &forming) {
  bool isChanged = forming.settle(ifConvert(forming.handler, forming.analyses));
  isChanged |= forming.run(LoopSimplifyPass());
  isChanged |= forming.run(LCSSAPass());
  while (forming.settle(ifConvertInNests(forming.handler, forming.analyses))) {
    isChanged = true;
    forming.run(LCSSAPass());
  }
  return isChanged;
}

bool numberPointers(Forming &forming) {
  if (!choosesPointers(forming.handler))
    return false;
  promote(forming); // of pointers to scalars, SROA makes choices of scalars
  forming.settle(lowerChosenPointers(forming.handler, forming.options.cost.machine().lanes));
  forming.settle(numberParameters(forming.handler));
  return true;
}

bool lowerCopies(Forming &forming) {
  bool isChanged = false;
  forming.refused |= !lowerMemory(forming.handler, forming.diagnostics, isChanged);
  return forming.settle(isChanged);
}

bool foldBranches(Forming &forming) {
  bool isChanged = false;
  for (BasicBlock &block : forming.handler)
    isChanged |= ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
  if (isChanged)
    removeUnreachableBlocks(forming.handler);
  return forming.settle(isChanged);
}

/// Keeps the packet because of a read that no rule of the stream can do.
bool keepWhole(Forming &forming, const LoadInst &read) {
  Diagnostic warning = diagnose(read, Refusal(Why::PacketKept));
  const std::optional<KeptPacket> kept =
      keepPacket(forming.handler, forming.analyses, forming.options.cost.packetNumbers());
  if (!kept)
    return false;
  if (kept->mayNotFit) {
    warning.severity = Severity::Warning;
    warning.refusal = Refusal(Why::PacketKept, kept->bytes);
    forming.diagnostics.push_back(std::move(warning));
  }
  return forming.settle(true);
}

/// The same of one that may be where the stream has it. Handlers that do not ask for the packet's
/// length are left as they are.
bool keepIfKnown(Forming &forming, const LoadInst *read) {
  return read && packetLengthOf(forming.handler) && keepWhole(forming, *read);
}

bool keepPassed(Forming &forming) {
  const SmallVector<LoadInst *, 1> passed = passedReads(forming.handler, forming.analyses);
  if (passed.empty())
    return keepIfKnown(forming, perhapsPassedRead(forming.handler, forming.analyses));
  if (keepWhole(forming, *passed.front()))
    return true;
  for (const LoadInst *read : passed)
    forming.diagnostics.push_back(diagnose(
        *read, Refusal(Why::StreamReadAgain, forming.handler.getArg(InParameter)->getName())));
  forming.refused = true;
  return false;
}

/// Words are what all rules are about. Where a loop is two, one has nothing to read. Iterations
/// that leave loops are control code.
bool readWindows(Forming &forming) {
  bool isChanged = false;
  auto apply = [&](auto rule, auto... options) {
    const bool isDone = forming.settle(rule(forming.handler, forming.analyses, options...));
    isChanged |= isDone;
    return isDone;
  };
  apply(simplifyReadingLoops);
  if (!forming.handler.hasFnAttribute(KeptPacketAttribute))
    isChanged |= keepIfKnown(forming, overlappingRead(forming.handler, forming.analyses));
  else if (const InputReads reads = inputReadsOf(forming.handler); !reads.empty())
    isChanged |= keepWhole(forming, *reads.front());
  apply(cutLoops);
  apply(readEachWord);
  const Beginning beginning =
      keepBeginning(forming.handler, forming.analyses, forming.options.cost.copyBytes());
  isChanged |= forming.settle(beginning.isKept);
  if (!beginning.isKept)
    isChanged |= keepIfKnown(forming, beginning.unordered);
  while (apply(keepPasses, forming.options.cost.copyBytes())) {
  }
  apply(divideLoops);
  apply(peelRereads);
  apply(readIterations);
  return keepPassed(forming) || isChanged;
}

/// Local variables that are numbers or pointers become values, also those that others pointed to:
/// the library passes iterators by reference. Records stay whole.
void promoteScalars(Function &handler) {
  for (;;) {
    SmallVector<AllocaInst *, 16> variables;
    for (Instruction &inst : handler.getEntryBlock())
      if (auto *variable = dyn_cast<AllocaInst>(&inst); variable && isAllocaPromotable(variable))
        variables.push_back(variable);
    if (variables.empty())
      return;
    DominatorTree dominators(handler);
    PromoteMemToReg(variables, dominators);
  }
}

constexpr ModuleStep ModuleSteps[] = {
    {"inline-calls", "Inline all that a handler calls; remove what no handler uses",
     "the array has no calls, and everything below sees one function",
     [](Module &module, const FormOptions &, Diagnostics &diagnostics) {
       inlineCalls(module, diagnostics);
     }},
    {"split-aggregates", "Load and store the numbers of what is passed by value",
     "a record is accessed by its members then, of which arrays are made",
     [](Module &module, const FormOptions &, Diagnostics &) {
       for (Function *handler : handlersOf(module))
         splitAggregates(*handler);
     }},
    {"write-padding", "Write the padding of records that are sent",
     "local pointers are values; records are still of the types that say where padding is",
     [](Module &module, const FormOptions &, Diagnostics &) {
       for (Function *handler : handlersOf(module)) {
         promoteScalars(*handler);
         writePadding(*handler);
       }
     }},
    {"lower-objects",
     "Make an array of each member of static records, and of records that data indexes; make one "
     "array of those that a pointer may be into",
     "the register file has arrays of numbers; while records are whole, one number tells the place "
     "in all of their members",
     [](Module &module, const FormOptions &options, Diagnostics &) {
       lowerStaticObjects(module, handlersOf(module), options.cost.machine().lanes);
     }},
    {"static-scalars", "Keep static variables that are no arrays in scratch memory",
     "members of records that are no arrays are variables now; in front of sroa, which makes "
     "values of the local copies",
     [](Module &module, const FormOptions &options, Diagnostics &diagnostics) {
       placeStaticScalars(module, options.cost.machine().scratchBytes / 2, diagnostics);
     }},
};

constexpr Properties None = Properties::None;

constexpr Step HandlerSteps[] = {
    {"verify-source", "Refuse what the program must not contain whatever comes of it",
     "in front of passes that may remove it, so that a message does not depend on them", None,
     Properties::NoCalls, Cleanup::None,
     [](Forming &forming) {
       forming.refused |=
           isHandler(forming.handler) && !verifySource(forming.handler, forming.diagnostics);
       return false;
     }},
    {"local-tables", "Make a constant of a local array that starts from a fill and single stores",
     "in front of sroa, which takes a small array apart and leaves its fill", None, None,
     Cleanup::None,
     [](Forming &forming) { return forming.settle(gatherInitialTables(forming.handler)); }},
    {"ignore-expectations", "Forget which way a branch is expected to go",
     "both sides of it are on the array, and the call hides the condition from what follows", None,
     Properties::NoExpectations, Cleanup::None, ignoreExpectations},
    {"sroa", "Make values of local variables", "everything below works on values", None,
     Properties::PromotedScalars, Cleanup::None, promoteAll},
    {"lower-records", "The same as lower-objects for the local records that SROA left",
     "these are used in ways that only now are accesses of members", None, None, Cleanup::Promote,
     [](Forming &forming) {
       return forming.settle(
           lowerLocalRecords(forming.handler, forming.options.cost.machine().lanes));
     }},
    {"packet-length", "Read the packet's length once, less than 2^31, and make values of it",
     "the length is read through the parameter itself now; in front of all that reasons about ends "
     "of loops",
     Properties::PromotedScalars, None, Cleanup::None, packetLength},
    {"early-cse", "Compute equal values once", "makes the next steps cheap", None, None,
     Cleanup::None, [](Forming &forming) { return forming.run(EarlyCSEPass()); }},
    {"compare-pointers", "Answer whether pointers into different objects, or none, are equal",
     "inlined arguments are known now; what is done if there is no object is never done", None,
     None, Cleanup::None,
     [](Forming &forming) { return forming.settle(comparePointers(forming.handler)); }},
    {"lower-constant-intrinsics", "Answer whether a value is constant",
     "inlined arguments are known now, and both answers lead to code that is worth removing early",
     None, None, Cleanup::None,
     [](Forming &forming) { return forming.run(LowerConstantIntrinsicsPass()); }},
    {"thread-branches", "Take branches early on ways that know their condition",
     "the parts of a && b meet in one branch, and combining puts what both its sides need in front "
     "of "
     "it, which then stays",
     Properties::PromotedScalars, None, Cleanup::None, threadBranches},
    {"simplify", "Combine instructions, join blocks", "the first time, with values",
     Properties::PromotedScalars, None, Cleanup::None, simplify},
    {"table-ranges", "Say between which numbers what is read from a table of constants is",
     "tables are found by now; in front of all that asks for the bounds of loops", None, None,
     Cleanup::None, [](Forming &forming) { return forming.settle(boundTables(forming.handler)); }},
    {"expand-moves", "Move a few elements of an array by reads and writes",
     "a move keeps SROA from taking the array apart; sizes are constants only now", None, None,
     Cleanup::PromoteAndSimplify,
     [](Forming &forming) { return forming.settle(expandMoves(forming.handler)); }},
    {"rotate-loops", "Test at the end of loops, move out what does not change",
     "counters are found in rotated loops; what does not change would be counted as a node", None,
     None, Cleanup::Simplify, rotateLoops},
    {"number-pointers", "Make numbers of elements of pointers that data chooses",
     "rotated loops have pointers of their own; in front of counters, which would be pointers",
     None, None, Cleanup::Simplify, numberPointers},
    {"count-iterations", "Make counters from 0 of induction variables, delete loops without effect",
     "short loops are found by their counts", None, None, Cleanup::None, countIterations},
    {"unroll-for-values",
     "Unroll the loops whose counters small arrays and windows need to be values, and loops over "
     "VPEs that take turns",
     "in front of lower-memory, which makes loops that are to stay; behind counters", None, None,
     Cleanup::PromoteAndSimplify,
     [](Forming &forming) {
       return forming.settle(
           unrollForValues(forming.handler, forming.analyses, forming.options.cost));
     }},
    {"memory-tables", "Copy small parts of the memory that are read where data says",
     "behind unrolling, which makes constants of places; the copy is a loop like others", None,
     None, Cleanup::Simplify,
     [](Forming &forming) {
       return forming.settle(
           copyMemoryTables(forming.handler, forming.analyses, forming.options.cost.copyBytes()));
     }},
    {"narrow-elements", "Give an array elements as small as the parts of them that are accessed",
     "what SROA and unrolling could take apart is gone; copies are of elements", None, None,
     Cleanup::None,
     [](Forming &forming) { return forming.settle(narrowElements(forming.handler)); }},
    {"lower-memory", "Make loops of memset, memcpy and memmove",
     "what SROA and unrolling could take apart is gone; the rest is mapped like any loop", None,
     Properties::NoMemoryIntrinsics, Cleanup::None, lowerCopies},
    {"split-words", "Access an array by its elements where the program has another type",
     "what SROA takes apart is gone, and copies are loops; combining joins no parts", None, None,
     Cleanup::Simplify,
     [](Forming &forming) { return forming.settle(splitWords(forming.handler)); }},
    {"reuse", "Compute and read once what is equal, across stores that do not matter",
     "what is read twice would be taken from the stream twice", None, None, Cleanup::None, reuse},
    {"fold-branches", "Remove ways that are never taken",
     "equal values are one now: a loop that always ends in its first iteration is none", None, None,
     Cleanup::Simplify, foldBranches},
    {"read-windows", "Read each word of the input stream once, in order, where it is certain",
     "unrolled loops show what an iteration reads; equal places are one value, ways that are never "
     "taken are gone",
     None, None, Cleanup::Simplify, readWindows},
    {"lower-switch", "Make branches of switches",
     "behind the last simplifycfg, which makes switches of branches", None, Properties::NoSwitches,
     Cleanup::None, lowerSwitch},
    {"predicate-exits", "Make loops that may end in their middle end by their count",
     "its flag is a condition, which if-convert then treats like any other", Properties::NoSwitches,
     None, Cleanup::LowerSwitch,
     [](Forming &forming) {
       return forming.settle(predicateExits(forming.handler, forming.analyses));
     }},
    {"if-convert", "Make selects of the conditions in innermost loops, and around small ones",
     "one exit and no switch is left in a loop", Properties::NoSwitches, None, Cleanup::None,
     convertConditions},
    {"combine", "Combine instructions", "selects of constants and of conditions become plain", None,
     None, Cleanup::None, combine},
    {"count-elements", "Count in elements what indexes an array in bytes",
     "selects of distances stand in place of branches only now", None, None, Cleanup::None,
     [](Forming &forming) {
       return forming.settle(
           lowerChosenPointers(forming.handler, forming.options.cost.machine().lanes));
     }},
    {"widen-integers", "Compute with integers of 32 or 64 bits where LLVM has other widths",
     "behind combine, the last to make them; what is expanded below has widths of units", None,
     None, Cleanup::None,
     [](Forming &forming) { return forming.settle(widenIntegers(forming.handler)); }},
    {"carried-selects", "Shorten the way of a carried value through selects",
     "behind combine, which would join them again", None, None, Cleanup::None,
     [](Forming &forming) {
       return forming.settle(carriedSelects(forming.handler, forming.analyses));
     }},
    {"expand-intrinsics", "Compute by operations that units have what none of them has",
     "behind combine, which recognises and makes these intrinsics", None, None, Cleanup::None,
     [](Forming &forming) {
       return forming.settle(expandIntrinsics(forming.handler, forming.analyses));
     }},
    {"sink-floats", "Compute floating-point numbers in the loops that use them",
     "behind everything that would move them out again", None, None, Cleanup::None,
     [](Forming &forming) {
       return forming.settle(sinkFloats(forming.handler, forming.analyses));
     }},
    {"drop-markers", "Remove markers, unused reads and short-circuits of conditions",
     "the importer knows operations only; no pass needs the markers any more", None,
     Properties::NoMarkers, Cleanup::None, dropMarkers},
    {"loop-simplify", "Give loops a preheader, one latch and exits of their own",
     "the importer reads loops in this form", None, Properties::SimplifiedLoops, Cleanup::None,
     [](Forming &forming) { return forming.run(LoopSimplifyPass()); }},
    {"lcssa", "Let values leave loops through phis", "the importer finds live-outs in them",
     Properties::SimplifiedLoops, Properties::ClosedLoops, Cleanup::None,
     [](Forming &forming) { return forming.run(LCSSAPass()); }},
    {"loop-results", "Keep in arrays what a loop hands on beyond what a launch returns",
     "in closed form a loop's results are seen, and nothing makes values of the arrays again",
     Properties::ClosedLoops, Properties::ClosedLoops, Cleanup::None,
     [](Forming &forming) {
       return forming.settle(loopResults(forming.handler, forming.analyses));
     }},
    {"loop-arguments", "Keep in arrays what loops compute with beyond what a launch takes",
     "nothing moves the reads out of the loops again", Properties::ClosedLoops,
     Properties::ClosedLoops, Cleanup::None,
     [](Forming &forming) {
       return forming.settle(loopArguments(forming.handler, forming.analyses,
                                           forming.options.cost.machine().arguments));
     }},
    {"verify-handler-form", "Refuse what the importer cannot read, warn of guarded reads of memory",
     "the last word on what a program means is its handler form",
     Properties::NoCalls | Properties::NoMemoryIntrinsics | Properties::NoSwitches |
         Properties::NoMarkers | Properties::ClosedLoops,
     None, Cleanup::None,
     [](Forming &forming) {
       forming.refused |=
           !verifyHandlerForm(forming.handler, forming.analyses, forming.diagnostics);
       return false;
     }},
};

} // namespace

ArrayRef<ModuleStep> moduleSteps() { return ModuleSteps; }
ArrayRef<Step> handlerSteps() { return HandlerSteps; }

void runStep(const Step &step, Forming &forming) {
  if (!step.run(forming) || forming.refused)
    return;
  switch (step.then) {
  case Cleanup::None:
    break;
  case Cleanup::PromoteAndSimplify:
    promote(forming);
    [[fallthrough]];
  case Cleanup::Simplify:
    simplify(forming);
    break;
  case Cleanup::Promote:
    promote(forming);
    break;
  case Cleanup::LowerSwitch:
    lowerSwitch(forming);
    break;
  }
}

} // namespace acis
