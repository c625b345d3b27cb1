// What the test benches of streams and shell share: a clock, wide ports as bytes, and the
// random pauses of whoever is at the other end of a stream.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "verilated.h"

namespace acis::rtl {

using Bytes = std::vector<uint8_t>;

/// Verilator keeps a port as little-endian memory, whatever its type.
template <typename Port> void setPort(Port &port, const void *data, size_t bytes) {
  std::memset(static_cast<void *>(&port), 0, sizeof port);
  std::memcpy(static_cast<void *>(&port), data, bytes);
}
template <typename Port> Bytes portBytes(const Port &port, size_t bytes) {
  const uint8_t *from = reinterpret_cast<const uint8_t *>(&port);
  return Bytes(from, from + bytes);
}
/// AXI4-Stream's TKEEP for the first `bytes` of a beat.
template <typename Port> void setKeep(Port &port, size_t bytes) {
  Bytes keep((bytes + 7) / 8, 0xff);
  if (bytes % 8)
    keep.back() = uint8_t((1u << bytes % 8) - 1);
  setPort(port, keep.data(), keep.size());
}
template <typename Port> size_t keptBytes(const Port &port, size_t beatBytes) {
  size_t count = 0;
  for (uint8_t byte : portBytes(port, (beatBytes + 7) / 8))
    count += unsigned(__builtin_popcount(byte));
  return count;
}

/// A simulated block with clk_i and rst_ni, out of reset.
template <typename Model> class Bench {
public:
  Bench() : context(std::make_unique<VerilatedContext>()), top(context.get()) {
    top.rst_ni = 0;
    tick();
    top.rst_ni = 1;
    top.eval();
  }
  /// To the next cycle; what was set before counts for the one that ends.
  void tick() {
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
    ++now;
  }

  std::unique_ptr<VerilatedContext> context;
  Model top;
  uint64_t now = 0;
};

/// Pauses in `percent` of all cycles; 0 never.
class Pauses {
public:
  Pauses(uint64_t seed, unsigned percent) : random(seed), percent(percent) {}
  bool now() { return percent != 0 && random() % 100 < percent; }

private:
  std::mt19937_64 random;
  unsigned percent;
};

} // namespace acis::rtl
