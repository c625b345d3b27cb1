// Whether text can go to another line of its file as far as macros are concerned.
#pragma once

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/StringRef.h"

namespace acis::rewriter {

class Program;

/// Whether a macro that `text` uses, itself or in the definition of another one, is defined,
/// changed or taken away between the two places.
bool isChangedBetween(const Program &program, const clang::ASTContext &context,
                      clang::SourceLocation from, clang::SourceLocation to, llvm::StringRef text);

/// Whether a macro may make text of its arguments (# and ##), as it is defined at a place.
bool quotesArguments(const Program &program, const clang::ASTContext &context,
                     clang::SourceLocation at, llvm::StringRef macro);

} // namespace acis::rewriter
