// User operators: handlers that fold two blocks of elements.
//
// The left operands are in the handler's memory from its start, the right ones are the
// packet; the handler sends op(mem[i], in[i]) in order. Binaries are named by a hash of
// their bytes, so that all ranks can load the same one.
#pragma once

#include "backend/support/Result.h"
#include "runtime/switch/core/Engine.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace acis::sw {

class Operators {
public:
  /// Without an overlay every load() fails.
  explicit Operators(const EngineChoice &engine) : engine(engine) {}

  /// Verifies and loads a binary under the low half of its hash.
  Status load(uint64_t hash, std::span<const uint8_t> elf, const std::string &handler);
  bool knows(uint32_t handle) const { return devices.contains(handle); }
  /// out[i] = op(a[i], b[i]); `out` may be `a` or `b`. Fails with the handler's trap, or
  /// when it gives another number of bytes. Gives what it takes on an engine that counts cycles.
  Result<wire::Time> combine(uint32_t handle, std::span<const uint8_t> a,
                             std::span<const uint8_t> b, std::span<uint8_t> out);

private:
  const EngineChoice engine;
  std::map<uint32_t, std::unique_ptr<Device>> devices;
  std::vector<uint8_t> result;
};

} // namespace acis::sw
