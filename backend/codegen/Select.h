// A mapped module to contexts, vector instructions and the numbers around them.
#pragma once

#include "backend/codegen/MProgram.h"
#include "backend/overlay/Overlay.h"

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm
namespace mlir {
class ModuleOp;
} // namespace mlir

namespace acis::codegen {

/// Every handler of `mapped`, with its arrays in registers. The control code tells in
/// which order nests run, hence which arrays can share registers; handlers without a
/// function in `control` keep all arrays apart. Errors are SourceErrors.
llvm::Expected<MProgram> select(mlir::ModuleOp mapped, const llvm::Module &control,
                                const Overlay &overlay);

} // namespace acis::codegen
