// Criteria first, then the model.
#include "compiler/rewriter/Evaluator.h"

#include "compiler/rewriter/MpiCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

#include <cmath>

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

} // namespace

double LogcnModel::latency(unsigned ranks) const {
  double side = std::cbrt(double(ranks));
  double hops = std::max(1.0, 3 * std::floor(side / 2));
  return 2 * pcie + hops * (link + port);
}

double LogcnModel::fused(unsigned ranks, double bytes, double ii, double attenuation) const {
  double g = attenuation * bandwidth / 8;
  double switches = std::max(1.0, std::ceil(std::cbrt(double(ranks))));
  return 2 * overhead + latency(ranks) + bytes / g + switches * unitLatency + (ii - 1) * bytes / g;
}

double LogcnModel::plain(unsigned ranks, double bytes) const {
  double steps = std::ceil(std::log2(double(std::max(2u, ranks))));
  return steps * (2 * overhead / 2 + latency(2) + bytes / (bandwidth / 8));
}

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

  LogcnModel model;
  double bytes = streamBytes(candidate);
  bool isGather = candidate.collFirst == "Gather" || candidate.collFirst == "Allgather" ||
                  candidate.collFirst == "Scatter";
  candidate.prediction.ranks = thresholds.ranks;
  candidate.prediction.fusedMicroseconds =
      model.fused(thresholds.ranks, bytes, std::max(1u, ii), isGather ? 0.5 : 1.0);
  double plain = model.plain(thresholds.ranks, bytes) +
                 double(std::max<uint64_t>(trips, bytes / 4)) / model.hostFlops;
  if (candidate.kind == Kind::Fused)
    plain += model.plain(thresholds.ranks, bytes);
  candidate.prediction.plainMicroseconds = plain;
}

} // namespace acis::rewriter
