// Whether text can go to another line of its file as far as macros are concerned.
#pragma once

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/StringRef.h"

namespace acis::rewriter {

class Program;

/// Whether a macro that `text` uses, itself or in the definition of another one, is defined,
/// changed or taken away between the two places of one file. An #include between may do anything.
bool isChangedBetween(const Program &program, const clang::ASTContext &context,
                      clang::SourceLocation from, clang::SourceLocation to, llvm::StringRef text);

} // namespace acis::rewriter
