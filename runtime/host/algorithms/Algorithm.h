// Ways to do a collective (000 Table 3.1; 003), and which of them fits a size and a topology.
//
// A switch that aggregates is one of them. The others are done by the hosts, with messages
// between pairs of them: what MPICH calls its algorithms, and what the switches of 000 3.3
// run for the hosts.
#pragma once

#include "runtime/switch/wire/Types.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace acis::algorithms {

enum class Algorithm : uint8_t {
  Automatic, ///< the switch; what it cannot do is left to the MPI underneath
  Hosts,     ///< the switch; what it cannot do is done by the hosts, as hostAlgorithm() says
  Switch,    ///< aggregation in the tree of leaf and spine switches
  Library,   ///< the MPI underneath
  Nodes,     ///< those of one host among themselves, one of each host by the switch
  Binomial,  ///< binomial tree
  Doubling,  ///< recursive doubling
  Halving,   ///< recursive halving, then doubling where all need the result
  Ring,
  Torus,    ///< rings along the rows, then along the columns of a 2D torus
  Pairwise, ///< each with each, at growing distance
};
inline constexpr unsigned NumAlgorithms = 11;

/// "auto", "hosts", "switch", "library", "binomial", ...
std::string_view nameOf(Algorithm algorithm);

/// Whether hosts exchange the messages.
constexpr bool isByHosts(Algorithm algorithm) { return algorithm >= Algorithm::Binomial; }

/// Whether there is such a way for this kind: Automatic to Library for all, Nodes where a host
/// needs no more room for all its ranks than for one, the others by Table 3.1.
bool has(Kind kind, Algorithm algorithm);

/// The names of those that has() knows, with commas between: for messages.
std::string namesFor(Kind kind);

/// What a choice may depend on: the same on all members.
struct Group {
  uint32_t size = 1;
  /// Switches with equally many members each, where there are several; else 1. They are the
  /// rows of the torus.
  uint32_t rows = 1;
};

/// The way for blocks of `bytes` on a group; Library where hosts have none. What Table 3.1
/// says for short and long messages, with limits that MPICH has from measurements (Thakur et
/// al., 2005); over several switches long ones go by the torus, whose rows stay below one.
Algorithm hostAlgorithm(Kind kind, uint64_t bytes, const Group &group);

/// `algorithm`, or what is done in its place on a group that it cannot be done on: recursive
/// halving and doubling of blocks need a power of two.
Algorithm fitting(Kind kind, Algorithm algorithm, const Group &group);

} // namespace acis::algorithms
