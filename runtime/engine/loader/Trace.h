// The dataflow graph that a context's words amount to, found by following every
// operand's source back over links, registers and delay lines to its producer.
// Both engines trust it: a context that does not trace is refused.
#pragma once

#include "backend/isa/Context.h"
#include "backend/overlay/Overlay.h"
#include "backend/support/Result.h"

#include <array>
#include <cstdint>
#include <vector>

namespace acis {

enum class ElementKind : uint8_t { Compute, VrfRead, VrfWrite, StreamIn, StreamOut, MemIn, MemOut };

/// Where an operand's value comes from. A producer's iteration before the first one
/// (iteration < distance) gives zero in every lane.
struct GraphOperand {
  enum class Kind : uint8_t {
    None,
    Node,    ///< result of `node`, `distance` iterations earlier
    Imm,     ///< constant `imm` of slot `slot` of PE `pe`, in every lane
    Partial, ///< partial result of this accumulation
  };
  Kind kind = Kind::None;
  uint8_t imm = 0;
  uint16_t pe = 0, slot = 0;
  uint32_t node = 0, distance = 0;
  uint8_t first = 0, init = 0; ///< as isa::Operand; the constant is that of the user's slot
};

/// Operands are numbered as in map::Problem. Compute 0, 1, 2 = a, b, c; VrfRead 0 =
/// index; VrfWrite 0 = data, 1 = index, 2 = predicate; MemOut 0 = data, 1 =
/// predicate; StreamOut 0 = data.
struct GraphNode {
  ElementKind kind = ElementKind::Compute;
  uint16_t pe = 0, slot = 0; ///< pe is 0 for StreamIn
  uint8_t port = 0;          ///< VrfRead: 0 or 1
  uint32_t time = 0;         ///< array time of iteration 0: stage * ii + slot
  std::array<GraphOperand, 3> operands{};
};

/// Two accesses of one PE's register file, `write` and another (`access`, a read or a
/// write), whose address ranges overlap: iteration i of `access` finds what
/// iterations j <= i - distance of `write` have written and nothing later.
struct VrfOrder {
  uint32_t write = 0, access = 0;
  int32_t distance = 0;
  bool interlock = false; ///< the order holds because `access` waits
};

struct ContextGraph {
  /// In topological order of the operands with distance 0.
  std::vector<GraphNode> nodes;
  std::vector<VrfOrder> orders;
  /// Elements of one iteration that pop or push the stream, in order: iteration i's
  /// access of the r-th is number i * size + r.
  std::vector<uint32_t> pops, pushes;
  bool sparseAccumulation = false; ///< an indexed write with interlock, see Counters
};

/// Checks `context` against the overlay and traces it. Refused, with the PE and slot:
/// sources that nothing wrote or that come from a later iteration, two results on a
/// bus in one cycle, two sources for one delay line, units, ports, types, addresses
/// and arguments that do not exist, wrong register masks.
Result<ContextGraph> traceContext(const isa::LoopContext &context, const Overlay &overlay);

/// Masks over v0..v31 of what the accesses of a context can touch.
void vregMasks(const isa::LoopContext &context, const Overlay &overlay, uint32_t &read,
               uint32_t &written);

/// Beats of the register file from the address's base on that its range reaches into.
unsigned rangeBeats(const isa::VrfAddress &address, const isa::LoopContext &context,
                    const Overlay &overlay);

UnitClass unitOf(isa::Op op);
/// What its unit has to be able to do, in lanes of so many bits.
Extras extrasOf(isa::Op op, unsigned laneBits);
/// Cycles from issue to result.
inline unsigned latencyOf(isa::Op op, const Overlay &overlay) {
  return overlay.latencyOf(unitOf(op));
}

} // namespace acis
