// What a statement or a function does to memory and to the world.
//
// Effects of visible callees are those of their bodies, with parameters replaced by arguments.
// What is not visible and not a known library function has the effect `calls`.
#pragma once

#include "compiler/rewriter/CallSite.h"
#include "compiler/rewriter/Program.h"

#include "clang/AST/Stmt.h"

#include <map>
#include <set>
#include <string>

namespace acis::rewriter {

struct Effects {
  Paths reads, writes;
  bool loop = false;  ///< contains one
  bool print = false; ///< writes to stdout or stderr
  bool io = false;    ///< any other input or output
  bool comm = false;  ///< MPI communication
  bool alloc = false; ///< allocates or frees
  bool timer = false; ///< reads a clock
  bool exits = false; ///< may end the program
  bool jump = false;  ///< may leave the statement
  bool calls = false; ///< calls something that cannot be seen
  bool cycle = false; ///< `calls` is set because functions call each other in a circle
  std::string blame;  ///< the function because of which print, io, comm or calls is set
  std::string unseen; ///< a function that is only declared, because of which calls is set
  /// Functions that are only declared and look like clocks. The rest holds if they do not
  /// communicate and touch no memory of the program.
  std::set<std::string> assumed;
  void add(const Effects &other);
  bool operator==(const Effects &) const = default;
  bool isQuiet() const { return !print && !io && !comm && !calls && !jump; }
};

class EffectsAnalysis {
public:
  explicit EffectsAnalysis(Program &program) : program(program) {}

  Effects of(const clang::Stmt *stmt);
  /// In terms of parameters, globals and `this`; locals of the function are left out.
  const Effects &ofFunction(const clang::FunctionDecl *function);

  /// The place that an lvalue names; what a pointer value points to.
  Path pathOf(const clang::Expr *lvalue);
  Path targetOf(const clang::Expr *pointer);
  /// Whether the order of the two matters: one may write what the other reads or writes.
  /// Pointers of which no more is known may point to anything whose address is known elsewhere.
  bool conflict(const Effects &a, const Effects &b);
  /// Nothing else can lead to this memory.
  bool isPrivate(const Path &path);
  /// A variable, or a part of it, whose address nobody has: it is reached by its name only.
  bool isOnlyNamed(const Path &path);
  /// A callee's path at a call of it; false if it is the callee's own.
  bool translate(const Path &path, const CallSite &site, Path &result);
  Program &theProgram() { return program; }
  /// From now on a call has the effects of its value only; null: no call.
  void setDone(const clang::CallExpr *call, const clang::Expr *value) {
    doneCall = call;
    doneValue = value;
  }

private:
  class Walker;
  Effects ofBody(const clang::FunctionDecl *function);
  std::map<const clang::FunctionDecl *, Effects> functions;
  std::vector<const clang::FunctionDecl *> active; ///< being walked, by who called them
  std::set<const clang::FunctionDecl *> recursive; ///< call themselves
  std::map<const clang::FunctionDecl *, Effects> cycles;
  Path targetOfVariable(const clang::VarDecl *var);
  clang::QualType typeOf(const Path &path);
  bool isPointerAndNumber(const Path &a, const Path &b);
  unsigned depth = 0;
  const clang::CallExpr *doneCall = nullptr;
  const clang::Expr *doneValue = nullptr;
  Program &program;
};

} // namespace acis::rewriter
