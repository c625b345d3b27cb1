// Random contexts on both engines: the model executes words cycle by cycle, `fast`
// the graph that the loader traced; everything that can be seen must be equal.
#include "runtime/engine/programs/RandomProgram.h"
#include "runtime/engine/programs/TestDevice.h"

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

class DifferentialTest : public testing::TestWithParam<unsigned> {};

TEST_P(DifferentialTest, EnginesAgree) {
  constexpr unsigned contexts = 60;
  unsigned ran = 0;
  for (unsigned k = 0; k < contexts; ++k) {
    const unsigned seed = GetParam() * contexts + k;
    std::mt19937 random(seed);
    Overlay overlay = cts::testOverlay(1 + unsigned(random() % 4));
    overlay.inputLatency = k % 3 != 0;
    overlay.stallLatency = k % 3 == 2 ? k / 6 % 3 : 0;
    overlay.indexLatency = k % 3 == 2 ? 1 + overlay.stallLatency : 0;
    overlay.vrfCopies = overlay.stallLatency != 0 && k % 4 == 1;
    overlay.launchLatency = k % 3 == 2 ? 1 + k / 3 % 2 : 0;
    const RandomProgram program = randomProgram(overlay, random);
    const Outcome expected =
        runOn(*makeFastDevice(overlay), program.binary, program.packets, program.memory);
    const Outcome got =
        runOn(*makeModelDevice(overlay), program.binary, program.packets, program.memory);
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
