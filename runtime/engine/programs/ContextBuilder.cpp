#include "runtime/engine/programs/ContextBuilder.h"

#include <algorithm>
#include <cassert>

namespace acis::cts {

Overlay testOverlay(unsigned pes) {
  const std::string json = R"({
    "name": "cts",
    "grid": {"rows": 1, "cols": )" +
                           std::to_string(pes) + R"(, "topology": "chain",
      "default": {"units": ["integer", "convert", "float", "divide"], "memory": true, "vrf": true}},
    "pe": {"lanes": 16, "latency": {"integer": 6, "convert": 4, "float": 8, "divide": 12},
      "routeRegs": 8, "operandDelay": 64, "contextSlots": 64, "maxContexts": 32},
    "vrf": {"beats": 4096, "readPorts": 2},
    "memory": {"bytes": 8589934592, "banks": 32, "interleaveBytes": 4096, "readLatency": 48,
      "writeLatency": 42, "burstBeats": 64, "outstanding": 16},
    "stream": {"fifoBeats": 16, "headerBytes": 42},
    "scalar": {"codeBytes": 65536, "scratchBytes": 4096},
    "clockMhz": 250})";
  Result<Overlay> overlay = Overlay::parse(json, "cts.json");
  assert(overlay && "the test overlay is valid");
  return *overlay;
}

void finishContext(isa::LoopContext &loop, const Overlay &overlay) {
  unsigned last = 0;
  auto saw = [&](bool on, unsigned stage) { last = std::max(last, on ? stage : 0); };
  for (const isa::PortRead &pop : loop.streamInSlots)
    saw(pop.on, pop.stage);
  for (const isa::PeContext &pe : loop.pes)
    for (const isa::Slot &word : pe.slots) {
      saw(word.op != isa::Op::Nop, word.stage);
      for (const isa::VrfRead &read : word.read)
        saw(read.on, read.stage);
      saw(word.write.on, word.write.stage);
      saw(word.memIn.on, word.memIn.stage);
      saw(word.memOut.on, word.memOut.stage);
      saw(word.streamOut.on, word.streamOut.stage);
    }
  loop.stages = uint16_t(last + 1);
  vregMasks(loop, overlay, loop.vregsRead, loop.vregsWritten);
}

} // namespace acis::cts
