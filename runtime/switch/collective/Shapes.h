// What each Shape moves: bytes up from a subtree and down to it. Hosts and switches size
// their messages with these functions only.
#pragma once

#include "runtime/switch/wire/Types.h"

#include <cstdint>

namespace acis::collective {

/// Part of a communicator's tree: positions [first, first + size) of `group`. Positions
/// number the members in the order of the tree's leaves (collective/Tree.h).
struct Subtree {
  uint32_t first = 0, size = 0, group = 0;
  bool contains(uint32_t position) const { return position - first < size; }
};

/// One way from the members to the top.
enum class Up : uint8_t {
  Fold,   ///< contributions are combined at each switch
  Gather, ///< and are laid side by side, by position
  Source, ///< only the root's counts
};

enum class Down : uint8_t {
  Same,  ///< the result goes to all
  Root,  ///< to the root only
  Split, ///< each position gets its block
};

/// What a switch does with a collective that is called plainly, where positions are ranks or the
/// order of ranks does not matter.
constexpr Shape shapeOf(Kind kind) {
  switch (kind) {
  case Kind::Allreduce:
  case Kind::Barrier:
    return Shape::FoldAll;
  case Kind::Reduce:
  case Kind::ReduceScatter:
    return Shape::FoldRoot;
  case Kind::ReduceScatterBlock:
    return Shape::FoldSplit;
  case Kind::Bcast:
    return Shape::Source;
  case Kind::Gather:
    return Shape::GatherRoot;
  case Kind::Allgather:
    return Shape::GatherAll;
  case Kind::Scatter:
    return Shape::Scatter;
  case Kind::Scan:
    return Shape::Scan;
  case Kind::Exscan:
    return Shape::Exscan;
  case Kind::Alltoall:
    return Shape::Transpose;
  }
  return Shape::FoldAll;
}

constexpr Up upOf(Shape shape) {
  switch (shape) {
  case Shape::FoldAll:
  case Shape::FoldRoot:
  case Shape::FoldSplit:
    return Up::Fold;
  case Shape::Source:
  case Shape::Scatter:
    return Up::Source;
  default:
    return Up::Gather;
  }
}

constexpr Down downOf(Shape shape) {
  switch (shape) {
  case Shape::FoldAll:
  case Shape::GatherAll:
  case Shape::Source:
    return Down::Same;
  case Shape::FoldRoot:
  case Shape::GatherRoot:
    return Down::Root;
  default:
    return Down::Split;
  }
}

/// Whether a member contributes a block for each position, instead of one.
constexpr bool contributesAll(Shape shape) {
  return shape == Shape::FoldSplit || shape == Shape::Scatter || shape == Shape::Transpose;
}

/// Whether the child's contribution needs no more answer than that it has arrived.
constexpr bool isOneWay(Shape shape, const Subtree &child, uint32_t root) {
  return (downOf(shape) == Down::Root && !child.contains(root)) ||
         (upOf(shape) == Up::Source && child.contains(root));
}

/// Most bytes that go to a host which has not said that it is there.
inline constexpr uint64_t MostUnasked = 4096;

/// Bytes that a member contributes when it is not the wrong side of a Source.
constexpr uint64_t blockUp(Shape shape, uint64_t unit, uint32_t group) {
  return contributesAll(shape) ? unit * group : unit;
}

/// Bytes of the message that a subtree sends up.
constexpr uint64_t bytesUp(Shape shape, uint64_t unit, const Subtree &from, uint32_t root) {
  const uint64_t block = blockUp(shape, unit, from.group);
  switch (upOf(shape)) {
  case Up::Fold:
    return block;
  case Up::Gather:
    return block * from.size;
  case Up::Source:
    return from.contains(root) ? block : 0;
  }
  return 0;
}

/// Bytes of one position's part of a split result.
constexpr uint64_t splitBytes(Shape shape, uint64_t unit, uint32_t group) {
  return shape == Shape::Transpose ? unit * group : unit;
}

/// Bytes of the result that a subtree gets.
constexpr uint64_t bytesDown(Shape shape, uint64_t unit, const Subtree &to, uint32_t root) {
  if (isOneWay(shape, to, root))
    return 0;
  if (downOf(shape) == Down::Split)
    return splitBytes(shape, unit, to.group) * to.size;
  return upOf(shape) == Up::Gather ? unit * to.group : unit;
}

/// Whether a host's switch sends it what a source gives as soon as it is there, and the host waits
/// for that without a word: the source is on the same switch, whose members are `below`.
constexpr bool comesUnasked(Shape shape, uint64_t unit, const Subtree &host, const Subtree &below,
                            uint32_t root) {
  return upOf(shape) == Up::Source && below.contains(root) && !host.contains(root) &&
         bytesDown(shape, unit, host, root) <= MostUnasked;
}

/// The largest message of any subtree, for the limit of a slot.
constexpr uint64_t largestMessage(Shape shape, uint64_t unit, uint32_t group) {
  const uint64_t up = blockUp(shape, unit, group) * (upOf(shape) == Up::Gather ? group : 1);
  const uint64_t down = downOf(shape) == Down::Split ? splitBytes(shape, unit, group) * group
                        : upOf(shape) == Up::Gather  ? unit * group
                                                     : unit;
  return up > down ? up : down;
}

} // namespace acis::collective
