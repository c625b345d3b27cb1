// Clang in process: a handler's source file to an LLVM module.
//
// The module is as Clang's code generation wrote it, without any optimisation,
// for riscv32-unknown-elf, with line tables. Handlers have the function attribute
// "acis.handler" and "acis.in-bytes" and "acis.out-bytes", the size of an element of
// the two streams (1 for void). Files of this folder are the only ones with Clang
// headers.
#pragma once

#include "compiler/frontend/HandlerDecls.h"
#include "passes/llvm/Diagnostic.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace acis::frontend {

struct Options {
  std::string file;
  std::optional<std::string> text;    ///< the source, in place of what the file has
  unsigned vpes = 16, lanes = 16;     ///< ACIS_VPES and ACIS_LANES
  std::vector<std::string> clangArgs; ///< -I, -D, -U, -std=, -W..., as Clang takes them
  std::string resourceDir;            ///< Clang's own headers; empty: where the build found them
  bool color = false;                 ///< messages with terminal colours
};

/// What there is to say about a source besides its code.
struct Remarked {
  std::string messages;           ///< errors and warnings as Clang prints them, with carets
  Diagnostics diagnostics;        ///< the same as values
  std::vector<std::string> files; ///< the source and what it includes but for system headers
  HandlerDecls handlers;
};

/// Compiles one file. Null if there was an error; a file without a handler is one.
std::unique_ptr<llvm::Module> compile(const Options &options, llvm::LLVMContext &context,
                                      Remarked &remarked);

} // namespace acis::frontend
