#include "runtime/engine/loader/VrfOrders.h"

#include "runtime/engine/loader/ContextCheck.h"

namespace acis {

using isa::LoopContext;
using isa::VrfAddress;

static bool isVrf(const GraphNode &node) {
  return node.kind == ElementKind::VrfRead || node.kind == ElementKind::VrfWrite;
}

const VrfAddress &addressOf(const LoopContext &context, const GraphNode &node) {
  const isa::PeContext &words = context.pes[node.pe];
  const isa::Slot &word = words.slots[node.slot];
  return words.addresses[node.kind == ElementKind::VrfWrite ? word.write.address
                                                            : word.read[node.port].address];
}

static bool interlocked(const LoopContext &context, const GraphNode &node) {
  return node.kind == ElementKind::VrfWrite &&
         context.pes[node.pe].slots[node.slot].write.interlock;
}

unsigned rangeBeats(const VrfAddress &address, const LoopContext &context, const Overlay &overlay) {
  if (!context.scalar || address.limit == 0)
    return address.limit;
  const unsigned perBeat = overlay.lanes * 32 / context.laneBits;
  return (address.lane + address.limit + perBeat - 1u) / perBeat;
}

static bool overlap(const VrfAddress &l, const VrfAddress &r, const LoopContext &context,
                    const Overlay &overlay) {
  return l.base < r.base + rangeBeats(r, context, overlay) &&
         r.base < l.base + rangeBeats(l, context, overlay);
}

/// Iteration i of the access sees what iterations j <= i - distance wrote, from
/// j * ii + write < i * ii + access.
static int32_t staticDistance(int64_t write, int64_t access, int64_t ii) {
  const int64_t later = access - write;
  const int64_t quotient = later >= 0 ? (later + ii - 1) / ii : -((-later) / ii);
  return int32_t(1 - quotient);
}

/// Whether `read` is the other half of the read-modify-write that `write` completes:
/// same address generator, same index, not later.
static bool isPair(const LoopContext &context, const GraphNode &read, const GraphNode &write) {
  const GraphOperand &readIndex = read.operands[0], &writeIndex = write.operands[1];
  const bool sameIndex = readIndex.kind == writeIndex.kind && readIndex.node == writeIndex.node &&
                         readIndex.distance == writeIndex.distance &&
                         readIndex.imm == writeIndex.imm && readIndex.pe == writeIndex.pe &&
                         readIndex.slot == writeIndex.slot;
  return read.kind == ElementKind::VrfRead && sameIndex && read.time <= write.time &&
         addressOf(context, read) == addressOf(context, write);
}

void vregMasks(const LoopContext &context, const Overlay &overlay, uint32_t &read,
               uint32_t &written) {
  read = written = 0;
  const unsigned beats = overlay.vregBeats() ? overlay.vregBeats() : 1;
  auto mask = [&](const VrfAddress &address) {
    uint32_t bits = 0;
    const unsigned end = address.base + rangeBeats(address, context, overlay);
    for (unsigned beat = address.base; beat < end; beat += beats - beat % beats)
      bits |= 1u << (beat / beats) % Overlay::NumVregs;
    return bits;
  };
  for (const isa::PeContext &words : context.pes)
    for (const isa::Slot &word : words.slots) {
      for (const isa::VrfRead &port : word.read)
        if (port.on)
          read |= mask(words.addresses[port.address]);
      if (word.write.on)
        written |= mask(words.addresses[word.write.address]);
    }
}

Status orderVrfAccesses(const LoopContext &context, const Overlay &overlay, ContextGraph &graph) {
  for (uint32_t w = 0; w < graph.nodes.size(); ++w) {
    const GraphNode &write = graph.nodes[w];
    if (write.kind != ElementKind::VrfWrite)
      continue;
    const bool locked = interlocked(context, write);
    bool paired = false;
    for (uint32_t a = 0; a < graph.nodes.size(); ++a) {
      const GraphNode &access = graph.nodes[a];
      if (a == w || access.pe != write.pe || !isVrf(access) ||
          (access.kind == ElementKind::VrfWrite && a < w) ||
          !overlap(addressOf(context, write), addressOf(context, access), context, overlay))
        continue;
      if (locked || interlocked(context, access)) {
        const bool pair = locked && !paired && isPair(context, access, write);
        if (!pair && (locked || access.kind == ElementKind::VrfWrite))
          return slotError(access.pe, access.slot,
                           "an access to a range that has an interlocked write; only one read "
                           "of the same address is allowed there");
        paired |= pair;
      }
      const int32_t distance = staticDistance(write.time, access.time, context.ii);
      graph.orders.push_back({w, a, locked ? 1 : distance, locked});
    }
    if (locked && !paired)
      return slotError(write.pe, write.slot,
                       "an interlocked write without a read of the same address");
    graph.sparseAccumulation |= locked && addressOf(context, write).indexed;
  }
  uint32_t read, written;
  vregMasks(context, overlay, read, written);
  if ((read & ~context.vregsRead) || (written & ~context.vregsWritten))
    return Error{"", "vector registers used that the context does not list"};
  return {};
}

} // namespace acis
