// See RandomProgram.h.
#include "runtime/engine/programs/RandomProgram.h"

#include <algorithm>

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
  const bool conditional = sendsConditionally(loop);
  for (unsigned launchNumber = 0; launchNumber < (conditional ? 1 : 2); ++launchNumber) {
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
  for (uint32_t k = 0; k < 16 && !conditional; ++k) {
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

void addInitialValues(cts::TestBinary &binary, const Overlay &overlay, std::mt19937 &random) {
  Words content(1 + random() % 60);
  for (uint32_t &word : content)
    word = uint32_t(random() % 4 == 0 ? random() : random() % 64);
  Words entries;
  for (uint32_t pe = 0; pe < overlay.numPes(); ++pe)
    for (uint32_t part = 0; part < 2; ++part) {
      if (!overlay.pes[pe].vrf || random() % 3 != 0)
        continue;
      // Somewhere in each half of the file; entries may share their content.
      const uint32_t half = overlay.vrfBeats / 2 * overlay.beatBytes() / 4;
      const uint32_t words = 1 + uint32_t(random() % std::min<size_t>(half, content.size()));
      const uint32_t first = part * half + uint32_t(random() % std::min(half - words + 1, 2000u));
      const uint32_t from = uint32_t(random() % (content.size() - words + 1));
      entries.insert(entries.end(), {0, pe, first * 4, from, words * 4});
    }
  if (entries.empty())
    return;
  // Offsets count from the start of the section.
  const uint32_t head = uint32_t(1 + entries.size());
  for (size_t e = 3; e < entries.size(); e += 5)
    entries[e] = (head + entries[e]) * 4;
  binary.initial = {uint32_t(entries.size() / 5)};
  binary.initial.insert(binary.initial.end(), entries.begin(), entries.end());
  binary.initial.insert(binary.initial.end(), content.begin(), content.end());
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
  addInitialValues(program.binary, overlay, random);
  program.packets = packetsOf(need, random);
  program.memory.resize(1 << 19);
  for (uint8_t &byte : program.memory)
    byte = uint8_t(random());
  return program;
}

} // namespace acis::model
