// mlir-opt with the dfg dialect and its passes.
#include "passes/dfg/DfgDialect.h"
#include "passes/dfg/Passes.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &out) {
    out << "acis-opt version " ACIS_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
  });
  mlir::DialectRegistry registry;
  registry.insert<acis::dfg::DfgDialect>();
  acis::dfg::registerDfgPasses();
  mlir::registerCSEPass();
  mlir::registerCanonicalizerPass();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "acis-opt: runs passes on the dfg dialect\n", registry));
}
