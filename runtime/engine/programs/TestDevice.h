// For the model's tests: a handler made of test binaries, run on the model.
#pragma once

#include "runtime/engine/loader/Image.h"
#include "runtime/engine/model/Model.h"
#include "runtime/engine/programs/ContextBuilder.h"
#include "runtime/engine/programs/TestElf.h"

#include <gtest/gtest.h>

namespace acis::model {

using cts::Bytes;
using cts::Words;
using isa::Source;
namespace as = cts::as;

struct TestDevice {
  explicit TestDevice(const Overlay &overlay, bool trace = false)
      : overlay(overlay), binary(overlay), device(makeModelDevice(overlay, {trace})) {}

  /// Loads what is in `binary`, keeping `memoryBytes` of off-chip memory.
  void load(uint64_t memoryBytes = 0) {
    auto image = loadImage(binary.elf(), overlay);
    ASSERT_TRUE(bool(image)) << image.error().str();
    Status loaded = device->load(*image, "");
    ASSERT_TRUE(bool(loaded)) << loaded.error().str();
    Status resized = device->resizeMemory(memoryBytes);
    ASSERT_TRUE(bool(resized)) << resized.error().str();
  }
  void run(unsigned packets, unsigned bytes) {
    for (unsigned p = 0; p < packets; ++p) {
      Bytes payload(bytes);
      for (unsigned i = 0; i < bytes; ++i)
        payload[i] = uint8_t(p * 31 + i);
      device->push(payload);
    }
    const Status status = device->run();
    EXPECT_TRUE(bool(status)) << status.error().str();
  }
  uint64_t cycles() const { return device->counters().cycles; }
  uint64_t stall(Stall cause) const { return device->counters().stalls[unsigned(cause)]; }
  uint64_t stalls() const {
    uint64_t sum = 0;
    for (uint64_t n : device->counters().stalls)
      sum += n;
    return sum;
  }

  Overlay overlay;
  cts::TestBinary binary;
  std::unique_ptr<ModelDevice> device;
};

/// out[i] = in[i] + 5 on PE 0, II 1, arguments 0 and 1 the stream positions.
inline isa::LoopContext addConstant(const Overlay &overlay) {
  isa::LoopContext loop = cts::emptyContext(overlay);
  loop.numArgs = 2;
  loop.streamIn = {true, {4, false, false}, 0};
  loop.streamOut = {true, {4, false, false}, 1};
  loop.streamInSlots[0].on = true;
  isa::Slot &word = loop.pes[0].slots[0];
  word.op = isa::Op::Add;
  word.a = cts::operand(Source::StreamIn);
  word.b = cts::operand(Source::Imm0);
  word.imm[0] = 5;
  word.streamOut = {
      true, uint8_t(overlay.latencyOf(UnitClass::Integer)), cts::operand(Source::Res), {}};
  cts::finishContext(loop, overlay);
  return loop;
}

/// pktlen / beat iterations with a tail, output of the same length.
inline Words packetLoop() {
  using namespace as;
  return {
      csrr(t0, 0x800),            // bytes
      iType(0x13, 0, t1, t0, 63), // (bytes + 63)
      iType(0x13, 5, t1, t1, 6),  //   / 64
      iType(0x13, 5, t2, t0, 2),  // elements
      iType(0x13, 7, t2, t2, 15), //   % 16
      arg(0, zero),
      arg(1, zero),
      launch(0, t1, t2),
      wfi,
  };
}

} // namespace acis::model
