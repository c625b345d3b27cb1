// Context records to bits and back, as the field table lays them out. Private to
// the ISA library; neither direction judges a value.
#pragma once

#include "backend/isa/Context.h"

#include <type_traits>

namespace acis::isa {

/// The part of a PeContext that has a record of its own.
struct PeRecord {
  uint16_t numAddresses = 0;
  MemAddress memIn, memOut;
};

enum class FieldKind : uint8_t { Uint, Sint, Bool, Arg };

/// Appends records to 32-bit little-endian words.
class BitWriter {
public:
  std::vector<uint8_t> bytes;

  void put(uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i, ++used) {
      if (used % 8 == 0)
        bytes.push_back(0);
      bytes.back() |= (value >> i & 1) << used % 8;
    }
  }
  void endRecord() {
    while (bytes.size() % 4)
      bytes.push_back(0);
    used = bytes.size() * 8;
  }

private:
  size_t used = 0; ///< bits
};

/// Reads records; past the end it gives zeros and remembers that it did.
class BitReader {
public:
  explicit BitReader(std::span<const uint8_t> bytes) : bytes(bytes) {}

  bool pastEnd = false; ///< a field lies outside the bytes
  bool padding = false; ///< a bit between records was set

  uint64_t get(unsigned width) {
    uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i, ++used) {
      if (used / 8 >= bytes.size()) {
        pastEnd = true;
        continue;
      }
      value |= uint64_t(bytes[used / 8] >> used % 8 & 1) << i;
    }
    return value;
  }
  void endRecord() {
    if (unsigned rest = (32 - used % 32) % 32)
      padding |= get(rest) != 0;
  }
  size_t bytesLeft() const { return used / 8 < bytes.size() ? bytes.size() - used / 8 : 0; }
  size_t position() const { return used / 8; }

private:
  std::span<const uint8_t> bytes;
  size_t used = 0; ///< bits
};

/// Writes one field. The widths are those of the largest legal value, so a value
/// that does not fit is a mistake of the compiler.
template <FieldKind kind, unsigned width, typename T> void putField(BitWriter &bits, T value) {
  constexpr uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  uint64_t raw = static_cast<uint64_t>(value);
  if constexpr (kind == FieldKind::Arg)
    raw = value == NoArg ? mask : raw;
  if constexpr (kind == FieldKind::Sint)
    static_assert(width == 8 * sizeof(T) && std::is_signed_v<T>);
  else
    assert(raw <= mask && "value too wide for its context field");
  bits.put(raw & mask, width);
}

template <FieldKind kind, unsigned width, typename T> void getField(BitReader &bits, T &value) {
  constexpr uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  uint64_t raw = bits.get(width);
  if constexpr (kind == FieldKind::Arg)
    raw = raw == mask ? NoArg : raw;
  if constexpr (kind == FieldKind::Bool)
    value = raw != 0;
  else
    value = static_cast<T>(raw);
}

void putLoop(BitWriter &bits, const LoopContext &record);
void putPop(BitWriter &bits, const PortRead &record);
void putPe(BitWriter &bits, const PeRecord &record);
void putAddress(BitWriter &bits, const VrfAddress &record);
void putSlot(BitWriter &bits, const Slot &record);

void getLoop(BitReader &bits, LoopContext &record);
void getPop(BitReader &bits, PortRead &record);
void getPe(BitReader &bits, PeRecord &record);
void getAddress(BitReader &bits, VrfAddress &record);
void getSlot(BitReader &bits, Slot &record);

/// LoopBytes, PopBytes, ...: bytes of one record of each kind.
#define ACIS_RECORD(Name, Words) inline constexpr size_t Name##Bytes = size_t(4) * (Words);
#include "backend/isa/ContextFields.def"

} // namespace acis::isa
