// Inlines call sites until none is left.
#include "passes/llvm/InlineCalls.h"

#include "passes/llvm/Diagnose.h"
#include "passes/llvm/Handlers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace acis {
namespace {

/// Walks the calls below a handler in depth, once per function.
class CallChecker {
public:
  explicit CallChecker(Diagnostics &diagnostics) : diagnostics(diagnostics) {}

  void visit(Function &function) {
    if (!done.insert(&function).second)
      return;
    path.push_back(&function);
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst)) {
        calls.push_back(call);
        check(*call);
        calls.pop_back();
      }
    path.pop_back();
  }

private:
  /// At the call, or at the one in the user's code that led to it.
  void error(const CallBase &call, Refusal refusal) {
    const auto at =
        find_if(reverse(calls), [](const CallBase *one) { return bool(one->getDebugLoc()); });
    diagnostics.push_back(diagnose(at == calls.rend() ? call : **at, std::move(refusal)));
  }

  void check(CallBase &call) {
    if (call.isInlineAsm())
      return error(call, Refusal(Why::InlineAssembly));
    Function *callee = call.getCalledFunction();
    if (!callee)
      return error(call, Refusal(Why::CallThroughPointer));
    if (isKnownToBackEnd(*callee))
      return;
    if (callee->isDeclaration())
      return error(call, Refusal(Why::CallUndefined, demangle(callee->getName())));
    if (callee->isVarArg())
      return error(call, Refusal(Why::CallVariadic, demangle(callee->getName())));
    if (is_contained(path, callee))
      return error(call, recursionOf(*callee));
    visit(*callee);
  }

  Refusal recursionOf(const Function &callee) const {
    std::string through;
    auto start = find(path, &callee);
    if (path.end() - start > 1) {
      through = " through";
      for (const Function *between : make_range(start + 1, path.end()))
        through += " '" + demangle(between->getName()) + "'";
    }
    return Refusal(Why::Recursion, demangle(callee.getName()), through);
  }

  Diagnostics &diagnostics;
  SmallPtrSet<Function *, 16> done;
  SmallVector<Function *, 8> path;
  SmallVector<const CallBase *, 8> calls; ///< the way to what is checked
};

CallBase *nextCall(Function &function) {
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&inst))
      if (Function *callee = call->getCalledFunction(); callee && !callee->isDeclaration())
        return call;
  return nullptr;
}

bool inlineInto(Function &handler, Diagnostics &diagnostics) {
  while (CallBase *call = nextCall(handler)) {
    InlineFunctionInfo info;
    Diagnostic where = diagnose(*call, Refusal());
    std::string name = demangle(call->getCalledFunction()->getName());
    InlineResult result = InlineFunction(*call, info, /*MergeAttributes=*/false,
                                         /*CalleeAAR=*/nullptr, /*InsertLifetime=*/false);
    if (result.isSuccess())
      continue;
    where.refusal = Refusal(Why::CannotInline, name, result.getFailureReason());
    diagnostics.push_back(std::move(where));
    return false;
  }
  return true;
}

/// Functions and variables that no handler reaches: they may be for the host.
void removeUnused(Module &module) {
  for (GlobalAlias &alias : make_early_inc_range(module.aliases()))
    alias.eraseFromParent();
  for (Function &function : make_early_inc_range(module)) {
    function.removeDeadConstantUsers();
    if (isHandler(function))
      continue;
    if (!function.isDeclaration())
      function.deleteBody();
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
      variable.removeDeadConstantUsers();
      if (variable.use_empty()) {
        variable.eraseFromParent();
        changed = true;
      }
    }
    for (Function &function : make_early_inc_range(module)) {
      function.removeDeadConstantUsers();
      if (function.isDeclaration() && !isHandler(function) && function.use_empty()) {
        function.eraseFromParent();
        changed = true;
      }
    }
  }
}

} // namespace

bool isKnownToBackEnd(const Function &function) {
  return function.isIntrinsic() || function.getName() == "__acis_tile" ||
         function.getName().starts_with("acis.");
}

bool inlineCalls(Module &module, Diagnostics &diagnostics) {
  size_t before = diagnostics.size();
  CallChecker checker(diagnostics);
  for (Function *handler : handlersOf(module))
    checker.visit(*handler);
  if (diagnostics.size() != before)
    return false;
  for (Function *handler : handlersOf(module))
    if (!inlineInto(*handler, diagnostics))
      return false;
  removeUnused(module);
  return true;
}

} // namespace acis
