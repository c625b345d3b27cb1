// Which variables an op needs from the function that it is taken out of, and how it gets them.
#pragma once

#include "compiler/rewriter/Candidate.h"
#include "compiler/rewriter/Effects.h"

#include "clang/AST/Decl.h"

#include <string>
#include <vector>

namespace acis::rewriter {

/// One local variable of the function. Arrays go by address, everything else through a pointer
/// to the variable: in C as a copy that is written back, in C++ as a reference.
struct Capture {
  const clang::VarDecl *var;
  bool isArray;
  bool isWrittenBack; ///< C only
  /// C only: an array, or a pointer to arrays, whose rows have a length of run time. It goes by the
  /// address of the first row, with the lengths.
  bool hasOpenRows = false;
};

struct Captures {
  std::vector<Capture> list;                    ///< in order of first use
  std::vector<const clang::VarDecl *> declared; ///< in the op, used after it: declared before
  Refusal refusal;                              ///< why the op cannot be taken out
  Refusal inPlace;                              ///< why it cannot even be a lambda in its place
};

/// `skipped` is a part of the op that is replaced by a value; it may be null.
Captures captures(EffectsAnalysis &effects, const clang::FunctionDecl *function,
                  const std::vector<const clang::Stmt *> &op, const clang::Stmt *skipped);

/// Whether elements of the array, or what the pointer leads to, are arrays of a length of run time.
bool hasOpenRows(clang::QualType type, const clang::ASTContext &context);

/// "T name" as C writes it; `name` may be "*name".
std::string declare(clang::QualType type, const std::string &name,
                    const clang::ASTContext &context);

} // namespace acis::rewriter
