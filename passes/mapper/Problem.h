// The mapping problem: a graph of operations and port accesses to be given a PE,
// a time and routes on the MRRG of an overlay. Plain data with integer ids; no
// LLVM or MLIR, so that the mapper is tested and fuzzed alone.
#pragma once

#include "backend/isa/Context.h"
#include "backend/overlay/Overlay.h"
#include "backend/support/Refusal.h"
#include "backend/support/Result.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace acis::map {

enum class NodeKind : uint8_t {
  Compute,   ///< the functional unit of a PE; latency of its class
  VrfRead,   ///< a VRF read port; value Overlay::inputLatency later, as of all reads
  VrfWrite,  ///< the VRF write port
  StreamIn,  ///< the one pop per slot; value visible to every PE in one cycle
  StreamOut, ///< the one push per slot, from any PE
  MemRead,   ///< the PE's memory read port
  MemWrite,
};

struct Node {
  NodeKind kind = NodeKind::Compute;
  UnitClass unit = UnitClass::Integer; ///< Compute only
  std::optional<unsigned> pe;          ///< fixed place, e.g. where its array lives;
                                       ///< not for StreamIn, which has no PE
  std::string name;                    ///< for messages and reports
  Extras extras = 0;                   ///< what its unit or register file has to be able to do
};

/// Value of `from` in iteration i is operand `operand` of `to` in iteration
/// i + distance. Operands: Compute 0, 1, 2 = a, b, c; VrfRead 0 = index; VrfWrite 0 =
/// data, 1 = index, 2 = predicate; MemWrite and StreamOut 0 = data,
/// 1 = predicate. Constants and launch arguments are no edges.
/// An order edge carries no value: `to` in iteration i + distance must happen at least
/// `latency` cycles after `from` in iteration i (a dependence through a register file
/// or memory; an accumulation is an order edge from the node to itself with distance
/// isa::AccPartials and the latency of its unit).
struct Edge {
  unsigned from = 0, to = 0;
  unsigned operand = 0;
  unsigned distance = 0;
  bool order = false;
  unsigned latency = 0; ///< order edges only
};

/// Why a problem has no mapping, or is no problem.
struct Unmapped {
  Refusal refusal;
  std::optional<unsigned> node = {}; ///< that it is about

  std::string str() const { return textOf(refusal); }
};

struct Problem {
  std::vector<Node> nodes;
  std::vector<Edge> edges;

  /// Well-formedness: ids in range, no zero-distance cycle, a PE that can run each node.
  StatusOf<Unmapped> check(const Overlay &overlay) const;
};

/// A step of a route: the value is at `place` of `pe` at array time `time`, counted
/// for iteration 0 of the producer. Consecutive steps are one cycle apart: over a link
/// to a neighbour, or into or in a register of the same PE.
struct Step {
  enum class Place : uint8_t {
    Bus,  ///< on the producer's bus, the first step of every route (for a StreamIn
          ///< `pe` is any PE: all of them see the beat)
    Link, ///< arrived on in-link `index`
    Reg,  ///< in routing register `index`
  };
  unsigned pe = 0;
  unsigned time = 0;
  Place place = Place::Bus;
  unsigned index = 0;
  bool operator==(const Step &) const = default;
};

struct Placement {
  unsigned pe = 0;
  unsigned time = 0; ///< array time in iteration 0: stage * ii + slot
  unsigned port = 0; ///< VRF read port, else 0
};

struct Mapping {
  unsigned ii = 0;
  std::vector<Placement> places; ///< by node
  /// By edge; from the producer's bus to the step at the consumer's PE that the
  /// consumer's operand samples, both ends included. Empty for order edges.
  std::vector<std::vector<Step>> routes;
  /// By edge: cycles in the consumer's delay line (isa::Operand). The last step of the
  /// route is at time(to) + distance * ii - delay, an index Overlay::indexLatency earlier. 0 for
  /// order edges.
  std::vector<uint8_t> delays;
};

/// Lower bounds on the II, with the resource or the cycle that causes them.
struct Bounds {
  unsigned resMii = 1;   ///< operations over units, accesses over ports
  unsigned recMii = 1;   ///< the longest cycle over its iterations
  unsigned placeMii = 1; ///< operations that cycles keep on one PE (PlaceBound.cpp)
  std::string resReason, recReason, placeReason;
  std::optional<unsigned> recNode, placeNode; ///< the first of those that recReason names

  unsigned mii() const { return std::max({resMii, recMii, placeMii}); }
  /// The cause of mii(), and a node that has to do with it.
  const std::string &reason() const {
    return byPlaces() ? placeReason : resMii >= recMii ? resReason : recReason;
  }
  std::optional<unsigned> node() const {
    return byPlaces() ? placeNode : resMii >= recMii ? std::nullopt : recNode;
  }

private:
  bool byPlaces() const { return placeMii > std::max(resMii, recMii); }
};
Bounds bounds(const Problem &problem, const Overlay &overlay);

enum class Patience : uint8_t {
  Brief, ///< few attempts: for one of many trials
  Usual,
  Thorough,   ///< where all that fails, some with larger budgets
  Persistent, ///< and many with larger budgets at each interval below the one that was found
};

struct Options {
  unsigned minIi = 1;
  unsigned maxIi = 0; ///< 0: the overlay's context slots
  unsigned seed = 0;
  unsigned threads = 1; ///< changes nothing but the time
  Patience patience = Patience::Thorough;
  unsigned long *work = nullptr; ///< if given, what the search took is added, in states
};

/// Placement and routing with negotiated congestion, see docs/mapper.md. Fails with the
/// node that was hardest to place.
Result<Mapping, Unmapped> map(const Problem &problem, const Overlay &overlay,
                              const Options &options);

/// Independent of map(): recomputes everything from the mapping. Every edge
/// arrives in its cycle, no resource is used twice in a slot, no register is
/// overwritten while it is needed.
Status verify(const Problem &problem, const Overlay &overlay, const Mapping &mapping);

} // namespace acis::map
