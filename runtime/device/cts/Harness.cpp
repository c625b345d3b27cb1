#include "runtime/device/cts/Harness.h"

namespace acis::cts {

std::vector<Engine> engines() { return {{"fast", makeFastDevice}, {"model", makeModelDevice}}; }

Outcome Job::run(const Engine &engine) const {
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
