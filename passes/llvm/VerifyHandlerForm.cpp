// Walks a handler twice: as it was written, and in handler form.
#include "passes/llvm/VerifyHandlerForm.h"

#include "passes/llvm/Diagnose.h"
#include "passes/llvm/Handlers.h"
#include "passes/llvm/Transforms.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {
namespace {

/// Why a type cannot be computed with, if it cannot.
std::optional<Why> badType(const Type *type) {
  if (type->isFP128Ty() || type->isX86_FP80Ty() || type->isPPC_FP128Ty())
    return Why::LongDouble;
  if (type->isHalfTy() || type->isBFloatTy())
    return Why::HalfFloat;
  if (type->isVectorTy())
    return Why::VectorType;
  if (auto *integer = dyn_cast<IntegerType>(type); integer && integer->getBitWidth() > 128)
    return Why::WideInteger;
  return std::nullopt;
}

class SourceVerifier {
public:
  SourceVerifier(Function &handler, Diagnostics &diagnostics)
      : handler(handler), diagnostics(diagnostics) {}

  void run() {
    checkSignature();
    for (Instruction &inst : instructions(handler))
      check(inst);
  }

private:
  void error(const Instruction &where, Refusal refusal) {
    diagnostics.push_back(diagnose(where, std::move(refusal)));
  }
  void error(const Instruction &where, Why why) { error(where, Refusal(why)); }
  void error(Refusal refusal) { diagnostics.push_back(diagnose(handler, std::move(refusal))); }

  void checkSignature() {
    std::string name = handler.getName().str();
    bool fits = handler.arg_size() == NumHandlerParameters && handler.getReturnType()->isVoidTy() &&
                !handler.isVarArg() &&
                all_of(handler.args(), [](Argument &a) { return a.getType()->isPointerTy(); });
    if (!fits)
      return error(Refusal(Why::HandlerSignature, name));
    for (Argument &argument : handler.args())
      if (argument.getArgNo() != LenParameter && !argument.hasNoAliasAttr())
        error(Refusal(Why::ParameterAliases, name, argument.getName()));
  }

  void check(Instruction &inst) {
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && !alloca->isStaticAlloca())
      return error(inst, Why::VariableLengthArray);
    if (inst.isVolatile())
      return error(inst, Why::VolatileAccess);
    if (inst.isAtomic() || isa<FenceInst>(inst))
      return error(inst, Why::AtomicAccess);
    if (inst.isEHPad() || isa<InvokeInst, ResumeInst>(inst))
      return error(inst, Why::Exceptions);
    if (isa<IndirectBrInst, CallBrInst>(inst))
      return error(inst, Why::ComputedGoto);
    if (isa<VAArgInst>(inst))
      return error(inst, Why::VariableArguments);
    checkTypes(inst);
  }

  void checkTypes(Instruction &inst) {
    std::optional<Why> bad = badType(inst.getType());
    for (Value *operand : inst.operands())
      if (!bad)
        bad = badType(operand->getType());
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && !bad)
      bad = badType(alloca->getAllocatedType()->getScalarType());
    // One message for each line; every step of an expression would be another.
    unsigned line = inst.getDebugLoc() ? inst.getDebugLoc().getLine() : 0;
    if (bad && (line == 0 || line != lastTypeLine)) {
      lastTypeLine = line;
      error(inst, *bad);
    }
  }

  Function &handler;
  Diagnostics &diagnostics;
  unsigned lastTypeLine = 0;
};

class FormVerifier {
public:
  FormVerifier(Function &handler, FunctionAnalysisManager &analyses, Diagnostics &diagnostics)
      : handler(handler), loops(analyses.getResult<LoopAnalysis>(handler)),
        diagnostics(diagnostics) {}

  void run() {
    checkTypes();
    checkComparisons();
    warnOfGuardedReads();
    checkEntries();
    for (Loop *loop : loops.getLoopsInPreorder())
      check(*loop);
  }

private:
  void add(Diagnostic diagnostic) { diagnostics.push_back(std::move(diagnostic)); }

  /// Reads of memory that if-conversion made unconditional.
  void warnOfGuardedReads() {
    for (Instruction &inst : instructions(handler)) {
      auto *load = dyn_cast<LoadInst>(&inst);
      if (!load || !load->hasMetadata(GuardedMetadata) ||
          !isMemoryPointer(load->getPointerOperand()))
        continue;
      Diagnostic warning = diagnose(
          inst, Refusal(Why::Said, "memory is read also where the condition does not hold; "
                                   "an address outside of the memory would end the "
                                   "handler"));
      warning.severity = Severity::Warning;
      add(std::move(warning));
    }
  }

  /// Integers that are left wider than the scalar unit's pairs of words.
  void checkTypes() {
    for (Instruction &inst : instructions(handler))
      if (auto *integer = dyn_cast<IntegerType>(inst.getType());
          integer && integer->getBitWidth() > 64)
        return add(diagnose(inst, Refusal(Why::WideInteger)));
  }

  void checkComparisons() {
    for (Instruction &inst : instructions(handler))
      if (auto *compare = dyn_cast<ICmpInst>(&inst))
        if (std::optional<Refusal> why = whyNotCompared(*compare))
          add(diagnose(inst, std::move(*why)));
  }

  void checkEntries() {
    ReversePostOrderTraversal<Function *> order(&handler);
    if (containsIrreducibleCFG<const BasicBlock *>(order, loops))
      add(diagnose(handler, Refusal(Why::LoopEnteredInMiddle)));
  }

  void check(Loop &loop) {
    SmallVector<BasicBlock *, 4> exits;
    loop.getExitingBlocks(exits);
    if (exits.empty())
      return add(diagnose(loop, Refusal(Why::EndlessLoop)));
  }

  Function &handler;
  LoopInfo &loops;
  Diagnostics &diagnostics;
};

} // namespace

bool verifySource(Function &handler, Diagnostics &diagnostics) {
  size_t before = diagnostics.size();
  SourceVerifier(handler, diagnostics).run();
  return diagnostics.size() == before;
}

bool verifyHandlerForm(Function &handler, FunctionAnalysisManager &analyses,
                       Diagnostics &diagnostics) {
  Diagnostics found;
  FormVerifier(handler, analyses, found).run();
  bool good = !hasError(found);
  diagnostics.insert(diagnostics.end(), found.begin(), found.end());
  return good;
}

} // namespace acis
