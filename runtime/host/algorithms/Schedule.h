// One collective as the messages that one member exchanges with others: a list that depends on
// the member's position, the size of the group and the count only. Pure; no network.
//
// Members are numbered by position, which the caller maps to ranks (members of one switch next
// to each other). With an algorithm other than ring and torus a member has at most log2(size)
// + 1 neighbours, as an entry of the communicator table has (000 3.3.1); ring has two, torus
// four, pairwise all.
//
// Order of folds, which is all that the bits of a floating-point result depend on:
//   binomial   as a binomial tree over positions from the root on, lower ones left
//   doubling   pairs of neighbours, then pairs of pairs: lower ones left
//   halving    members that are furthest apart first: lower ones left
//   ring       block b of size: position b + 1 first, then along the ring up to b
//   torus      each row as a ring, then the columns
// Scan and Exscan, by doubling: the prefix that ends twice as far below comes as the left operand
// in each step, so position 3 has (0 1)(2 3).
// Where the size is no power of two, doubling and halving first fold each of the lowest even
// positions into the next one. A block is folded in one place, so all members have the same
// bits.
#pragma once

#include "runtime/host/algorithms/Algorithm.h"

#include <vector>

namespace acis::algorithms {

/// Elements [first, first + count) of the collective's buffer.
struct Range {
  uint64_t first = 0, count = 0;
  bool operator==(const Range &) const = default;
};

/// What becomes of received elements: they replace this member's, or are folded with them, as
/// the left or as the right operand.
enum class Take : uint8_t { Copy, FoldLeft, FoldRight };

/// A message to one member, one from another, or both at once; the ranges do not overlap but
/// where the received one is folded.
struct Step {
  static constexpr uint32_t Nobody = UINT32_MAX;
  uint32_t to = Nobody;
  Range sent;
  uint32_t from = Nobody;
  Range received;
  Take take = Take::Copy;
};

struct Problem {
  Kind kind = Kind::Barrier;
  Algorithm algorithm = Algorithm::Doubling; ///< one that fitting() has given
  Group group;
  uint32_t position = 0, root = 0; ///< of the caller, of the root
  uint64_t count = 0;              ///< elements of a block, as in Collective::count
};

/// The buffer has `count` elements for Allreduce, Reduce, Bcast and Scan. For Exscan it has two
/// blocks of `count`: the own contribution, and the result, which position 0 does not get. For
/// Alltoall it has a block for each member, what that is given, and then another, what it has
/// given; the own block stays among the former. Else it has a block of `count` for each member:
/// that of position p is block p, but for Gather and Scatter, where it is block (p - root) mod
/// size. A member starts with its own contribution in place.
struct Schedule {
  std::vector<Step> steps;
  Range held; ///< what of the buffer this member needs room for
};

/// Requires has(kind, algorithm), isByHosts(algorithm).
Schedule makeSchedule(const Problem &problem);

/// Rows of the torus: `group.rows`, or the largest divisor of the size up to its root.
uint32_t torusRows(const Group &group);

} // namespace acis::algorithms
