// The steps of handler form for opt -load-pass-plugin, each by its name in Steps.h:
//   acis-handler-form        the whole
//   acis-<name>              one step, of a module or of a function
// Each takes the lanes of the overlay: acis-unroll-for-values<lanes=4>. Messages become errors of
// opt.
#include "passes/llvm/Diagnose.h"
#include "passes/llvm/HandlerForm.h"
#include "passes/llvm/Steps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

using namespace llvm;

namespace acis {
namespace {

/// All messages at once: opt ends at the first error.
void report(LLVMContext &context, const Diagnostics &diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics)
    errs() << render(diagnostic);
  if (hasError(diagnostics))
    context.emitError("the module was rejected");
}

struct HandlerFormPass : PassInfoMixin<HandlerFormPass> {
  Overlay overlay;
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    Diagnostics diagnostics;
    FormOptions options(overlay);
    options.verifyEach = true;
    bringToHandlerForm(module, options, diagnostics);
    report(module.getContext(), diagnostics);
    return PreservedAnalyses::none();
  }
};

struct ModuleStepPass : PassInfoMixin<ModuleStepPass> {
  const ModuleStep *step;
  Overlay overlay;
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    Diagnostics diagnostics;
    step->run(module, FormOptions(overlay), diagnostics);
    report(module.getContext(), diagnostics);
    return PreservedAnalyses::none();
  }
};

/// Without what follows the step in the pipeline.
struct StepPass : PassInfoMixin<StepPass> {
  const Step *step;
  Overlay overlay;
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    Diagnostics diagnostics;
    FormOptions options(overlay);
    Forming forming{function, analyses, options, diagnostics};
    bool isChanged = step->run(forming);
    report(function.getContext(), diagnostics);
    return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

/// What is left of "acis-<name>" or "acis-<name><lanes=N>"; empty if it is neither.
StringRef parseName(StringRef text, Overlay &overlay) {
  if (!text.consume_front("acis-"))
    return {};
  auto [name, parameter] = text.split('<');
  unsigned lanes = Overlay().lanes;
  if (!parameter.empty() && (!parameter.consume_front("lanes=") || !parameter.consume_back(">") ||
                             parameter.getAsInteger(10, lanes)))
    return {};
  overlay = plainOverlay(16, lanes);
  return name;
}

template <typename StepType> const StepType *findStep(ArrayRef<StepType> steps, StringRef name) {
  const StepType *found = find_if(steps, [&](const StepType &step) { return step.name == name; });
  return found == steps.end() ? nullptr : found;
}

bool parseModulePass(StringRef text, ModulePassManager &passes,
                     ArrayRef<PassBuilder::PipelineElement>) {
  Overlay overlay;
  StringRef name = parseName(text, overlay);
  if (name == "handler-form")
    passes.addPass(HandlerFormPass{{}, overlay});
  else if (const ModuleStep *step = findStep(moduleSteps(), name))
    passes.addPass(ModuleStepPass{{}, step, overlay});
  else
    return false;
  return true;
}

bool parseFunctionPass(StringRef text, FunctionPassManager &passes,
                       ArrayRef<PassBuilder::PipelineElement>) {
  Overlay overlay;
  const Step *step = findStep(handlerSteps(), parseName(text, overlay));
  if (step)
    passes.addPass(StepPass{{}, step, overlay});
  return step;
}

} // namespace
} // namespace acis

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "AcisPasses", "1", [](PassBuilder &builder) {
            builder.registerPipelineParsingCallback(acis::parseModulePass);
            builder.registerPipelineParsingCallback(acis::parseFunctionPass);
          }};
}
