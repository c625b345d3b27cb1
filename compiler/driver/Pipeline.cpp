// Phases in order, each timed, each ending the run when it fails or is the last.
#include "compiler/driver/Pipeline.h"

#include "backend/overlay/Overlay.h"
#include "compiler/driver/Printer.h"
#include "compiler/frontend/Frontend.h"
#include "passes/llvm/HandlerForm.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

namespace acis::driver {
namespace {

class Pipeline {
public:
  Pipeline(const Options &options, PipelineResult &result)
      : options(options), result(result), messages(result.messages),
        printer(messages, options.color) {}

  void run() {
    if (!loadOverlay())
      return;
    (void)(timed(Phase::Frontend, [&] { return frontend(); }) &&
           timed(Phase::NormalForm, [&] { return normalForm(); }));
  }

private:
  bool loadOverlay() {
    Result<Overlay> loaded = Overlay::load(options.config);
    if (!loaded)
      messages << loaded.error().where << ": error: " << loaded.error().what << '\n';
    else
      overlay = std::move(*loaded);
    return bool(loaded);
  }

  /// Whether to go on.
  template <typename Body> bool timed(Phase phase, Body body) {
    auto start = std::chrono::steady_clock::now();
    bool good = body();
    std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    result.times.push_back({phase, time.count()});
    if (phase == options.last)
      result.good = good;
    return good && phase != options.last;
  }

  bool frontend() {
    frontend::Options front;
    front.file = options.input;
    front.vpes = overlay.numPes();
    front.lanes = overlay.lanes;
    front.clangArgs = options.clangArgs;
    front.resourceDir = options.resourceDir;
    front.color = options.color;
    module = frontend::compile(front, context, result.messages);
    if (!module)
      return false;
    if (options.last == Phase::Frontend)
      printModule();
    return true;
  }

  bool normalForm() {
    FormOptions form;
    form.lanes = overlay.lanes;
    form.verifyEach = options.verifyEach;
    Diagnostics diagnostics;
    bool good = bringToHandlerForm(*module, form, diagnostics);
    printer.print(diagnostics);
    if (good && options.last == Phase::NormalForm)
      printModule();
    return good;
  }

  void printModule() {
    llvm::raw_string_ostream out(result.output);
    module->print(out, nullptr);
  }

  const Options &options;
  PipelineResult &result;
  llvm::raw_string_ostream messages;
  Printer printer;
  Overlay overlay;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

} // namespace

PipelineResult runPipeline(const Options &options) {
  PipelineResult result;
  Pipeline(options, result).run();
  return result;
}

} // namespace acis::driver
