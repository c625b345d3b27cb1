// Buffers of collectives as places of an op's memory.
#pragma once

#include "compiler/rewriter/Effects.h"
#include "compiler/rewriter/OpMemory.h"

namespace acis::rewriter {

/// Where a collective has its buffer. A variable of constant size at its start has no place here.
struct Buffer {
  const Place *place = nullptr;
  std::string start; ///< numbers of the place before it, as an expression; empty: none
  std::string text;  ///< the buffer as the call names it
};

class OpBuffers {
public:
  OpBuffers(EffectsAnalysis &effects, const Candidate &candidate, OpMemory &memory)
      : effects(effects), memory(memory), context(candidate.in->getASTContext()) {}

  /// Without a place: it is a variable of constant size from its start on, or none that is known.
  Buffer at(const Collective &collective, int index);
  /// The place that a buffer is in, at its start or not; null: none.
  const Place *baseOf(const clang::Expr *expr);
  /// Elements of a buffer as an expression of the program; empty: it cannot be computed twice.
  std::string countOf(const Collective &collective, int index, bool isEach, const Place &place);
  /// Buffers that begin inside an array would need the place of their first element.
  bool isAtStart(const Collective &collective, int index, const clang::VarDecl *var) const;

private:
  const Place *locate(const clang::Expr *pointer, std::string &start);
  const Place *locateElement(const clang::Expr *lvalue, std::string &start);
  bool add(const Place &place, const clang::Expr *index, clang::QualType element, bool isBack,
           std::string &start);

  EffectsAnalysis &effects;
  OpMemory &memory;
  const clang::ASTContext &context;
};

} // namespace acis::rewriter
