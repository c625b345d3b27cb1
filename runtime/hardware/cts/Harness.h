// The conformance suite runs every test on every engine: a test makes a binary, the
// harness runs it, the test compares with values that it computed itself.
#pragma once

#include "runtime/engine/device/Device.h"
#include "runtime/engine/loader/Image.h"
#include "runtime/engine/programs/ContextBuilder.h"
#include "runtime/engine/programs/TestElf.h"

#include <cstring>
#include <gtest/gtest.h>
#include <optional>
#include <random>

namespace acis::cts {

struct Engine {
  const char *name;
  std::unique_ptr<Device> (*make)(const Overlay &);
  bool slow = false; ///< a thousand cycles take a second: less data where it makes no difference
};
std::vector<Engine> engines();

struct Outcome {
  std::string error; ///< of loading
  std::vector<Bytes> packets;
  Bytes memory;
  std::optional<Trap> trap;
  Counters counters;
};

struct Job {
  explicit Job(const Overlay &overlay) : overlay(overlay), binary(overlay) {}

  Overlay overlay;
  TestBinary binary;
  std::vector<Bytes> packets;
  Bytes memory;
  uint64_t deadline = 1u << 24;

  /// Engine `rtl` is also held against `model`, cycle by counted cycle.
  Outcome run(const Engine &engine) const;

private:
  Outcome runOn(const Engine &engine) const;
};

class Conformance : public testing::TestWithParam<Engine> {};

template <typename T> Bytes bytesOf(const std::vector<T> &values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!values.empty())
    std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
template <typename T> std::vector<T> valuesOf(const Bytes &bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty())
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

/// A context with stream ports: input position in argument 0, output position in
/// argument 1; more arguments as the test says.
isa::LoopContext streamContext(const Overlay &overlay, unsigned ii, unsigned laneBits,
                               unsigned inBytes, unsigned outBytes);

/// Code that sets arguments, launches context 0 and ends.
Words launchCode(uint32_t iterations, uint32_t tail = 0, const Words &args = {0, 0});

#define ACIS_CONFORMANCE(Suite)                                                                    \
  INSTANTIATE_TEST_SUITE_P(Engines, Suite, testing::ValuesIn(engines()),                           \
                           [](const auto &info) { return std::string(info.param.name); })

} // namespace acis::cts
