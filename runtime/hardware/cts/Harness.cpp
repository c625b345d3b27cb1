#include "runtime/hardware/cts/Harness.h"

#include "runtime/engine/programs/Compare.h"
#include "runtime/hardware/verilated/Verilated.h"

namespace acis::cts {

static std::unique_ptr<Device> makeRtl(const Overlay &overlay) {
  auto device = makeRtlDevice(overlay, {});
  return device ? std::move(*device) : nullptr;
}

/// The model with an array that follows the sequencer by two cycles. (That the RTL would want
/// indices earlier then changes contexts, not what a machine does with one.)
static std::unique_ptr<Device> makeFollowing(const Overlay &overlay) {
  Overlay following = overlay;
  following.stallLatency = 2;
  return makeModelDevice(following);
}

std::vector<Engine> engines() {
  std::vector<Engine> list = {
      {"fast", makeFastDevice}, {"model", makeModelDevice}, {"following", makeFollowing}};
  static const bool built = makeRtl(testOverlay()) != nullptr; // see docs/rtl.md
  if (built)
    list.push_back({"rtl", makeRtl, /*slow=*/true});
  return list;
}

Outcome Job::run(const Engine &engine) const {
  Outcome outcome = runOn(engine);
  if (engine.make != makeRtl)
    return outcome;
  // What the RTL does in every cycle, the model does in the same one.
  const Outcome expected = runOn({"model", makeModelDevice});
  EXPECT_EQ(outcome.trap.has_value(), expected.trap.has_value());
  if (outcome.trap && expected.trap) {
    EXPECT_EQ(outcome.trap->what, expected.trap->what);
    EXPECT_EQ(outcome.trap->line, expected.trap->line);
  }
  expectSameCounters(outcome.counters, expected.counters, expected.trap.has_value());
  return outcome;
}

Outcome Job::runOn(const Engine &engine) const {
  Outcome outcome;
  auto image = loadImage(binary.elf(), overlay);
  if (!image) {
    outcome.error = image.error().str();
    return outcome;
  }
  std::unique_ptr<Device> device = engine.make(overlay);
  if (Status s = device->load(*image, ""); !s) {
    outcome.error = s.error().str();
    return outcome;
  }
  if (Status s = device->resizeMemory(memory.size()); !s) {
    outcome.error = s.error().str();
    return outcome;
  }
  std::copy(memory.begin(), memory.end(), device->memory().begin());
  device->setDeadline(deadline);
  for (const Bytes &packet : packets)
    device->push(packet);
  const Status status = device->run();
  if (device->trap())
    outcome.trap = *device->trap();
  else if (!status)
    outcome.error = status.error().str();
  for (Bytes packet; device->pop(packet);)
    outcome.packets.push_back(packet);
  outcome.memory.assign(device->memory().begin(), device->memory().end());
  outcome.counters = device->counters();
  return outcome;
}

isa::LoopContext streamContext(const Overlay &overlay, unsigned ii, unsigned laneBits,
                               unsigned inBytes, unsigned outBytes) {
  isa::LoopContext loop = emptyContext(overlay, ii, laneBits);
  loop.numArgs = 2;
  loop.streamIn = {inBytes != 0, {uint8_t(inBytes ? inBytes : 4), false, false}, 0};
  loop.streamOut = {outBytes != 0, {uint8_t(outBytes ? outBytes : 4), false, false}, 1};
  return loop;
}

Words launchCode(uint32_t iterations, uint32_t tail, const Words &args) {
  Words code;
  for (uint32_t k = 0; k < args.size(); ++k) {
    as::li(code, as::t0, args[k]);
    code.push_back(as::arg(k, as::t0));
  }
  as::li(code, as::t0, iterations);
  as::li(code, as::t1, tail);
  code.push_back(as::launch(0, as::t0, as::t1));
  code.push_back(as::wfi);
  return code;
}

} // namespace acis::cts
