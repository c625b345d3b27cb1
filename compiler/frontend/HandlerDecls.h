// What only the source knows about a handler and LLVM IR does not: parameter types
// and their places. Reports signatures that no handler may have.
#pragma once

#include "backend/support/Refusal.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTConsumer;
class DiagnosticsEngine;
} // namespace clang
namespace llvm {
class Module;
} // namespace llvm

namespace acis::frontend {

struct HandlerDecl {
  std::string name;                   ///< of the symbol
  unsigned inBytes = 1, outBytes = 1; ///< size of an element of the streams
  /// Its type, as "float32", "int16", "uint8"; "" for void and what is no number.
  std::string inType, outType;
};
using HandlerDecls = std::vector<HandlerDecl>; ///< in the order of the file

/// Collects the functions marked ACIS_HANDLER into `decls`. `said` gets, before `diags` has its
/// words, the refusal that the next message is; whoever listens takes it out.
std::unique_ptr<clang::ASTConsumer>
collectHandlers(clang::DiagnosticsEngine &diags, HandlerDecls &decls, std::optional<Refusal> &said);

/// Turns the marks of the source into function attributes of the module.
void markHandlers(llvm::Module &module, const HandlerDecls &decls);

} // namespace acis::frontend
