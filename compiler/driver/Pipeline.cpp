// Phases in order, each timed, each ending the run when it fails or is the last.
#include "compiler/driver/Pipeline.h"

#include "backend/asm/Assemble.h"
#include "backend/codegen/Codegen.h"
#include "backend/codegen/SourceError.h"
#include "backend/overlay/Overlay.h"
#include "compiler/driver/MlirMessages.h"
#include "compiler/driver/Printer.h"
#include "compiler/driver/RateCertificate.h"
#include "compiler/frontend/Frontend.h"
#include "passes/dfg/NestLocation.h"
#include "passes/dfg/Passes.h"
#include "passes/import/Import.h"
#include "passes/llvm/HandlerForm.h"
#include "passes/llvm/Handlers.h"
#include "passes/llvm/UnrolledPlaces.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <chrono>
#include <set>

namespace acis::driver {
namespace {

class Pipeline {
public:
  Pipeline(const Options &options, PipelineResult &result)
      : options(options), result(result), messages(result.messages),
        printer(messages, options.color) {
    if (options.text)
      printer.keep(options.input, *options.text);
  }

  void run() {
    if (loadOverlay())
      run(overlay);
  }

  void run(const Overlay &machine) {
    overlay = machine;
    result.report.input = options.input;
    result.report.overlay = overlay.name;
    result.report.machine = overlay;
    (void)(timed(Phase::Frontend, [&] { return frontend(); }) && mapHandlers() &&
           timed(Phase::Assemble, [&] { return assemble(); }));
  }

private:
  /// Whether to go on.
  template <typename Body> bool timed(Phase phase, Body body) {
    auto start = std::chrono::steady_clock::now();
    bool good = body();
    std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    auto sum = llvm::find_if(result.report.times, [&](auto &one) { return one.phase == phase; });
    if (sum == result.report.times.end())
      result.report.times.push_back({phase, time.count()});
    else
      sum->milliseconds += time.count();
    if (phase == options.last)
      result.good = good;
    return good && phase != options.last;
  }

  /// From what Clang writes to assembly. Where nests that have another way are refused, again
  /// without the way that they were in; where loops have no way without what was unrolled in them,
  /// again with that; where the order of the input is in the way, again with the packet in an
  /// array. What was refused first is what the user reads if that is still in the way.
  bool mapHandlers() {
    if (options.last > Phase::Import)
      unformed = llvm::CloneModule(*module);
    bool good = false;
    do {
      held.clear();
      dfg = {}; // dies before its context
      good = timed(Phase::NormalForm, [&] { return normalForm(); }) &&
             timed(Phase::Import, [&] { return import(); }) &&
             timed(Phase::Optimise, [&] { return optimise(); }) &&
             timed(Phase::Map, [&] { return map(); }) &&
             timed(Phase::Select, [&] { return select(); });
    } while (!result.good && ((!good && closeFailed()) || unrollAgain() ||
                              (!good && (passInArrays() || keepPackets()))));
    if (!good && isInputRefused())
      restoreRefused();
    print(held);
    return good;
  }

  /// Errors, and loops that the array does not run in this form of the handlers.
  size_t numFailed() const {
    return size_t(llvm::count_if(held, [](const Diagnostic &one) {
      return one.severity == Severity::Error || one.instead == Instead::ScalarUnit;
    }));
  }

  /// Where the array runs no more loops rolled than unrolled, what was unrolled in them stays.
  /// Whether there are such.
  bool unrollAgain() {
    if (rolled.empty() || (dfg && numFailed() < failedUnrolled))
      return false;
    for (const auto &[handler, place] : std::exchange(rolled, {}))
      addPlace(*unformed->getFunction(handler), UnrolledOnlyAttribute, place);
    formAgain();
    return true;
  }

  /// Whether an error is that the input stream goes forward.
  bool isOfInput(const Diagnostic &error) const {
    const llvm::Function *handler = unformed->getFunction(error.handler);
    return kindOf(error.refusal.why).resource == Resource::Stream && handler &&
           handler->arg_size() == NumHandlerParameters &&
           (error.refusal.parts.empty() ||
            handler->getArg(OutParameter)->getName() != error.refusal.parts.front());
  }

  bool isInputRefused() const {
    return llvm::any_of(held, [&](const Diagnostic &one) {
      return one.severity == Severity::Error && isOfInput(one);
    });
  }

