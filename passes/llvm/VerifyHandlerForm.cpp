// Walks a handler twice: as it was written, and in handler form.
#include "passes/llvm/VerifyHandlerForm.h"

#include "passes/llvm/Diagnose.h"
#include "passes/llvm/Handlers.h"
#include "passes/llvm/IfConvert.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {
namespace {

/// Why a type cannot be computed with, or null.
const char *badType(const Type *type) {
  if (type->isFP128Ty() || type->isX86_FP80Ty() || type->isPPC_FP128Ty())
    return "'long double'; use double";
  if (type->isHalfTy() || type->isBFloatTy())
    return "a 16-bit floating-point type; use float";
  if (type->isVectorTy())
    return "a vector type; write a loop over elements, which become the lanes";
  if (auto *integer = dyn_cast<IntegerType>(type); integer && integer->getBitWidth() > 128)
    return "an integer of more than 64 bits; use uint64_t";
  return nullptr;
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
  void error(const Instruction &where, std::string message) {
    diagnostics.push_back(diagnose(where, std::move(message)));
  }
  void error(std::string message) { diagnostics.push_back(diagnose(handler, std::move(message))); }

  void checkSignature() {
    std::string name = handler.getName().str();
    bool fits = handler.arg_size() == NumHandlerParameters && handler.getReturnType()->isVoidTy() &&
                !handler.isVarArg() &&
                all_of(handler.args(), [](Argument &a) { return a.getType()->isPointerTy(); });
    if (!fits)
      return error("handler '" + name +
                   "' must return void and have 4 pointers as parameters: input stream, output "
                   "stream, memory, packet length");
    for (Argument &argument : handler.args())
      if (argument.getArgNo() != LenParameter && !argument.hasNoAliasAttr())
        error("handler '" + name + "' not mapped: what '" + argument.getName().str() +
              "' points to may alias another parameter; add restrict");
  }

  void check(Instruction &inst) {
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && !alloca->isStaticAlloca())
      return error(inst, "array of variable length; give it a constant length");
    if (inst.isVolatile())
      return error(inst, "volatile access; what a handler accesses changes only by the handler: "
                         "remove volatile");
    if (inst.isAtomic() || isa<FenceInst>(inst))
      return error(inst, "atomic operation; a handler runs alone: use a plain access");
    if (inst.isEHPad() || isa<InvokeInst, ResumeInst>(inst))
      return error(inst, "exception handling in a handler; return without it");
    if (isa<IndirectBrInst, CallBrInst>(inst))
      return error(inst, "computed goto; write if, else and loops");
    if (isa<VAArgInst>(inst))
      return error(inst, "variable arguments in a handler; give the function fixed ones");
    checkTypes(inst);
  }

  void checkTypes(Instruction &inst) {
    const char *bad = badType(inst.getType());
    for (Value *operand : inst.operands())
      if (!bad)
        bad = badType(operand->getType());
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && !bad)
      bad = badType(alloca->getAllocatedType()->getScalarType());
    // One message for each line; every step of an expression would be another.
    unsigned line = inst.getDebugLoc() ? inst.getDebugLoc().getLine() : 0;
    if (bad && (line == 0 || line != lastTypeLine)) {
      lastTypeLine = line;
      error(inst, std::string("the overlay cannot compute with ") + bad);
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
      Diagnostic warning =
          diagnose(inst, "memory is read also where the condition does not hold; an address "
                         "outside of the memory would end the handler");
      warning.severity = Severity::Warning;
      add(std::move(warning));
    }
  }

  /// Integers that are left wider than the scalar unit's pairs of words.
  void checkTypes() {
    for (Instruction &inst : instructions(handler))
      if (auto *integer = dyn_cast<IntegerType>(inst.getType());
          integer && integer->getBitWidth() > 64)
        return add(diagnose(inst, "the overlay cannot compute with an integer of more than 64 "
                                  "bits; use uint64_t"));
  }

  void checkEntries() {
    ReversePostOrderTraversal<Function *> order(&handler);
    if (containsIrreducibleCFG<const BasicBlock *>(order, loops))
      add(diagnose(handler, "a goto enters a loop in its middle; write the loop with for, while "
                            "or do"));
  }

  void check(Loop &loop) {
    SmallVector<BasicBlock *, 4> exits;
    loop.getExitingBlocks(exits);
    if (exits.empty())
      return add(diagnose(loop, "loop without an end; a handler handles one packet and returns"));
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
