#include "runtime/engine/loader/StateUse.h"

#include "runtime/engine/loader/VrfOrders.h"
#include "runtime/engine/scalar/Decoder.h"

#include <algorithm>

namespace acis {

using scalar::Decoded;
using scalar::Opcode;

namespace {

std::string at(const std::string &line, const char *what) {
  return (line.empty() ? "" : line + ": ") + what;
}

/// What an instruction leaves behind; nullptr: nothing.
const char *leavesBehind(const Decoded &d) {
  constexpr uint8_t stackPointer = 2;
  switch (d.opcode) {
  case Opcode::Sb:
  case Opcode::Sh:
  case Opcode::Sw:
    return d.rs1 == stackPointer ? nullptr : "memory is written";
  default:
    return isVector(d.opcode) ? "vector registers are used" : nullptr;
  }
}

/// Beats of one PE's register file that an access can touch.
struct Range {
  uint16_t pe;
  unsigned first, end;
  bool overlaps(const Range &other) const {
    return pe == other.pe && first < other.end && other.first < end;
  }
};

Range rangeOf(const GraphNode &node, const isa::LoopContext &loop, const Overlay &overlay) {
  const isa::VrfAddress &address = addressOf(loop, node);
  return {node.pe, address.base, address.base + rangeBeats(address, loop, overlay)};
}

} // namespace

std::string whyKeepsState(const Image &image, const Handler &handler, const Overlay &overlay) {
  for (uint32_t pc = handler.entry; pc < handler.entry + handler.codeBytes; pc += 4)
    if (const char *what = leavesBehind(scalar::decode(image.code[pc / 4])))
      return at(image.lineOfCode(pc), what);
  const auto contexts =
      std::span(image.contexts).subspan(handler.firstContext, handler.contextCount);
  std::vector<Range> reads;
  for (const ImageContext &context : contexts)
    for (const GraphNode &node : context.graph.nodes)
      if (node.kind == ElementKind::VrfRead)
        reads.push_back(rangeOf(node, context.loop, overlay));
  for (uint32_t c = 0; c < contexts.size(); ++c)
    for (const GraphNode &node : contexts[c].graph.nodes) {
      const std::string line = image.lineOfSlot(handler.firstContext + c, node.pe, node.slot);
      if (node.kind == ElementKind::MemOut)
        return at(line, "memory is written");
      if (node.kind != ElementKind::VrfWrite)
        continue;
      const Range written = rangeOf(node, contexts[c].loop, overlay);
      if (std::any_of(reads.begin(), reads.end(),
                      [&](const Range &read) { return read.overlaps(written); }))
        return at(line, "an array is written and read");
    }
  return "";
}

} // namespace acis