  /// Says of a handler that is refused with its packet in an array, too, what was said before.
  void restoreRefused() {
    std::set<std::string> refused;
    for (const Diagnostic &one : held)
      if (one.severity == Severity::Error)
        refused.insert(one.handler);
    llvm::erase_if(refusedBefore, [&](const Diagnostic &one) {
      return one.severity == Severity::Error && !refused.count(one.handler);
    });
    if (!refusedBefore.empty())
      held = std::move(refusedBefore);
  }

  /// Where nothing but the order of the input stream is in the way, once more with the packets of
  /// these handlers in arrays. Whether there are such.
  bool keepPackets() {
    if (!unformed || !refusedBefore.empty() || !hasError(held))
      return false;
    for (const Diagnostic &one : held)
      if (one.severity == Severity::Error && !isOfInput(one))
        return false;
    for (const Diagnostic &one : held)
      if (one.severity == Severity::Error) {
        llvm::Function &handler = *unformed->getFunction(one.handler);
        handler.addFnAttr(KeptPacketAttribute);
        handler.removeFnAttr(RolledAttribute);
        handler.removeFnAttr(UnrolledOnlyAttribute);
      }
    refusedBefore = held;
    rolled.clear();
    formAgain();
    return true;
  }

  void formAgain() {
    closed.clear();
    module = llvm::CloneModule(*unformed);
  }

  /// Whether all errors leave another way.
  bool mayTry() const {
    return dfg && unformed && llvm::none_of(held, [](const Diagnostic &error) {
             return error.severity == Severity::Error && !mayTryElse(error.refusal);
           });
  }

  /// Calls `visit` with each nest that an error may be about, with the error, and with whether it
  /// names that nest. All nests of a handler share its context slots.
  template <typename Visit> void eachFailed(Visit visit) {
    for (const Diagnostic &error : held)
      if (error.severity == Severity::Error)
        dfg->walk([&](dfg::NestOp nest) {
          const bool isIt = isAbout(nest, error);
          if (isIt || error.refusal.why == Why::TooManySlots)
            visit(nest, error, isIt);
        });
  }

  /// Closes the ways of the nests that failed, those of handler form first: what that is told
  /// changes the numbers of loops. Whether there is such.
  bool closeFailed() {
    bool isClosed = false, isFormed = false;
    if (mayTry())
      eachFailed([&](dfg::NestOp nest, const Diagnostic &error, bool isIt) {
        const std::string handler = nest->getParentOfType<dfg::HandlerOp>().getSymName().str();
        auto found = taken.find({handler, nest.getSymName().str()});
        if (found == taken.end())
          return;
        const auto &[loop, way, unrolledAt] = found->second;
        if (!unrolledAt.empty()) {
          addPlace(*unformed->getFunction(handler), RolledAttribute, unrolledAt);
          isFormed = true;
          if (isIt)
            rolled.insert({handler, unrolledAt});
        } else if (loop && isIt) {
          isClosed |= closed[*loop].try_emplace(way, error).second;
        }
      });
    if (isFormed) {
      failedUnrolled = numFailed();
      formAgain();
    } else if (isClosed) {
      module = llvm::CloneModule(*unformed);
    }
    return isFormed || isClosed;
  }

  /// Loops that have no way with as few arguments as a launch has take some of them from arrays.
  /// Whether there are such.
  bool passInArrays() {
    bool isFormed = false;
    for (const Diagnostic &error : held) {
      llvm::Function *handler = unformed ? unformed->getFunction(error.handler) : nullptr;
      const std::string place = placeText(error.file, error.line, error.column);
      if (error.severity != Severity::Error || error.refusal.why != Why::TooManyArguments ||
          !handler || hasPlace(*handler, ArrayArgumentsAttribute, place))
        continue;
      addPlace(*handler, ArrayArgumentsAttribute, place);
      isFormed = true;
    }
    if (isFormed)
      formAgain();
    return isFormed;
  }

  /// Whether an error is about what is in the nest: by the name of the nest that this came from; of
  /// one without a name by its place.
  static bool isAbout(dfg::NestOp nest, const Diagnostic &error) {
    auto names = [&](mlir::Operation *op) {
      if (!error.nest.empty())
        return dfg::nestOf(op->getLoc()) == error.nest;
      mlir::FileLineColLoc place = placeOf(op->getLoc());
      return place && place.getFilename() == error.file && place.getLine() == error.line &&
             place.getColumn() == error.column;
    };
    return nest
        ->walk([&](mlir::Operation *op) {
          return names(op) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
        })
        .wasInterrupted();
  }

