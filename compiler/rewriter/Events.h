// Collectives as they appear in a function: MPI calls and calls of functions that make them.
#pragma once

#include "compiler/rewriter/Candidate.h"
#include "compiler/rewriter/Effects.h"

#include <map>

namespace acis::rewriter {

/// A statement that is one collective, or a call of a function round one.
struct Event {
  const clang::Stmt *stmt = nullptr;
  const clang::CallExpr *call = nullptr;
  const clang::FunctionDecl *wrapper = nullptr; ///< null: `call` is the MPI call
  Collective first, last;                       ///< of a wrapper with several they differ
  Paths results;                                ///< what holds data of a collective afterwards
  std::string unsupported;                      ///< name of a collective that cannot be fused
  Refusal asFirst, asSecond;                    ///< why it cannot start or end a chain
  bool isMacro = false;                         ///< written by a macro
  bool returnsResult = false;                   ///< the wrapper returns what depends on it
};

/// Whether both are for certain on one communicator, seen from the same function.
bool isSameCommunicator(const Collective &a, const Collective &b);

/// The only communication of a statement if that is a call of MPI_Barrier: an order, no data.
/// `rest`: what else it does, its arguments included. Null: it is no such statement.
const clang::CallExpr *barrierOf(EffectsAnalysis &effects, const clang::Stmt *stmt, Effects &rest);

/// The statements of a block in order; blocks that only group are dissolved.
std::vector<const clang::Stmt *> itemsOf(const clang::Stmt *body);

class Events {
public:
  explicit Events(EffectsAnalysis &effects) : effects(effects), program(effects.theProgram()) {}

  /// The event that a statement of a block is; none: `call` is null.
  Event eventOf(const clang::Stmt *stmt, const clang::ASTContext &context);

  /// Adds what a statement passes on of `tainted`; false if it reads nothing of it.
  bool spread(const clang::Stmt *stmt, const Effects &of, Paths &tainted);

  /// Whether what a wrapper sends first depends on `tainted` of the caller, and whether a loop
  /// of the wrapper works on it before.
  struct Head {
    bool depends = false, works = false;
    bool hasLoop = false;
  };
  Head headOf(const Event &event, const Paths &tainted);

private:
  struct Summary {
    std::vector<Collective> collectives;
    Paths results;
    bool returnsResult = false;
    std::string unsupported;
    Refusal asFirst, asSecond;
    const clang::Stmt *firstStmt = nullptr;
  };
  const Summary &summaryOf(const clang::FunctionDecl *function);
  Summary summarise(const clang::FunctionDecl *function);
  Collective parse(const clang::CallExpr *call, const MpiCall &info,
                   const clang::ASTContext &context);
  Event wrapperEvent(const clang::Stmt *stmt, const clang::CallExpr *call,
                     const clang::FunctionDecl *body, const clang::ASTContext &context);
  void bind(Collective &collective, const clang::CallExpr *call, const clang::FunctionDecl *body,
            const clang::ASTContext &context);
  const clang::CallExpr *callOf(const clang::Stmt *stmt);
  void findCalls(const clang::Stmt *stmt, bool isSure, std::vector<const clang::CallExpr *> &calls);
  bool containsCollective(const clang::Stmt *stmt);

  EffectsAnalysis &effects;
  Program &program;
  std::map<const clang::FunctionDecl *, Summary> summaries;
};

} // namespace acis::rewriter
