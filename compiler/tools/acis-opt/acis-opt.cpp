// mlir-opt with the dfg dialect and its passes.
#include "passes/dfg/DfgDialect.h"
#include "passes/dfg/Passes.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

namespace {

/// MlirOptMain opens, and so empties, its output before it knows whether there will be one.
/// A regular file is therefore written beside its place.
llvm::LogicalResult run(int argc, char **argv, llvm::StringRef input, llvm::StringRef output,
                        mlir::DialectRegistry &registry) {
  llvm::sys::fs::file_status status;
  bool isThere = !llvm::sys::fs::status(output, status);
  if (output == "-" || (isThere && !llvm::sys::fs::is_regular_file(status)))
    return mlir::MlirOptMain(argc, argv, input, output, registry);
  llvm::SmallString<128> temporary;
  std::error_code error = llvm::sys::fs::createUniqueFile(output + ".%%%%%%", temporary);
  llvm::FileRemover remover(temporary, /*deleteIt=*/!error);
  if (!error) {
    if (llvm::failed(mlir::MlirOptMain(argc, argv, input, temporary, registry)))
      return llvm::failure();
    error = llvm::sys::fs::rename(temporary, output);
  }
  if (!error) {
    remover.releaseFile();
    return llvm::success();
  }
  llvm::errs() << "acis-opt: error: cannot write '" << output << "': " << error.message() << '\n';
  return llvm::failure();
}

} // namespace

int main(int argc, char **argv) {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &out) {
    out << "acis-opt version " ACIS_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
  });
  mlir::DialectRegistry registry;
  registry.insert<acis::dfg::DfgDialect>();
  acis::dfg::registerDfgPasses();
  mlir::registerCSEPass();
  mlir::registerCanonicalizerPass();
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "acis-opt: runs passes on the dfg dialect\n", registry);
  return mlir::asMainReturnCode(run(argc, argv, input, output, registry));
}
