#include "backend/codegen/Codegen.h"

#include "backend/asm/AsmPrinter.h"
#include "backend/codegen/Control.h"
#include "backend/codegen/RiscvCode.h"
#include "backend/codegen/Select.h"
#include "backend/codegen/SourceError.h"
#include "backend/object/Image.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

namespace acis::codegen {
namespace {

unsigned attribute(const llvm::Function &function, llvm::StringRef name) {
  unsigned value = 1;
  function.getFnAttribute(name).getValueAsString().getAsInteger(10, value);
  return value;
}

llvm::Error faultAt(const llvm::Function *function, const std::string &what) {
  const llvm::DISubprogram *place = function ? function->getSubprogram() : nullptr;
  if (!place)
    return llvm::make_error<SourceError>("", 0, 0, fault(what));
  return llvm::make_error<SourceError>(place->getFilename().str(), place->getLine(), 1,
                                       fault(what));
}

/// Only handlers have code in the binary; what they call is inlined into them.
void keepHandlersOnly(llvm::Module &control) {
  for (llvm::Function &function : llvm::make_early_inc_range(control)) {
    if (!function.isDeclaration() && isHandler(function))
      function.setLinkage(llvm::GlobalValue::ExternalLinkage);
    else if (function.use_empty())
      function.eraseFromParent();
  }
}

/// Handlers without nests have control code only.
llvm::Error lowerHandlers(llvm::Module &control, MProgram &program) {
  for (llvm::Function &function : control) {
    if (function.isDeclaration() || !isHandler(function))
      continue;
    auto handler = llvm::find_if(program.handlers, [&](const MHandler &candidate) {
      return candidate.name == function.getName();
    });
    if (handler == program.handlers.end())
      handler = program.handlers.insert(handler, MHandler{function.getName().str(), {}, 0, 0});
    if (llvm::Error error = lowerControl(function, *handler))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error addHandlers(const llvm::Module &control, const MProgram &program,
                        object::Image &image) {
  for (const MHandler &handler : program.handlers) {
    const llvm::Function *function = control.getFunction(handler.name);
    if (!function || function->isDeclaration())
      return faultAt(function, "handler '" + handler.name + "' has loops but no control code");
    image.handlers.push_back({handler.name, endLabel(handler.name), handler.firstContext,
                              handler.numContexts, /*memoryBytes=*/0,
                              attribute(*function, "acis.in-bytes"),
                              attribute(*function, "acis.out-bytes")});
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<std::string> emitAssembly(mlir::ModuleOp mapped, llvm::Module &control,
                                         const Overlay &overlay, const CodegenOptions &options) {
  llvm::Expected<MProgram> program = select(mapped, control, overlay);
  if (!program)
    return program.takeError();
  if (llvm::Error error = lowerHandlers(control, *program))
    return error;
  keepHandlersOnly(control);

  object::Image image;
  image.fingerprint = overlay.fingerprint();
  if (llvm::Error error = addHandlers(control, *program, image))
    return error;
  for (MContext &context : program->contexts)
    image.contexts.push_back({std::move(context.name), std::move(context.loop)});
  for (MTable &table : program->tables)
    image.tables.push_back({std::move(table.name), table.handler, table.pe,
                            table.beat * overlay.beatBytes(), std::move(table.bytes)});
  if (Status status = object::check(image, overlay); !status)
    return faultAt(control.getFunction(status.error().where),
                   "'" + status.error().where + "' " + status.error().what);

  llvm::Expected<RiscvCode> code = emitRiscv(control, options.optLevel);
  if (!code)
    return code.takeError();
  image.code = std::move(code->text);
  if (options.lines) {
    for (ElementLine &line : program->lines)
      image.lines.push_back(
          {"", line.context, line.pe, line.slot, std::move(line.file), line.line});
    for (CodeLine &line : code->lines)
      image.lines.push_back({std::move(line.label), 0, 0, 0, std::move(line.file), line.line});
  }
  return assembler::print(image);
}

} // namespace acis::codegen
