// Ports of a simulation. Verilator keeps each as little-endian memory, whatever its type; where the
// signals of one that is a struct are in it, backend/isa/Signals.td says. In a memory port they
// stand above the data and, of a request, its strobes.
#pragma once

#include "backend/isa/Signals.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace acis::rtl {

template <typename Port> const uint8_t *bytesOf(const Port &port) {
  return reinterpret_cast<const uint8_t *>(&port);
}
template <typename Port> uint8_t *bytesOf(Port &port) { return reinterpret_cast<uint8_t *>(&port); }

/// A signal, of a port whose signals begin at bit `first`.
template <typename Port>
uint64_t signalOf(const Port &port, isa::Signal signal, unsigned first = 0) {
  const unsigned at = first + signal.at;
  const size_t byte = at / 8;
  uint64_t value = 0;
  std::memcpy(&value, bytesOf(port) + byte, std::min<size_t>(sizeof value, sizeof port - byte));
  value >>= at % 8;
  if (at % 8 + signal.width > 64)
    value |= uint64_t(bytesOf(port)[byte + 8]) << (64 - at % 8);
  return signal.width < 64 ? value & ((uint64_t(1) << signal.width) - 1) : value;
}

template <typename Port>
void setSignal(Port &port, isa::Signal signal, uint64_t value, unsigned first = 0) {
  for (unsigned bit = first + signal.at; bit < first + signal.at + signal.width;
       ++bit, value >>= 1) {
    uint8_t &byte = bytesOf(port)[bit / 8];
    byte = uint8_t((byte & ~(1u << bit % 8)) | unsigned(value & 1) << bit % 8);
  }
}

/// Where the signals of a memory port begin, and the strobes of a request.
constexpr unsigned requestSignals(unsigned beatBytes) { return 9 * beatBytes; }
constexpr unsigned responseSignals(unsigned beatBytes) { return 8 * beatBytes; }
template <typename Port> auto *strobesOf(Port &port, unsigned beatBytes) {
  return bytesOf(port) + beatBytes;
}

} // namespace acis::rtl
