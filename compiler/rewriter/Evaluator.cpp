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

/// All known bytes of arrays with one of these roles; no value: one is not known.
std::optional<double> sumOf(const std::vector<Array> &arrays, Role one, Role other) {
  double sum = 0;
  for (const Array &array : arrays)
    if (array.role == one || array.role == other) {
      if (!array.bytes)
        return std::nullopt;
      // In the op's memory arrays lie at multiples of 64.
      sum += double(array.role == Role::Inbound ? (*array.bytes + 63) / 64 * 64 : *array.bytes);
    }
  return sum;
}

/// What one host gives to a collective of blocks of `bytes`, gets from it, and sends and receives
/// for it among hosts.
struct Sides {
  double given = 0, got = 0, amongHosts = 0;
};
Sides sidesOf(llvm::StringRef name, double bytes, double ranks) {
  const double rounds = netmodel::log2Ceil(unsigned(ranks)), others = ranks - 1,
               all = ranks * bytes;
  if (name.empty())
    return {};
  if (name == "Gather" || name == "Scatter")
    return {name == "Gather" ? bytes : all, name == "Gather" ? all : bytes, rounds * bytes};
  if (name == "Allgather" || name == "Alltoall")
    return {name == "Allgather" ? bytes : all, all, 2 * others * bytes};
  if (name.starts_with("Reduce_scatter"))
    return {all, bytes, 2 * others * bytes};
  if (name == "Reduce" || name == "Bcast")
    return {bytes, bytes, 2 * bytes * others / ranks};
  return {bytes, bytes, 2 * rounds * bytes};
}

std::optional<double> bytesOf(const Candidate &candidate, Role role) {
  for (const Array &array : candidate.arrays)
    if (array.role == role && array.bytes)
      return double(*array.bytes);
  return std::nullopt;
}

void predictBytes(Candidate &candidate, unsigned ranks) {
  const bool isFused = candidate.kind == Kind::Fused;
  const std::optional<double> in = bytesOf(candidate, Role::StreamIn),
                              out = bytesOf(candidate, Role::StreamOut);
  candidate.prediction.plainBytes = candidate.prediction.fusedBytes = std::nullopt;
  // Kernels stay on the hosts.
  if (!in || (isFused && !out) || (!isFused && candidate.kind != Kind::SemiFused))
    return;
  const Sides first = sidesOf(candidate.collFirst, *in, ranks);
  const Sides second = sidesOf(isFused ? candidate.collSecond : "", out.value_or(0), ranks);
  candidate.prediction.plainBytes = first.amongHosts + second.amongHosts;
  // The arrays of the binary have a fixed room where those of the program have sizes of run time.
  const bool isMapped = !candidate.mappedArrays.empty();
  const std::vector<Array> &arrays = isMapped ? candidate.mappedArrays : candidate.arrays;
  const std::optional<double> inbound = sumOf(arrays, Role::Inbound, Role::Inbound),
                              outputs = sumOf(arrays, Role::StreamOut, Role::Outbound),
                              stream = sumOf(arrays, Role::StreamIn, Role::StreamIn);
  if (!inbound || !outputs || !stream)
    return;
  const double up = first.given + std::max(0.0, isMapped ? *stream - first.got : 0) + *inbound;
  candidate.prediction.fusedBytes = up + first.got + *outputs + second.got;
}

/// Operations of one core in a microsecond, for the op on a host; a guess.
constexpr double HostOperations = 2000;

void predict(Candidate &candidate, unsigned ranks, uint64_t trips, unsigned interval) {
  const double bytes = streamBytes(candidate);
  const bool isGather = candidate.collFirst == "Gather" || candidate.collFirst == "Allgather" ||
                        candidate.collFirst == "Scatter";
  const netmodel::Logcn model;
  const netmodel::FusedCall call{bytes, double(interval), /*inboundBytes=*/0, isGather};
  const unsigned collectives = candidate.kind == Kind::Fused && !candidate.cutLine ? 2 : 1;
  candidate.prediction.ranks = ranks;
  candidate.prediction.fusedMicroseconds =
      netmodel::fusedTime(model, call, netmodel::torus3d(ranks)).total();
  candidate.prediction.plainMicroseconds =
      collectives * model.hosts().amongHosts(std::max(2u, ranks), bytes) +
      std::max(double(trips), bytes / 4) / HostOperations;
}

} // namespace

void evaluate(Candidate &candidate, const Thresholds &thresholds) {
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

  predict(candidate, thresholds.ranks, trips, std::max(1u, candidate.loops.ii));
  predictBytes(candidate, thresholds.ranks);
}

} // namespace acis::rewriter
