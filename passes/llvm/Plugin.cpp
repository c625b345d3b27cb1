// The passes of this folder for opt -load-pass-plugin:
//   acis-handler-form<lanes=N>   the whole, with legality
//   acis-inline-calls, acis-lower-memory, acis-unroll-windows<lanes=N>, acis-if-convert,
//   acis-hoist-reads, acis-order-reads, acis-peel-rereads, acis-expand-intrinsics,
//   acis-sink-floats, acis-unite-words, acis-carried-selects, acis-element-indices,
//   acis-predicate-exits, acis-split-records, acis-verify-source, acis-verify-handler-form
// Messages become errors of opt.
#include "passes/llvm/CarriedSelects.h"
#include "passes/llvm/Diagnose.h"
#include "passes/llvm/ElementIndices.h"
#include "passes/llvm/ExpandIntrinsics.h"
#include "passes/llvm/HandlerForm.h"
#include "passes/llvm/Handlers.h"
#include "passes/llvm/HoistReads.h"
#include "passes/llvm/IfConvert.h"
#include "passes/llvm/InlineCalls.h"
#include "passes/llvm/LowerMemory.h"
#include "passes/llvm/OrderReads.h"
#include "passes/llvm/PeelRereads.h"
#include "passes/llvm/PredicateExits.h"
#include "passes/llvm/SinkFloats.h"
#include "passes/llvm/SplitRecords.h"
#include "passes/llvm/UniteWords.h"
#include "passes/llvm/UnrollWindows.h"
#include "passes/llvm/VerifyHandlerForm.h"

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
  unsigned lanes;
  explicit HandlerFormPass(unsigned lanes) : lanes(lanes) {}
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    Diagnostics diagnostics;
    FormOptions options;
    options.lanes = lanes;
    options.verifyEach = true;
    bringToHandlerForm(module, options, diagnostics);
    report(module.getContext(), diagnostics);
    return PreservedAnalyses::none();
  }
};

struct InlineCallsPass : PassInfoMixin<InlineCallsPass> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    Diagnostics diagnostics;
    inlineCalls(module, diagnostics);
    report(module.getContext(), diagnostics);
    return PreservedAnalyses::none();
  }
};

struct LowerMemoryPass : PassInfoMixin<LowerMemoryPass> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    Diagnostics diagnostics;
    bool changed = false;
    for (Function &function : module)
      lowerMemory(function, diagnostics, changed);
    report(module.getContext(), diagnostics);
    return PreservedAnalyses::none();
  }
};

struct SplitRecordsPass : PassInfoMixin<SplitRecordsPass> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    splitStaticRecords(module);
    for (Function *handler : handlersOf(module))
      splitLocalRecords(*handler, /*indexed=*/false);
    return PreservedAnalyses::none();
  }
};

struct VerifySourcePass : PassInfoMixin<VerifySourcePass> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    Diagnostics diagnostics;
    for (Function *handler : handlersOf(module))
      verifySource(*handler, diagnostics);
    report(module.getContext(), diagnostics);
    return PreservedAnalyses::all();
  }
};

struct VerifyHandlerFormPass : PassInfoMixin<VerifyHandlerFormPass> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses) {
    Diagnostics diagnostics;
    auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    for (Function *handler : handlersOf(module))
      verifyHandlerForm(*handler, functions, diagnostics);
    report(module.getContext(), diagnostics);
    return PreservedAnalyses::all();
  }
};

/// "name" or "name<lanes=N>".
bool parseLanes(StringRef text, StringRef name, unsigned &lanes) {
  lanes = 16;
  if (!text.consume_front(name))
    return false;
  return text.empty() ||
         (text.consume_front("<lanes=") && text.consume_back(">") && !text.getAsInteger(10, lanes));
}

bool parseModulePass(StringRef name, ModulePassManager &passes,
                     ArrayRef<PassBuilder::PipelineElement>) {
  unsigned lanes = 0;
  if (name == "acis-inline-calls")
    passes.addPass(InlineCallsPass());
  else if (name == "acis-lower-memory")
    passes.addPass(LowerMemoryPass());
  else if (name == "acis-split-records")
    passes.addPass(SplitRecordsPass());
  else if (name == "acis-verify-source")
    passes.addPass(VerifySourcePass());
  else if (name == "acis-verify-handler-form")
    passes.addPass(VerifyHandlerFormPass());
  else if (parseLanes(name, "acis-handler-form", lanes))
    passes.addPass(HandlerFormPass(lanes));
  else
    return false;
  return true;
}

bool parseFunctionPass(StringRef name, FunctionPassManager &passes,
                       ArrayRef<PassBuilder::PipelineElement>) {
  unsigned lanes = 0;
  if (name == "acis-if-convert")
    passes.addPass(IfConvertPass());
  else if (name == "acis-hoist-reads")
    passes.addPass(HoistReadsPass());
  else if (name == "acis-order-reads")
    passes.addPass(OrderReadsPass());
  else if (name == "acis-peel-rereads")
    passes.addPass(PeelRereadsPass());
  else if (name == "acis-carried-selects")
    passes.addPass(CarriedSelectsPass());
  else if (name == "acis-element-indices")
    passes.addPass(ElementIndicesPass());
  else if (name == "acis-predicate-exits")
    passes.addPass(PredicateExitsPass());
  else if (name == "acis-expand-intrinsics")
    passes.addPass(ExpandIntrinsicsPass());
  else if (name == "acis-sink-floats")
    passes.addPass(SinkFloatsPass());
  else if (name == "acis-unite-words")
    passes.addPass(UniteWordsPass());
  else if (parseLanes(name, "acis-unroll-windows", lanes))
    passes.addPass(UnrollWindowsPass({.lanes = lanes}));
  else
    return false;
  return true;
}

} // namespace
} // namespace acis

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "AcisPasses", "1", [](PassBuilder &builder) {
            builder.registerPipelineParsingCallback(acis::parseModulePass);
            builder.registerPipelineParsingCallback(acis::parseFunctionPass);
          }};
}
