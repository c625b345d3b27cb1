// Random contexts on both engines: the model executes words cycle by cycle, `fast`
// the graph that the loader traced; everything that can be seen must be equal.
#include "runtime/model/RandomContext.h"
#include "runtime/model/TestDevice.h"

#include <cstring>

namespace acis::model {
namespace {

struct Outcome {
  std::string error;
  std::vector<Bytes> packets;
  Bytes memory;
  uint64_t iterations = 0, bytesIn = 0, bytesOut = 0;
  bool operator==(const Outcome &) const = default;
};

Outcome runOn(Device &device, const cts::TestBinary &binary, const std::vector<Bytes> &packets,
              const Bytes &memory) {
  Outcome outcome;
  auto image = loadImage(binary.elf(), device.overlay());
  if (!image)
    return Outcome{image.error().str(), {}, {}};
  if (Status s = device.load(*image, ""); !s)
    return Outcome{s.error().str(), {}, {}};
  if (Status s = device.resizeMemory(memory.size()); !s)
    return Outcome{s.error().str(), {}, {}};
  std::copy(memory.begin(), memory.end(), device.memory().begin());
  for (const Bytes &packet : packets)
    device.push(packet);
  if (Status s = device.run(); !s) {
    outcome.error = s.error().str();
    return outcome; // how much was done before a trap is not compared
  }
  for (Bytes packet; device.pop(packet);)
    outcome.packets.push_back(packet);
  outcome.memory.assign(device.memory().begin(), device.memory().end());
  outcome.iterations = device.counters().iterations;
  outcome.bytesIn = device.counters().bytesIn;
  outcome.bytesOut = device.counters().bytesOut;
  return outcome;
}

/// Launches context 0 twice with different sizes, sends the results behind the
/// output, and ends. `in` becomes the bytes that it reads.
Words twoLaunches(const isa::LoopContext &loop, unsigned vf, std::mt19937 &random, uint64_t &in) {
  using namespace as;
  Words code;
  uint64_t out = 0;
  for (unsigned launchNumber = 0; launchNumber < 2; ++launchNumber) {
    const uint32_t n = 1 + uint32_t(random() % 40), tail = uint32_t(random() % (vf + 1));
    const uint32_t args[6] = {uint32_t(in),       uint32_t(out),
                              0x80000000u + 64u,  0x80000000u + 32768u + launchNumber * 16384u,
                              uint32_t(random()), uint32_t(random() % 8)};
    for (uint32_t k = 0; k < 6; ++k) {
      li(code, t0, args[k]);
      code.push_back(arg(k, t0));
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
std::vector<Bytes> packetsOf(uint64_t need, std::mt19937 &random) {
  std::vector<Bytes> packets;
  for (unsigned invocation = 0; invocation < 3; ++invocation)
    for (uint64_t sum = 0; sum == 0 || sum < need; sum += packets.back().size()) {
      packets.emplace_back(random() % 3 == 0 ? 1 + random() % 40 : 400 + random() % 1000);
      for (uint8_t &byte : packets.back())
        byte = uint8_t(random() % 5 == 0 ? random() : random() % 8);
    }
  return packets;
}

class DifferentialTest : public testing::TestWithParam<unsigned> {};

TEST_P(DifferentialTest, EnginesAgree) {
  constexpr unsigned contexts = 60;
  unsigned ran = 0;
  for (unsigned k = 0; k < contexts; ++k) {
    const unsigned seed = GetParam() * contexts + k;
    std::mt19937 random(seed);
    const Overlay overlay = cts::testOverlay(1 + unsigned(random() % 4));
    cts::TestBinary binary(overlay);
    RandomOptions options;
    options.elements = 8 + unsigned(random() % 40);
    const isa::LoopContext loop = randomContext(overlay, random, options);
    binary.contexts = {loop};
    uint64_t need = 0;
    binary.code = twoLaunches(loop, overlay.lanes * 32 / loop.laneBits, random, need);
    const std::vector<Bytes> packets = packetsOf(need, random);
    Bytes memory(1 << 19);
    for (uint8_t &byte : memory)
      byte = uint8_t(random());
    const Outcome expected = runOn(*makeFastDevice(overlay), binary, packets, memory);
    const Outcome got = runOn(*makeModelDevice(overlay), binary, packets, memory);
    if (got.error.find("an interlocked write whose operation starts") != std::string::npos)
      continue; // what the model cannot space, see Plan.h
    ran += expected.error.empty();
    ASSERT_EQ(got.error.empty(), expected.error.empty())
        << "seed " << seed << ": fast '" << expected.error << "', model '" << got.error << "'";
    ASSERT_EQ(got.packets, expected.packets) << "seed " << seed;
    ASSERT_EQ(got.memory == expected.memory, true) << "memory, seed " << seed;
    ASSERT_EQ(got.iterations, expected.iterations) << "seed " << seed;
    ASSERT_EQ(got.bytesIn, expected.bytesIn) << "seed " << seed;
  }
  RecordProperty("ran", int(ran));
  EXPECT_GT(ran, contexts / 2) << "most random contexts trapped or were left out";
}

INSTANTIATE_TEST_SUITE_P(Seeds, DifferentialTest, testing::Range(0u, 15u));

} // namespace
} // namespace acis::model
