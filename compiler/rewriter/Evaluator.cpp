// Criteria first, then the model.
#include "compiler/rewriter/Evaluator.h"

#include "backend/netmodel/Logcn.h"
#include "compiler/rewriter/MpiCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace acis::rewriter {
namespace {

/// The longest loop with a bound that the source says; 0: none says it.
uint64_t longestLoop(const Stmt *stmt, const ASTContext &context) {
  if (!stmt)
    return 0;
  uint64_t longest = 0;
  if (const auto *loop = dyn_cast<ForStmt>(stmt))
    if (const auto *compare = dyn_cast_or_null<BinaryOperator>(loop->getCond());
        compare && compare->isRelationalOp()) {
      Expr::EvalResult value;
      if (!compare->getRHS()->isValueDependent() &&
          compare->getRHS()->EvaluateAsInt(value, context) && value.Val.getInt().isNonNegative())
        longest = value.Val.getInt().getZExtValue();
    }
  for (const Stmt *child : stmt->children())
    longest = std::max(longest, longestLoop(child, context));
  return longest;
}

uint64_t streamBytes(const Candidate &candidate) {
  for (const Array &array : candidate.arrays)
    if (array.role == Role::StreamIn && array.bytes)
      return *array.bytes;
  return 8;
}

/// Operations of one core in a microsecond, for the op on a host; a guess.
constexpr double HostOperations = 2000;

void predict(Candidate &candidate, unsigned ranks, uint64_t trips, unsigned interval) {
  const double bytes = streamBytes(candidate);
  const bool isGather = candidate.collFirst == "Gather" || candidate.collFirst == "Allgather" ||
                        candidate.collFirst == "Scatter";
  const netmodel::Logcn model;
  const netmodel::FusedCall call{bytes, double(interval), /*inboundBytes=*/0, isGather};
  const unsigned collectives = candidate.kind == Kind::Fused ? 2 : 1;
  candidate.prediction.ranks = ranks;
  candidate.prediction.fusedMicroseconds =
      netmodel::fusedTime(model, call, netmodel::torus3d(ranks)).total();
  candidate.prediction.plainMicroseconds =
      collectives * model.hosts().amongHosts(std::max(2u, ranks), bytes) +
      std::max(double(trips), bytes / 4) / HostOperations;
}

} // namespace

void evaluate(Candidate &candidate, const Thresholds &thresholds, unsigned ii) {
  bool tooLarge = false, perRank = false, unknown = false;
  for (const Array &array : candidate.arrays) {
    bool isBound = array.role == Role::Inbound || array.role == Role::Outbound;
    perRank |= array.role == Role::StreamIn && array.perRank;
    unknown |= isBound && !array.bytes;
    tooLarge |= isBound && array.bytes && *array.bytes > thresholds.maxArrayBytes;
  }
  uint64_t trips = 0;
  for (const Stmt *stmt : candidate.op)
    trips = std::max(trips, longestLoop(stmt, candidate.in->getASTContext()));
  if (tooLarge)
    candidate.evaluator = "size";
  else if (trips && trips <= thresholds.simdWidth)
    candidate.evaluator = "tiny";
  else if (perRank)
    candidate.evaluator = "P";
  else
    candidate.evaluator = unknown ? "runtime" : "ok";

  predict(candidate, thresholds.ranks, trips, std::max(1u, ii));
}

} // namespace acis::rewriter
