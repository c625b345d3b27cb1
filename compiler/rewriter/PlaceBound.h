// What makes statements mean something else in another function: names of the function itself,
// memory and objects that live as long as it or its block.
#pragma once

#include "compiler/rewriter/Program.h"

#include <string>
#include <vector>

namespace acis::rewriter {

/// Why the statements cannot be those of another function; empty: they can. Variables that they
/// declare are assumed to be declared outside, too, where they are used later.
std::string boundToPlace(const std::vector<const clang::Stmt *> &stmts, const Program &program);

/// Why nothing of the function can be done in another one, or in a lambda; empty: it can.
std::string boundToFunction(const clang::FunctionDecl *function);

} // namespace acis::rewriter
