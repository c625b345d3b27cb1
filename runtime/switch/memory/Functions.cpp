#include "runtime/switch/memory/Functions.h"

#include "runtime/engine/loader/Image.h"
#include "runtime/engine/loader/StateUse.h"
#include "runtime/switch/wire/Control.h"

#include <algorithm>

namespace acis::memory {

using wire::Outcome;

namespace {

/// Instructions and iterations of a function: so many, and so many for each byte that it is given.
constexpr uint64_t LeastSteps = uint64_t(1) << 24, StepsPerByte = 64;
/// Loaded devices of an engine.
constexpr size_t MostDevices = 32;

} // namespace

Status Functions::load(uint32_t job, uint64_t hash, std::span<const uint8_t> elf,
                       const std::string &name) {
  if (!overlay)
    return Error{"function", "this node has no overlay; start it with --config"};
  if (wire::operatorHash(elf, name) != hash)
    return Error{"function", "the bytes do not have the hash that names them"};
  auto &own = table[job];
  if (own.contains(hash))
    return Status::ok();
  if (own.size() == MostOfJob)
    return Error{"function", "the job has " + std::to_string(MostOfJob) +
                                 " already, the most that are allowed"};
  Result<std::shared_ptr<const Image>> image = loadImage(elf, *overlay);
  if (!image)
    return image.error();
  Result<const Handler *> handler = (*image)->handler(name);
  if (!handler)
    return handler.error();
  own[hash] = std::make_shared<const Function>(
      Function{*image, (*handler)->name, !whyKeepsState(**image, **handler, *overlay).empty()});
  return Status::ok();
}

std::shared_ptr<const Function> Functions::find(uint32_t job, uint64_t hash) const {
  const auto own = table.find(job);
  if (own == table.end())
    return nullptr;
  const auto at = own->second.find(hash);
  return at == own->second.end() ? nullptr : at->second;
}

Result<Engine::Loaded *> Engine::deviceFor(const std::shared_ptr<const Function> &function) {
  const auto at = std::find_if(devices.begin(), devices.end(),
                               [&](const Loaded &one) { return one.function == function; });
  if (at != devices.end()) {
    devices.splice(devices.begin(), devices, at);
    if (!function->keepsState)
      return &devices.front();
  } else {
    if (devices.size() == MostDevices)
      devices.pop_back();
    devices.push_front({function, exact ? makeModelDevice(overlay) : makeFastDevice(overlay)});
  }
  Loaded &one = devices.front();
  one.cycles = 0;
  if (Status loaded = one.device->load(function->image, function->handler); !loaded) {
    devices.pop_front();
    return loaded.error();
  }
  return &one;
}

Outcome Engine::run(const Launch &launch, uint64_t mostSteps) {
  Outcome out;
  packet.assign(launch.head.begin(), launch.head.end());
  packet.insert(packet.end(), launch.input.begin(), launch.input.end());
  for (size_t i = 0; i < launch.stages.size(); ++i) {
    const std::string name = launch.stages[i]->handler;
    const auto trapped = [&](const std::string &what) {
      if (!devices.empty() && devices.front().function == launch.stages[i])
        devices.pop_front(); // its state is that of a run that did not end
      return Outcome::failed(Outcome::Failure::Trapped, name + ": " + what);
    };
    if (packet.empty())
      return trapped("its packet is empty; a function starts with one byte or more");
    Result<Loaded *> loaded = deviceFor(launch.stages[i]);
    if (!loaded)
      return trapped(loaded.error().str());
    Device &device = *(*loaded)->device;
    if (Status attached = device.attachMemory(launch.memory); !attached)
      return trapped(attached.error().what);
    device.setDeadline(
        mostSteps ? mostSteps : LeastSteps + StepsPerByte * (packet.size() + launch.memory.size()));
    device.push(packet);
    const Status done = device.run();
    if (!done || device.trap())
      return trapped(device.trap()
                         ? (device.trap()->line.empty() ? "" : device.trap()->line + ": ") +
                               device.trap()->what
                         : done.error().what);
    (void)device.attachMemory({}); // it is the region's
    out.cycles += device.counters().cycles - (*loaded)->cycles;
    (*loaded)->cycles = device.counters().cycles;
    sent.clear();
    (void)device.pop(sent); // none: nothing was sent
    packet.swap(sent);
  }
  const size_t room = launch.output ? launch.output->size() : launch.mostAnswered;
  if (packet.size() > room)
    return Outcome::failed(Outcome::Failure::Trapped, launch.stages.back()->handler + ": gave " +
                                                          std::to_string(packet.size()) +
                                                          " bytes; there is room for " +
                                                          std::to_string(room));
  out.value = packet.size();
  if (launch.output)
    std::copy(packet.begin(), packet.end(), launch.output->begin());
  else
    out.data = packet;
  return out;
}

} // namespace acis::memory
