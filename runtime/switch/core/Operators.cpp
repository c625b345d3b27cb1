#include "runtime/switch/core/Operators.h"

#include "runtime/engine/loader/Image.h"
#include "runtime/switch/wire/Control.h"

#include <cstring>

namespace acis::sw {

namespace {
/// Of one fold: far more than any sensible operator needs, and well below a second.
constexpr uint64_t mostSteps = uint64_t(1) << 24;
constexpr size_t padding = 4096;
} // namespace

Status Operators::load(uint64_t hash, std::span<const uint8_t> elf, const std::string &handler) {
  if (!engine.overlay)
    return Error{"operator", "this switch has no overlay; start acisd with --config"};
  if (wire::operatorHash(elf, handler) != hash)
    return Error{"operator", "the bytes do not have the hash that names them"};
  if (knows(uint32_t(hash)))
    return Status::ok();
  Result<std::shared_ptr<const Image>> image = loadImage(elf, *engine.overlay);
  if (!image)
    return image.error();
  std::unique_ptr<Device> device = engine.make();
  if (Status status = device->load(*image, handler); !status)
    return status;
  device->setDeadline(mostSteps);
  devices[uint32_t(hash)] = std::move(device);
  return Status::ok();
}

Result<wire::Time> Operators::combine(uint32_t handle, std::span<const uint8_t> a,
                                      std::span<const uint8_t> b, std::span<uint8_t> out) {
  if (out.empty())
    return wire::Time(0);
  const auto at = devices.find(handle);
  if (at == devices.end())
    return Error{"operator", "handle " + std::to_string(handle) + " was not loaded"};
  Device &device = *at->second;
  // The handler may read on past the operands, to the end of a beat.
  if (device.memory().size() < a.size() + padding)
    if (Status status = device.resizeMemory(2 * a.size() + padding); !status)
      return status.error();
  const wire::Time before = engine.timeOf(device);
  std::memcpy(device.memory().data(), a.data(), a.size());
  device.push(b);
  if (Status status = device.run(); !status)
    return status.error();
  if (device.trap())
    return Error{"operator", device.trap()->what};
  if (!device.pop(result) || result.size() != out.size())
    return Error{"operator", "gave " + std::to_string(result.size()) + " bytes for " +
                                 std::to_string(out.size()) +
                                 "; it must write one element for each that it reads"};
  std::memcpy(out.data(), result.data(), out.size());
  return engine.timeOf(device) - before;
}

} // namespace acis::sw
