// See RandomProgram.h.
#include "runtime/model/RandomProgram.h"

namespace acis::model {

using cts::Bytes;
using cts::Words;
namespace as = cts::as;

/// Launches context 0 twice with different sizes, sends the results behind the
/// output, and ends. `in` becomes the bytes that it reads.
static Words twoLaunches(const isa::LoopContext &loop, unsigned vf, std::mt19937 &random,
                         uint64_t &in) {
  using namespace as;
  Words code;
  uint64_t out = 0;
  for (unsigned launchNumber = 0; launchNumber < 2; ++launchNumber) {
    const uint32_t n = 1 + uint32_t(random() % 40), tail = uint32_t(random() % (vf + 1));
    const uint32_t args[RandomArgs] = {
        uint32_t(in),         uint32_t(out),
        0x80000000u + 16384u, 0x80000000u + 40960u + launchNumber * 16384u,
        uint32_t(random()),   uint32_t(random() % 8)};
    for (uint32_t k = 0; k < RandomArgs; ++k) {
      li(code, t0, args[k]);
      code.push_back(arg(argumentNumber(loop, k), t0));
    }
    li(code, t0, n);
    li(code, t1, tail);
    code.push_back(launch(0, t0, t1));
    auto bytes = [&](const isa::ElementFormat &format, unsigned accesses) {
      const unsigned last = format.splat ? 1 : tail != 0 ? tail : vf;
      const unsigned full = format.splat ? 1 : vf;
      return uint64_t(accesses) * format.bytes * (uint64_t(n - 1) * full + last);
    };
    unsigned pops = 0, pushes = 0;
    for (const isa::PortRead &pop : loop.streamInSlots)
      pops += pop.on;
    for (const isa::PeContext &pe : loop.pes)
      for (const isa::Slot &slot : pe.slots)
        pushes += slot.streamOut.on;
    in += bytes(loop.streamIn.format, pops) + (launchNumber == 0 ? random() % 3 * 4 : 0);
    out += bytes(loop.streamOut.format, pushes);
  }
  for (uint32_t k = 0; k < 16; ++k) {
    code.push_back(result(t0, k));
    li(code, t1, uint32_t(out + 4 * k));
    code.push_back(streamout(t0, t1, 2));
  }
  code.push_back(wfi);
  return code;
}

/// Packets of random sizes for three invocations that read `need` bytes each.
static std::vector<Bytes> packetsOf(uint64_t need, std::mt19937 &random) {
  std::vector<Bytes> packets;
  for (unsigned invocation = 0; invocation < 3; ++invocation)
    for (uint64_t sum = 0; sum == 0 || sum < need; sum += packets.back().size()) {
      packets.emplace_back(random() % 3 == 0 ? 1 + random() % 40 : 400 + random() % 1000);
      for (uint8_t &byte : packets.back())
        byte = uint8_t(random() % 5 == 0 ? random() : random() % 8);
    }
  return packets;
}

RandomProgram randomProgram(const Overlay &overlay, std::mt19937 &random) {
  RandomProgram program(overlay);
  RandomOptions options;
  options.elements = 8 + unsigned(random() % 40);
  const isa::LoopContext loop = randomContext(overlay, random, options);
  program.binary.contexts = {loop};
  uint64_t need = 0;
  const unsigned vf = loop.scalar ? 1 : overlay.lanes * 32 / loop.laneBits;
  program.binary.code = twoLaunches(loop, vf, random, need);
  program.packets = packetsOf(need, random);
  program.memory.resize(1 << 19);
  for (uint8_t &byte : program.memory)
    byte = uint8_t(random());
  return program;
}

} // namespace acis::model