  bool loadOverlay() {
    Result<Overlay> loaded = Overlay::load(options.config);
    if (!loaded) {
      messages << loaded.error().where << ": error: " << loaded.error().what << '\n';
      Diagnostic wrong;
      wrong.file = loaded.error().where;
      wrong.refusal = Refusal(Why::Said, loaded.error().what);
      result.diagnostics.push_back(std::move(wrong));
    } else
      overlay = std::move(*loaded);
    return bool(loaded);
  }

  bool frontend() {
    frontend::Options front;
    front.file = options.input;
    front.text = options.text;
    front.vpes = overlay.numPes();
    front.lanes = overlay.lanes;
    front.clangArgs = options.clangArgs;
    front.resourceDir = options.resourceDir;
    front.color = options.color;
    frontend::Remarked remarked;
    module = frontend::compile(front, llvmContext, remarked);
    messages << remarked.messages;
    llvm::append_range(result.diagnostics, remarked.diagnostics);
    result.files = std::move(remarked.files);
    for (const frontend::HandlerDecl &handler : remarked.handlers)
      result.report.handlers.push_back({handler.name, handler.inType, handler.outType});
    if (module && options.last == Phase::Frontend)
      printModule();
    return bool(module);
  }

  bool normalForm() {
    FormOptions form(overlay);
    form.verifyEach = options.verifyEach;
    form.lastStep = options.lastStep;
    Diagnostics diagnostics;
    bool good = bringToHandlerForm(*module, form, diagnostics);
    hold(diagnostics);
    if (good && options.last == Phase::NormalForm)
      printModule();
    return good;
  }

  bool import() {
    mlirContext.emplace(mlir::MLIRContext::Threading::DISABLED);
    mlirContext->printOpOnDiagnostic(false); // the source line says it
    import::ImportOptions importOptions(overlay);
    importOptions.doubleBuffer = options.doubleBuffer;
    importOptions.scalarLoops = options.scalarLoops;
    importOptions.closed = closed;
    Diagnostics diagnostics;
    MlirMessages collect(*mlirContext, diagnostics);
    import::Imported imported = import::importModule(*module, *mlirContext, importOptions);
    dfg = std::move(imported.dfg);
    if (dfg)
      dfg::nameNests(*dfg);
    taken = std::move(imported.taken);
    if (dfg && failed(mlir::verify(*dfg))) // a fault of the importer; say so, do not go on
      dfg = {};
    diagnostics.insert(diagnostics.begin(), imported.diagnostics.begin(),
                       imported.diagnostics.end());
    hold(diagnostics);
    hold(imported.remarks);
    result.report.scalarLoops.clear();
    for (const Diagnostic &why : imported.left)
      result.report.scalarLoops.push_back({why.file, why.line, why.column,
                                           why.severity != Severity::Warning, why.text(),
                                           nameOf(why.refusal.why)});
    if (dfg && options.last == Phase::Import)
      printDfg();
    return bool(dfg);
  }

  bool optimise() {
    return runDfgPasses(Phase::Optimise, [&](mlir::OpPassManager &manager) {
      dfg::buildDfgTransforms(manager, overlay, options.verifyEach);
    });
  }

  dfg::MapSettings mapSettings() const {
    dfg::MapSettings settings;
    settings.search.minIi = options.minIi;
    settings.search.seed = options.mapperSeed;
    settings.search.threads = options.mapperThreads;
    settings.exact = options.exactMapper;
    if (options.persistentMapper)
      settings.search.patience = map::Patience::Persistent;
    settings.seconds = options.mapperSeconds;
    return settings;
  }

  bool map() {
    MapTimes times;
    mlir::OwningOpRef<mlir::ModuleOp> unmapped;
    if (options.wantsPage())
      unmapped = mlir::cast<mlir::ModuleOp>((*dfg)->clone());
    auto timer = [&](dfg::GraphOp graph, double milliseconds) { times[graph] = milliseconds; };
    bool good = runDfgPasses(Phase::Map, [&](mlir::OpPassManager &manager) {
      dfg::buildMapping(manager, overlay, mapSettings(), timer, options.verifyEach);
    });
    if (!good)
      return false;
    if (options.report || options.remarks || !options.reportFile.empty())
      result.report.nests = reportNests(*dfg, overlay.numPes(), times);
    if (unmapped)
      askWhatIf(*unmapped, overlay, result.report.nests);
    Diagnostics remarks;
    for (const NestReport &nest : result.report.nests) {
      Diagnostic remark;
      remark.file = nest.file;
      remark.line = nest.line;
      remark.column = nest.column;
      remark.severity = Severity::Remark;
      remark.refusal = Refusal(Why::Said, nest.summary());
      remarks.push_back(std::move(remark));
    }
    hold(remarks);
    return true;
  }

