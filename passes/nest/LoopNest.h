// A nest of loops as those see it who decide how it runs: its levels, and of each access the map
// from the levels' iterations to a place. passes/import describes a nest of LLVM's loops like this,
// passes/dfg one of dfg.loop; what is here judges both. Semantics: docs/rationale/front-end.md.
#pragma once

#include "backend/support/Refusal.h"
#include "backend/support/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace acis::nest {

constexpr unsigned None = ~0u; ///< no level, no access

/// A loop of the nest.
struct Level {
  unsigned around = None;       ///< the level that it is in
  std::optional<uint64_t> trip; ///< its iterations, if their number is a constant
  bool overVpes = false;        ///< an iteration for each VPE: a copy of what is in it, no loop
  bool isNumberUsed = false;    ///< more than positions is computed from its iteration's number
  bool isPassedThrough = false; ///< it carries what the level around carries, which does no more
  uint64_t size = 0;            ///< operations of an iteration, without those of levels in it
};

enum class Object : uint8_t { Input, Output, Memory, Array };

/// A read or a write. Its place, in units of the object (bytes, of arrays elements), is
/// origin + offset + sum of step * iteration over the levels + index.
struct Access {
  Object object = Object::Array;
  std::string name; ///< of the object
  bool isWrite = false;
  bool appends = false; ///< to what was sent before, so the place says nothing
  unsigned level = 0;   ///< the innermost one around it
  unsigned type = 0;    ///< equal: of one type, in the object and in the nest
  int64_t size = 1;     ///< units of an element
  /// What the place has besides, by number: accesses of one origin differ by what is here.
  unsigned origin = 0;
  int64_t offset = 0;
  int64_t alignment = 0; ///< units that the origin is a multiple of; 0 if it is 0
  std::vector<std::optional<int64_t>> steps; ///< by level; none: not a constant
  std::optional<int64_t> indexScale;         ///< units for 1 of a computed index, if there is one

  int64_t step(unsigned level) const { return steps[level].value_or(0); }
  bool isStream() const { return object == Object::Input || object == Object::Output; }
};

/// A value that iterations of a level hand on to later ones.
struct Carried {
  enum class Kind : uint8_t {
    Reduction, ///< one operation that can be regrouped updates it; nothing else looks at it
    Previous,  ///< what the iteration before computed, but not from it
    Chain,     ///< any other function of itself
  };
  Kind kind = Kind::Chain;
  unsigned level = 0;     ///< the outermost one that carries it
  unsigned updatedIn = 0; ///< the innermost one; those between pass it on
  // Reductions in floating point
  bool inOrder = false;         ///< C fixes the order of its sum
  bool inOrderOfLanes = false;  ///< the lanes have the order of its sum
  bool isNarrow = false;        ///< such a sum, in a nest with fewer lanes than it is meant for
  bool ofSeveral = false;       ///< an iteration adds more than one value, or none
  bool startsElsewhere = false; ///< not at the neutral value
  // Values of the iteration before
  bool isUsedBehind = false;      ///< its last one, behind the level
  bool isReadBehindWrite = false; ///< of what it reads from; it is needed in front of that
};

/// Outer levels stand in front of inner ones, the root first. Accesses are in program order.
struct LoopNest {
  std::vector<Level> levels;
  std::vector<Access> accesses;
  std::vector<Carried> carried; ///< by level

  /// Whether `inner` is that level or in it.
  bool holds(unsigned outer, unsigned inner) const;
  /// Levels directly in one.
  std::vector<unsigned> levelsIn(unsigned outer) const;
};

/// What closes a way to run the nest, and the level, the access or the carried value that it is
/// about. If it has a level and an access, the access is why the level is no part of the nest.
struct Obstacle {
  Refusal refusal;
  unsigned level = None, access = None, carried = None;

  static Obstacle at(unsigned access, Refusal refusal) {
    return {std::move(refusal), None, access};
  }
};
template <typename T> using Judged = Result<T, Obstacle>;

/// Whether an iteration may read memory that an earlier one writes, or it itself before. Memory is
/// read ahead, so both have to be at one place, which each level moves, and the read in front.
bool mayReadStale(const LoopNest &nest);

} // namespace acis::nest
