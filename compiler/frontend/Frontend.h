// Clang in process: a handler's source file to an LLVM module.
//
// The module is as Clang's code generation wrote it, without any optimisation,
// for riscv32-unknown-elf, with line tables. Handlers have the function attribute
// "acis.handler" and "acis.in-bytes" and "acis.out-bytes", the size of an element of
// the two streams (1 for void). Files of this folder are the only ones with Clang
// headers.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace acis::frontend {

struct Options {
  std::string file;
  unsigned vpes = 16, lanes = 16;     ///< ACIS_VPES and ACIS_LANES
  std::vector<std::string> clangArgs; ///< -I, -D, -U, -std=, -W..., as Clang takes them
  std::string resourceDir;            ///< Clang's own headers; empty: where the build found them
  bool color = false;                 ///< messages with terminal colours
};

/// Compiles one file. `messages` gets Clang's errors and warnings as Clang prints
/// them, with carets, and `firstError` the words of the first error; `files`, if it is not null,
/// the source and what it includes but for system headers. Null if there was an error; a file
/// without a handler is one.
std::unique_ptr<llvm::Module> compile(const Options &options, llvm::LLVMContext &context,
                                      std::string &messages, std::string &firstError,
                                      std::vector<std::string> *files = nullptr);

} // namespace acis::frontend
