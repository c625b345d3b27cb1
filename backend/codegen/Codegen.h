// The back end's entry: a mapped module and the control code to a switch binary.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace llvm {
class Module;
} // namespace llvm
namespace mlir {
class ModuleOp;
} // namespace mlir
namespace acis {
class Overlay;
} // namespace acis

namespace acis::codegen {

struct CodegenOptions {
  unsigned optLevel = 2; ///< of the control code, 0 .. 3
  bool lines = true;     ///< write .acis.lines
};

/// Assembly text, as -S prints it and llvm-mc (-triple riscv32 -mattr=+m,+v) takes it.
/// `control` is changed: handlers lose their acis.* calls. Errors of the user's program
/// are SourceError (SourceError.h) and print as "file:line:column: error: ...".
llvm::Expected<std::string> emitAssembly(mlir::ModuleOp mapped, llvm::Module &control,
                                         const Overlay &overlay, const CodegenOptions &options);

} // namespace acis::codegen
