// Walks the tables of Steps.h.
#include "passes/llvm/HandlerForm.h"

#include "passes/llvm/Analyses.h"
#include "passes/llvm/Diagnose.h"
#include "passes/llvm/Handlers.h"
#include "passes/llvm/Steps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;

namespace acis {
namespace {

class Former {
public:
  Former(Function &handler, FunctionAnalysisManager &analyses, const FormOptions &options,
         Diagnostics &diagnostics)
      : forming{handler, analyses, options, diagnostics} {}

  /// Up to the step that is to be the last, if there is one.
  bool run() {
    for (const Step &step : handlerSteps()) {
      if (forming.options.verifyEach)
        verify(step.needs, "in front of", step);
      runStep(step, forming);
      holding |= step.gives;
      if (forming.options.verifyEach && !forming.refused)
        verify(holding, "behind", step);
      if (forming.refused)
        return false;
      if (step.name == forming.options.lastStep)
        break;
    }
    return true;
  }

private:
  void verify(Properties properties, const char *where, const Step &step) {
    std::string broken = firstBroken(properties, forming.handler, forming.analyses);
    if (broken.empty() && verifyFunction(forming.handler))
      broken = "valid IR";
    if (broken.empty())
      return;
    forming.refused = true;
    forming.diagnostics.push_back(
        diagnose(forming.handler, Refusal(Why::FormBroken, broken, where, step.name)));
  }

  Forming forming;
  Properties holding = Properties::None;
};

} // namespace

bool bringToHandlerForm(Module &module, const FormOptions &options, Diagnostics &diagnostics) {
  for (const ModuleStep &step : moduleSteps()) {
    step.run(module, options, diagnostics);
    if (hasError(diagnostics))
      return false;
    if (step.name == options.lastStep)
      return true;
  }
  Analyses analyses(module);
  bool good = true;
  for (Function *handler : handlersOf(module)) {
    // The packet length is a register: nothing else is stored to where it is.
    if (handler->arg_size() == NumHandlerParameters)
      handler->addParamAttr(LenParameter, Attribute::NoAlias);
    good &= Former(*handler, analyses.functions, options, diagnostics).run();
  }
  return good;
}

} // namespace acis
