// See Algorithm.h.
#include "runtime/host/algorithms/Algorithm.h"

#include <bit>

namespace acis::algorithms {

std::string_view nameOf(Algorithm algorithm) {
  constexpr std::string_view Names[NumAlgorithms] = {"auto",  "hosts",    "switch",   "library",
                                                     "nodes", "binomial", "doubling", "halving",
                                                     "ring",  "torus",    "pairwise"};
  return Names[unsigned(algorithm)];
}

bool has(Kind kind, Algorithm algorithm) {
  if (algorithm == Algorithm::Nodes)
    return kind == Kind::Allreduce || kind == Kind::Reduce || kind == Kind::Bcast ||
           kind == Kind::Barrier;
  if (!isByHosts(algorithm))
    return true;
  switch (kind) {
  case Kind::Allreduce:
    return algorithm != Algorithm::Binomial && algorithm != Algorithm::Pairwise;
  case Kind::Reduce:
    return algorithm == Algorithm::Binomial || algorithm == Algorithm::Halving;
  case Kind::Bcast:
    return algorithm == Algorithm::Binomial || algorithm == Algorithm::Ring;
  case Kind::Gather:
  case Kind::Scatter:
    return algorithm == Algorithm::Binomial;
  case Kind::Allgather:
    return algorithm == Algorithm::Doubling || algorithm == Algorithm::Ring ||
           algorithm == Algorithm::Torus;
  case Kind::ReduceScatterBlock:
    return algorithm == Algorithm::Halving || algorithm == Algorithm::Ring;
  case Kind::Barrier:
  case Kind::Scan:
  case Kind::Exscan:
    return algorithm == Algorithm::Doubling;
  case Kind::Alltoall:
    return algorithm == Algorithm::Pairwise;
  default:
    return false;
  }
}

std::string namesFor(Kind kind) {
  std::string names;
  for (unsigned a = 0; a < NumAlgorithms; ++a)
    if (has(kind, Algorithm(a)))
      names += (names.empty() ? "" : ", ") + std::string(nameOf(Algorithm(a)));
  return names;
}

Algorithm fitting(Kind kind, Algorithm algorithm, const Group &group) {
  const bool blocks = kind == Kind::Allgather || kind == Kind::ReduceScatterBlock;
  if (blocks && !std::has_single_bit(group.size) &&
      (algorithm == Algorithm::Doubling || algorithm == Algorithm::Halving))
    return Algorithm::Ring;
  return algorithm;
}

Algorithm hostAlgorithm(Kind kind, uint64_t bytes, const Group &group) {
  constexpr uint64_t ShortReduction = 2048, ShortBcast = 12'288, ShortGather = 81'920,
                     LongReduction = 524'288;
  const bool few = group.size < 8;
  switch (kind) {
  case Kind::Barrier:
  case Kind::Scan:
  case Kind::Exscan:
    return Algorithm::Doubling;
  case Kind::Alltoall:
    return Algorithm::Pairwise;
  case Kind::Gather:
  case Kind::Scatter:
    return Algorithm::Binomial;
  case Kind::Bcast:
    return bytes < ShortBcast || few ? Algorithm::Binomial : Algorithm::Ring;
  case Kind::Reduce:
    return bytes <= ShortReduction ? Algorithm::Binomial : Algorithm::Halving;
  case Kind::Allreduce:
    if (bytes <= ShortReduction)
      return Algorithm::Doubling;
    if (bytes <= LongReduction)
      return Algorithm::Halving;
    return group.rows > 1 ? Algorithm::Torus : Algorithm::Ring;
  case Kind::Allgather:
    if (bytes < ShortGather / group.size)
      return fitting(kind, Algorithm::Doubling, group);
    return group.rows > 1 ? Algorithm::Torus : Algorithm::Ring;
  case Kind::ReduceScatterBlock:
    return bytes < LongReduction / group.size ? fitting(kind, Algorithm::Halving, group)
                                              : Algorithm::Ring;
  default:
    return Algorithm::Library;
  }
}

} // namespace acis::algorithms
