#include "runtime/switch/Operators.h"

#include "runtime/loader/Image.h"
#include "runtime/wire/Control.h"

#include <cstring>

namespace acis::sw {

namespace {
/// Of one fold: far more than any sensible operator needs, and well below a second.
constexpr uint64_t mostSteps = uint64_t(1) << 24;
} // namespace

Status Operators::load(uint64_t hash, std::span<const uint8_t> elf, const std::string &handler) {
  if (!overlay)
    return Error{"operator", "this switch has no overlay; start acisd with --config"};
  if (wire::operatorHash(elf, handler) != hash)
    return Error{"operator", "the bytes do not have the hash that names them"};
  if (knows(uint32_t(hash)))
    return Status::ok();
  Result<std::shared_ptr<const Image>> image = loadImage(elf, *overlay);
  if (!image)
    return image.error();
  std::unique_ptr<Device> device = makeFastDevice(*overlay);
  if (Status status = device->load(*image, handler); !status)
    return status;
  device->setDeadline(mostSteps);
  devices[uint32_t(hash)] = std::move(device);
  return Status::ok();
}

Status Operators::combine(uint32_t handle, size_t elementBytes, std::span<const uint8_t> a,
                          std::span<const uint8_t> b, std::span<uint8_t> out) {
  const auto at = devices.find(handle);
  if (at == devices.end())
    return Error{"operator", "handle " + std::to_string(handle) + " was not loaded"};
  Device &device = *at->second;
  pairs.resize(2 * out.size());
  for (size_t i = 0; i < out.size(); i += elementBytes) {
    std::memcpy(pairs.data() + 2 * i, a.data() + i, elementBytes);
    std::memcpy(pairs.data() + 2 * i + elementBytes, b.data() + i, elementBytes);
  }
  device.push(pairs);
  if (Status status = device.run(); !status)
    return status;
  if (device.trap())
    return Error{"operator", device.trap()->what};
  if (!device.pop(result) || result.size() != out.size())
    return Error{"operator", "gave " + std::to_string(result.size()) + " bytes for " +
                                 std::to_string(out.size()) +
                                 "; it must write one element for each pair"};
  std::memcpy(out.data(), result.data(), out.size());
  return Status::ok();
}

} // namespace acis::sw
