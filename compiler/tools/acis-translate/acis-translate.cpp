// LLVM IR of handlers to the dfg dialect, or to the control code that is left.
#include "passes/import/Import.h"
#include "passes/llvm/Diagnose.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace {

llvm::cl::OptionCategory category("acis-translate options");
llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::desc("<handlers.ll>"),
                                 llvm::cl::init("-"), llvm::cl::cat(category));
llvm::cl::opt<bool> importHandler("import-handler",
                                  llvm::cl::desc("print the handlers in the dfg dialect"),
                                  llvm::cl::cat(category));
llvm::cl::opt<bool> control("control", llvm::cl::desc("print the control code, as LLVM IR"),
                            llvm::cl::cat(category));
llvm::cl::opt<bool> locations("locations", llvm::cl::desc("print source locations"),
                              llvm::cl::cat(category));
llvm::cl::opt<unsigned> vpes("vpes", llvm::cl::desc("VPEs of the overlay (default 16)"),
                             llvm::cl::init(16), llvm::cl::cat(category));
llvm::cl::opt<unsigned> lanes("lanes", llvm::cl::desc("32-bit lanes of a VPE (default 16)"),
                              llvm::cl::init(16), llvm::cl::cat(category));

llvm::cl::opt<bool> scalarLoops("scalar-loops",
                                llvm::cl::desc("Leave loops that the array cannot run to the "
                                               "scalar unit"),
                                llvm::cl::cat(category));

using acis::import::Way;
llvm::cl::list<Way> close("close", llvm::cl::CommaSeparated,
                          llvm::cl::desc("Ways that no loop may run, as if the array had refused"),
                          llvm::cl::values(clEnumValN(Way::Lanes, "lanes", "iterations are lanes"),
                                           clEnumValN(Way::Counted, "counted", "elements"),
                                           clEnumValN(Way::Unrolled, "unrolled",
                                                      "elements, loops in the loop unrolled"),
                                           clEnumValN(Way::Flattened, "flattened",
                                                      "elements, one loop with the longest in it")),
                          llvm::cl::cat(category));

/// The ways of --close, for every loop there may be: a loop's number is that of a block.
void closeWays(const llvm::Module &module, acis::import::ImportOptions &options) {
  acis::Diagnostic why;
  why.refusal = acis::Refusal(acis::Why::Said, "closed by --close");
  for (const llvm::Function &function : module)
    for (unsigned block = 0; block < function.size(); ++block)
      for (Way way : close)
        options.closed[{function.getName().str(), block}].emplace(way, why);
}

int run(const char *program) {
  llvm::LLVMContext llvmContext;
  llvm::SMDiagnostic parseError;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(input, parseError, llvmContext);
  if (!module) {
    parseError.print(program, llvm::errs());
    return 1;
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  const acis::Overlay overlay = acis::plainOverlay(vpes, lanes);
  acis::import::ImportOptions options(overlay);
  options.scalarLoops = scalarLoops;
  closeWays(*module, options);
  acis::import::Imported imported = acis::import::importModule(*module, context, options);
  for (const acis::Diagnostic &diagnostic : imported.diagnostics)
    llvm::errs() << acis::render(diagnostic);
  if (!imported)
    return 1;
  if (mlir::failed(mlir::verify(*imported.dfg)) || llvm::verifyModule(*module, &llvm::errs()))
    return 1;
  if (importHandler) {
    mlir::OpPrintingFlags flags;
    if (locations)
      flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/true);
    imported.dfg->print(llvm::outs(), flags);
    llvm::outs() << "\n";
  }
  if (control)
    module->print(llvm::outs(), nullptr);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &out) {
    out << "acis-translate version " ACIS_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
  });
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "acis-translate: handlers from LLVM IR to the dfg dialect\n");
  return run(argv[0]);
}
