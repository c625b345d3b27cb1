// Sections of a 32-bit little-endian RISC-V ELF object. The bytes may be hostile:
// every offset and size is checked before it is used.
#pragma once

#include "backend/support/Result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acis {

struct ElfSection {
  std::string_view name;
  std::span<const uint8_t> bytes;
};

/// The sections refer to the bytes that were read.
class ElfFile {
public:
  static Result<ElfFile> read(std::span<const uint8_t> bytes);

  /// The only section of that name; fails if there is none or more than one.
  Result<std::span<const uint8_t>> section(std::string_view name) const;
  bool hasSection(std::string_view name) const;

private:
  std::vector<ElfSection> sections;
};

/// Reads little-endian words one after the other and remembers a read past the end.
class WordReader {
public:
  explicit WordReader(std::span<const uint8_t> bytes) : bytes(bytes) {}

  uint32_t next() {
    if (bytes.size() < 4) {
      ran = true;
      return 0;
    }
    const uint32_t word = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | uint32_t(bytes[3]) << 24;
    bytes = bytes.subspan(4);
    return word;
  }
  size_t wordsLeft() const { return bytes.size() / 4; }
  std::span<const uint8_t> rest() const { return bytes; }
  bool ranOut() const { return ran; }

private:
  std::span<const uint8_t> bytes;
  bool ran = false;
};

/// The zero-terminated string at `offset` of a string table.
Result<std::string_view> stringAt(std::span<const uint8_t> table, uint32_t offset);

} // namespace acis
