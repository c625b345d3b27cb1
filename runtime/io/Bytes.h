// Little-endian integers in byte buffers. The reader never reads past the end.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acis::io {

template <std::unsigned_integral T> void store(uint8_t *at, T value) {
  for (size_t i = 0; i < sizeof(T); ++i)
    at[i] = uint8_t(value >> (8 * i));
}

template <std::unsigned_integral T> T load(const uint8_t *at) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i)
    value |= T(T(at[i]) << (8 * i));
  return value;
}

/// Appends fields one after the other.
class Writer {
public:
  template <std::unsigned_integral T> Writer &put(T value) {
    bytes.resize(bytes.size() + sizeof(T));
    store(bytes.data() + bytes.size() - sizeof(T), value);
    return *this;
  }
  /// A 16-bit length and the bytes; cut at 65,535.
  Writer &text(std::string_view value) {
    value = value.substr(0, 0xffff);
    put(uint16_t(value.size()));
    bytes.insert(bytes.end(), value.begin(), value.end());
    return *this;
  }
  Writer &raw(std::span<const uint8_t> value) {
    bytes.insert(bytes.end(), value.begin(), value.end());
    return *this;
  }
  std::vector<uint8_t> take() { return std::move(bytes); }

private:
  std::vector<uint8_t> bytes;
};

/// Takes fields one after the other; reading past the end gives 0 and is remembered.
class Reader {
public:
  explicit Reader(std::span<const uint8_t> bytes) : bytes(bytes) {}

  template <std::unsigned_integral T> T get() {
    if (bytes.size() < sizeof(T)) {
      short_ = true;
      return 0;
    }
    const T value = load<T>(bytes.data());
    bytes = bytes.subspan(sizeof(T));
    return value;
  }
  std::string text() {
    const size_t size = get<uint16_t>();
    if (bytes.size() < size) {
      short_ = true;
      return {};
    }
    std::string value(reinterpret_cast<const char *>(bytes.data()), size);
    bytes = bytes.subspan(size);
    return value;
  }
  std::span<const uint8_t> rest() const { return bytes; }
  bool ranOut() const { return short_; }
  /// All fields were there and nothing is left.
  bool complete() const { return !short_ && bytes.empty(); }

private:
  std::span<const uint8_t> bytes;
  bool short_ = false;
};

} // namespace acis::io
