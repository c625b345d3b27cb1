// The back end alone: a mapped dfg module and control code as LLVM IR, to assembly or to
// a switch binary; or assembly text to a binary.
#include "backend/asm/Assemble.h"
#include "backend/codegen/Codegen.h"
#include "backend/overlay/Overlay.h"
#include "passes/dfg/DfgDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

namespace {

llvm::cl::OptionCategory category("acis-llc options");
llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::Required,
                                 llvm::cl::desc("<mapped.mlir or file.s>"),
                                 llvm::cl::cat(category));
llvm::cl::opt<std::string> controlFile("control", llvm::cl::desc("control code, LLVM IR"),
                                       llvm::cl::cat(category));
llvm::cl::opt<std::string> config("config", llvm::cl::desc("overlay description"),
                                  llvm::cl::cat(category));
llvm::cl::opt<std::string> output("o", llvm::cl::desc("output file (default: standard output)"),
                                  llvm::cl::init("-"), llvm::cl::cat(category));
llvm::cl::opt<bool> assembleOnly("assemble", llvm::cl::desc("the input is assembly text"),
                                 llvm::cl::cat(category));
llvm::cl::opt<bool> writeObject("obj", llvm::cl::desc("write a binary instead of assembly"),
                                llvm::cl::cat(category));
llvm::cl::opt<unsigned> optLevel("O", llvm::cl::desc("level of the control code (default 2)"),
                                 llvm::cl::Prefix, llvm::cl::init(2), llvm::cl::cat(category));

llvm::Error fail(const llvm::Twine &what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "acis-llc: error: " + what);
}

llvm::Expected<std::string> readText(llvm::StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file, /*IsText=*/true);
  if (!buffer)
    return fail("cannot read '" + file + "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

llvm::Expected<std::string> compile() {
  if (config.empty() || controlFile.empty())
    return fail(config.empty() ? "no overlay; give one with --config"
                               : "no control code; give LLVM IR with --control");
  auto overlay = acis::Overlay::load(config);
  if (!overlay)
    return fail(overlay.error().str());
  llvm::LLVMContext llvmContext;
  llvm::SMDiagnostic message;
  std::unique_ptr<llvm::Module> control = llvm::parseIRFile(controlFile, message, llvmContext);
  if (!control) {
    bool hasLine = message.getLineNo() > 0;
    return fail(controlFile +
                (hasLine ? ":" + std::to_string(message.getLineNo()) : std::string()) + ": " +
                message.getMessage());
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<acis::dfg::DfgDialect>();
  auto mapped = mlir::parseSourceFile<mlir::ModuleOp>(input, &context);
  if (!mapped)
    return fail("'" + input + "' is not a dfg module");
  acis::codegen::CodegenOptions options;
  options.optLevel = optLevel;
  return acis::codegen::emitAssembly(*mapped, *control, *overlay, options);
}

llvm::Error run() {
  llvm::Expected<std::string> text = assembleOnly ? readText(input) : compile();
  if (!text)
    return text.takeError();
  llvm::SmallVector<char, 0> bytes(text->begin(), text->end());
  if (assembleOnly || writeObject) {
    auto object = acis::assembler::assemble(*text, assembleOnly ? input.getValue() : "<assembly>");
    if (!object)
      return object.takeError();
    bytes = std::move(*object);
  }
  std::error_code code;
  llvm::ToolOutputFile file(output, code, llvm::sys::fs::OF_None);
  if (code)
    return fail("cannot write '" + output + "': " + code.message());
  file.os().write(bytes.data(), bytes.size());
  file.keep();
  return llvm::Error::success();
}

} // namespace

int main(int argc, char **argv) {
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &out) {
    out << "acis-llc version " ACIS_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
  });
  llvm::cl::ParseCommandLineOptions(
      argc, argv, "acis-llc: mapped dfg modules and control code to switch binaries\n");
  if (llvm::Error error = run()) {
    llvm::errs() << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  return 0;
}
