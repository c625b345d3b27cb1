// What lies between a collective and the end of its chain, statement by statement.
#pragma once

#include "compiler/rewriter/Events.h"
#include "compiler/rewriter/SplitBlock.h"

#include <vector>

namespace acis::rewriter {

/// How far the result of `first` was followed, and what was met.
struct Region {
  std::vector<const clang::Stmt *> op;       ///< reads data of the collective; pure
  std::vector<const clang::Stmt *> before;   ///< independent: may be done before the collective
  std::vector<const clang::Stmt *> after;    ///< output that may be done after the chain
  std::vector<const clang::Stmt *> barriers; ///< met on the way
  std::vector<TextEdit> split; ///< makes beginnings of blocks, which the op has, whole
  Paths tainted, opWrites, opReads;
  bool hasLoop = false, hasScalar = false; ///< of the op
  bool hasIo = false;                      ///< something prints or checks the result
  bool callsVisible = false, callsOtherFile = false;
  Refusal stop;     ///< why the walk ended before the next collective
  Refusal rootOnly; ///< the result of a rooted collective is used where it is not
  Refusal firstUse; ///< why the first use of the result is not an op
  Event second;     ///< the next collective; `call` null: none in this block
  size_t end = 0;   ///< index of the item at which the walk stopped
};

/// Walks items[start..].
Region walkRegion(Program &program, EffectsAnalysis &effects, Events &events, const Event &first,
                  const std::vector<const clang::Stmt *> &items, size_t start,
                  const clang::FunctionDecl *in);

/// Whether `condition` is true on the root of the collective only.
bool isRootTest(const clang::Expr *condition, const Collective &collective, const Program &program);

/// Whether only the root of a broadcast runs the statement: what it has is not changed by that.
bool isOfBroadcaster(const clang::Stmt *stmt, const Collective &last, const Program &program);

} // namespace acis::rewriter
