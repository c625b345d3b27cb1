// The handlers' control code through LLVM's RISC-V target, as assembly text.
#pragma once

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace acis::codegen {

/// Source line of the instruction behind `label`.
struct CodeLine {
  std::string label, file;
  unsigned line = 0;
};

struct RiscvCode {
  std::string text;
  std::vector<CodeLine> lines; ///< in address order
};

/// The label behind the last instruction of a function.
std::string endLabel(llvm::StringRef function);

/// Generates code for every function with a body. The scalar unit has integers, a
/// stack and nothing else, so a call of a library routine (floating point, 64-bit
/// division, block copies) and a constant in memory are SourceErrors.
llvm::Expected<RiscvCode> emitRiscv(llvm::Module &module, unsigned optLevel);

/// Used by emitRiscv and the tests: the target's triple and features.
inline constexpr const char *RiscvTriple = "riscv32-unknown-elf";

} // namespace acis::codegen