  template <typename Build> bool runDfgPasses(Phase phase, Build build) {
    mlir::PassManager manager(&*mlirContext, mlir::ModuleOp::getOperationName());
    manager.enableVerifier(options.verifyEach);
    build(manager);
    Diagnostics diagnostics;
    MlirMessages collect(*mlirContext, diagnostics);
    bool good = mlir::succeeded(manager.run(*dfg));
    hold(diagnostics);
    if (good && options.last == phase)
      printDfg();
    return good;
  }

  bool select() {
    llvm::Expected<std::string> text =
        codegen::emitAssembly(*dfg, *module, overlay, codegen::CodegenOptions());
    if (!text) {
      hold(toDiagnostics(text.takeError()));
      return false;
    }
    result.output = std::move(*text);
    return true;
  }

  bool assemble() {
    auto binary = assembler::assemble(result.output, options.input);
    if (!binary) {
      print(toDiagnostics(binary.takeError()));
      return false;
    }
    if ((options.certify || options.requiredRate) && !addCertificates(*binary))
      return false;
    result.output.assign(binary->begin(), binary->end());
    result.report.binaryBytes = binary->size();
    return true;
  }

  /// The binary again, with what was found out about it.
  template <typename Bytes> bool addCertificates(Bytes &binary) {
    RateCertificates found =
        certifyBinary({reinterpret_cast<const uint8_t *>(binary.data()), binary.size()}, overlay,
                      options.requiredRate);
    print(found.diagnostics);
    if (hasError(found.diagnostics))
      return false;
    result.report.certificates = std::move(found.handlers);
    auto whole = assembler::assemble(result.output + found.section, options.input);
    if (!whole) {
      print(toDiagnostics(whole.takeError()));
      return false;
    }
    binary = std::move(*whole);
    return true;
  }

  static Diagnostics toDiagnostics(llvm::Error error) {
    Diagnostics diagnostics;
    llvm::handleAllErrors(
        std::move(error),
        [&](const codegen::SourceError &source) {
          Diagnostic diagnostic;
          diagnostic.file = source.file;
          diagnostic.line = source.line;
          diagnostic.column = source.column;
          diagnostic.refusal = source.refusal;
          diagnostic.nest = source.nest;
          diagnostic.handler = source.nest.substr(0, source.nest.find('/'));
          diagnostics.push_back(std::move(diagnostic));
        },
        [&](const llvm::ErrorInfoBase &other) {
          Diagnostic diagnostic;
          diagnostic.refusal = fault(other.message());
          diagnostics.push_back(std::move(diagnostic));
        });
    return diagnostics;
  }

  /// To be printed if the loops are not mapped once more.
  void hold(const Diagnostics &diagnostics) { llvm::append_range(held, diagnostics); }

  void print(const Diagnostics &diagnostics) {
    for (const Diagnostic &diagnostic : diagnostics)
      if (diagnostic.severity != Severity::Remark || options.remarks) {
        printer.print(diagnostic);
        result.diagnostics.push_back(diagnostic);
      }
  }

  void printModule() {
    llvm::raw_string_ostream out(result.output);
    module->print(out, nullptr);
  }

  void printDfg() {
    llvm::raw_string_ostream out(result.output);
    dfg->print(out);
    out << '\n';
  }

  const Options &options;
  PipelineResult &result;
  llvm::raw_string_ostream messages;
  Printer printer;
  Overlay overlay;
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> module, unformed;
  import::TakenWays taken;
  std::map<import::LoopOf, import::ClosedWays> closed;
  std::set<std::pair<std::string, std::string>> rolled; ///< handlers, and places in them
  size_t failedUnrolled = 0; ///< as numFailed, in the form before the last of these
  Diagnostics held;
  Diagnostics refusedBefore; ///< what packets are kept for; empty: none is
  std::optional<mlir::MLIRContext> mlirContext;
  mlir::OwningOpRef<mlir::ModuleOp> dfg; ///< dies before its context
};

} // namespace

std::string PipelineResult::firstError() const {
  const auto error = llvm::find_if(
      diagnostics, [](const Diagnostic &one) { return one.severity == Severity::Error; });
  return error == diagnostics.end() ? "" : error->text();
}

PipelineResult runPipeline(const Options &options) {
  PipelineResult result;
  Pipeline(options, result).run();
  return result;
}

PipelineResult runPipeline(const Options &options, const Overlay &overlay) {
  PipelineResult result;
  Pipeline(options, result).run(overlay);
  return result;
}

} // namespace acis::driver
