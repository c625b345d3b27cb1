// Buffers of collectives as places of an op's memory.
#pragma once

#include "compiler/rewriter/Effects.h"
#include "compiler/rewriter/OpMemory.h"

namespace acis::rewriter {

class OpBuffers {
public:
  OpBuffers(EffectsAnalysis &effects, const Candidate &candidate, OpMemory &memory)
      : effects(effects), memory(memory), context(candidate.in->getASTContext()) {}

  /// The place at whose start a buffer begins; null: it is a variable of constant size, or none.
  const Place *at(const Collective &collective, int index);
  /// The place that a buffer is in, at its start or not; null: none.
  const Place *baseOf(const clang::Expr *expr);
  /// Elements of a buffer as an expression of the program; empty: it cannot be computed twice.
  std::string countOf(const Collective &collective, int index, bool isEach, const Place &place);
  /// Buffers that begin inside an array would need the place of their first element.
  bool isAtStart(const Collective &collective, int index, const clang::VarDecl *var) const;

private:
  EffectsAnalysis &effects;
  OpMemory &memory;
  const clang::ASTContext &context;
};

} // namespace acis::rewriter
