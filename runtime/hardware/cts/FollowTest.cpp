// An array that follows the sequencer (`grid.stallLatency`), on small overlays with 1 and 2 cycles,
// of which engine `rtl` has the hardware: where streams, memory, vector instructions and traps meet
// what is on its way, results are those of engine `fast`, and cycles those of `model` (Job::run).
#include "runtime/hardware/cts/Harness.h"

using namespace acis;
using namespace acis::cts;
using isa::Op;
using isa::Source;

namespace {

constexpr const char *follow1Text =
#include "runtime/hardware/cts/Follow1.inc"
    ;
constexpr const char *follow2Text =
#include "runtime/hardware/cts/Follow2.inc"
    ;

class Follow : public Conformance {
protected:
  /// Runs `make`, which has an overlay and makes a job, on both overlays.
  template <typename Make> void onBoth(Make make, bool traps = false) const {
    for (const char *text : {follow1Text, follow2Text}) {
      const Overlay overlay = *Overlay::parse(text, "follow.json");
      SCOPED_TRACE(overlay.name);
      const Job job = make(overlay);
      const Outcome expected = job.run({"fast", makeFastDevice});
      const Outcome found = job.run(GetParam());
      EXPECT_EQ(expected.error, "");
      EXPECT_EQ(found.error, "");
      EXPECT_EQ(found.trap.has_value(), traps);
      ASSERT_EQ(found.trap.has_value(), expected.trap.has_value());
      if (traps) {
        EXPECT_EQ(found.trap->what, expected.trap->what);
        continue;
      }
      EXPECT_EQ(found.packets, expected.packets);
      EXPECT_EQ(found.memory, expected.memory);
    }
  }
  static Bytes bytes(unsigned count, unsigned seed = 0) {
    Bytes made(count);
    for (unsigned i = 0; i < count; ++i)
      made[i] = uint8_t(37 * i + seed + i / 256);
    return made;
  }
  /// Elements of the input, plus 5, to the output.
  static isa::LoopContext addFive(const Overlay &overlay, unsigned elementBytes, unsigned pe) {
    isa::LoopContext loop = streamContext(overlay, 1, 32, elementBytes, elementBytes);
    loop.streamInSlots[0].on = true;
    isa::Slot &word = loop.pes[pe].slots[0];
    word.op = Op::Add;
    word.stage = uint8_t(overlay.inputLatency);
    word.a = operand(Source::StreamIn);
    word.b = operand(Source::Imm0);
    word.imm[0] = 5;
    const unsigned done = overlay.inputLatency + overlay.latencyOf(UnitClass::Integer);
    word.streamOut = {true, uint8_t(done), operand(Source::Res), {}};
    finishContext(loop, overlay);
    return loop;
  }
  /// Launches over all of a packet but its last `left` bytes.
  static Words packetCode(const Overlay &overlay, unsigned elementBytes, int32_t left) {
    using namespace as;
    const int32_t lanes = int32_t(overlay.lanes), size = elementBytes == 4 ? 2 : 0;
    return {csrr(t0, 0x800),
            addi(t0, t0, -left),
            iType(0x13, 5, t0, t0, size),
            addi(t1, t0, lanes - 1),
            iType(0x13, 5, t1, t1, lanes == 4 ? 2 : 4),
            iType(0x13, 7, t2, t0, lanes - 1),
            arg(0, zero),
            arg(1, zero),
            launch(0, t1, t2),
            wfi};
  }
};

TEST_P(Follow, InvocationsFollowEachOther) {
  for (unsigned size : {1u, 4u})
    for (unsigned length : {4u, 16u, 40u, 200u})
      for (int32_t left : {0, 3})
        onBoth([&](const Overlay &overlay) {
          Job job(overlay);
          job.binary.contexts = {addFive(overlay, size, 1)};
          job.binary.code = packetCode(overlay, size, left);
          for (unsigned p = 0; p < 12; ++p)
            job.packets.push_back(bytes(length + (size == 4 ? unsigned(left) : 0), p));
          return job;
        });
}

TEST_P(Follow, SkipsWaitForThePopsBeforeThem) {
  for (unsigned skip : {0u, 4u, 16u, 40u})
    onBoth([&](const Overlay &overlay) {
      using namespace as;
      Job job(overlay);
      job.binary.contexts = {addFive(overlay, 4, 0)};
      Words &code = job.binary.code;
      for (unsigned i = 0; i < 6; ++i) {
        li(code, t0, i * (48 + skip));
        li(code, t1, i * 48);
        code.insert(code.end(), {arg(0, t0), arg(1, t1), addi(t0, zero, 3), launch(0, t0, zero)});
      }
      code.push_back(wfi);
      job.packets = {bytes(6 * (48 + skip) + 20), bytes(6 * (48 + skip) + 100, 3)};
      return job;
    });
}

TEST_P(Follow, ScalarUnitComesBehindTheArray) {
  onBoth([&](const Overlay &overlay) {
    using namespace as;
    Job job(overlay);
    job.binary.contexts = {addFive(overlay, 4, 0)};
    job.binary.code = {arg(0, zero),        arg(1, zero),         addi(t0, zero, 10),
                       launch(0, t0, zero), addi(t1, zero, 160),  streamin(t2, t1, 2),
                       addi(t1, zero, 160), streamout(t2, t1, 2), wfi};
    job.packets = {bytes(170), bytes(164, 9)};
    return job;
  });
}

/// Reads and writes a beat of memory in each iteration, with strides.
isa::LoopContext copyMemory(const Overlay &overlay, unsigned pe, int32_t inStride,
                            int32_t outStride) {
  isa::LoopContext loop = emptyContext(overlay);
  loop.numArgs = 2;
  loop.innerCount = 7;
  loop.pes[pe].memIn = {true, {4, false, false}, 0, 0, inStride, 8 * inStride};
  loop.pes[pe].memOut = {true, {4, false, false}, 1, 0, outStride, 8 * outStride};
  isa::Slot &word = loop.pes[pe].slots[0];
  word.memIn.on = true;
  word.memOut.on = true;
  word.memOut.stage = uint8_t(overlay.inputLatency);
  word.memOut.data = operand(Source::MemIn);
  finishContext(loop, overlay);
  return loop;
}

TEST_P(Follow, MemoryIsReadAndWritten) {
  for (auto [in, out] : {std::pair(16, 16), std::pair(24, 32), std::pair(1024, 20)})
    onBoth([&, in = in, out = out](const Overlay &overlay) {
      using namespace as;
      Job job(overlay);
      job.binary.contexts = {copyMemory(overlay, 1, in, out), addFive(overlay, 4, 0)};
      Words &code = job.binary.code;
      code = {arg(0, a2)};
      li(code, t1, 0x80000000u + (1 << 17));
      // Twice, the second time from what the first has written; then a load and a store of its own.
      code.insert(code.end(), {arg(1, t1), addi(t0, zero, 33), launch(0, t0, zero), arg(0, t1)});
      li(code, t2, 0x80000000u + (1 << 18));
      code.insert(code.end(),
                  {arg(1, t2), launch(0, t0, zero), lw(t0, t2, 0), addi(t0, t0, 1), sw(t0, t2, 4),
                   arg(0, zero), arg(1, zero), addi(t0, zero, 2), launch(1, t0, zero), wfi});
      job.memory = bytes(1 << 19);
      job.packets = {bytes(32)};
      return job;
    });
}

TEST_P(Follow, VectorLoadsAndStoresComeBehindTheArray) {
  onBoth([&](const Overlay &overlay) {
    using namespace as;
    Job job(overlay);
    Words &code = job.binary.code;
    code = {addi(t0, zero, 24), vsetvli(zero, t0, 2 << 3)};
    li(code, t2, 0x80000800);
    for (unsigned i = 0; i < 3; ++i) // each adds what it has loaded to what is there
      code.insert(code.end(), {vle(32, 4, a2), opV(0, 0, 6, 4, 6), vse(32, 6, t2),
                               opV(0, 0, 6, 6, 4), vse(32, 6, t2), addi(t2, t2, 512)});
    code.push_back(wfi);
    job.memory = bytes(8192);
    job.packets = {bytes(4), bytes(4)};
    return job;
  });
}

TEST_P(Follow, SparseAccumulation) {
  for (bool equal : {false, true})
    onBoth([&](const Overlay &overlay) {
      using namespace as;
      Job job(overlay);
      // Of PE 0, as the other one of follow2 gathers nothing.
      job.binary.code = {addi(t1, zero, 1),
                         csrrw(0, 0x801, t1),
                         addi(t0, zero, 6),
                         vsetvli(zero, t0, 2 << 3),
                         addi(t1, zero, 0),
                         spvaccVx(1, t1, 2),
                         wfi};
      Bytes packet(16 * 6);
      for (unsigned beat = 0; beat < 6; ++beat)
        for (unsigned lane = 0; lane < 4; ++lane)
          packet[16 * beat + 4 * lane] = equal ? 3 : uint8_t(beat);
      job.packets = {packet, packet};
      return job;
    });
}

TEST_P(Follow, Traps) {
  onBoth(
      [&](const Overlay &overlay) {
        isa::LoopContext loop = emptyContext(overlay);
        loop.pes[1].addresses = {{.limit = 5, .stride1 = 1}};
        loop.pes[1].slots[0].read[0].on = true;
        finishContext(loop, overlay);
        Job job(overlay);
        job.binary.contexts = {loop};
        job.binary.code = launchCode(20, 0, {});
        job.packets = {bytes(4)};
        return job;
      },
      /*traps=*/true);
  onBoth(
      [&](const Overlay &overlay) {
        Job job(overlay);
        job.binary.contexts = {copyMemory(overlay, 0, 16, 16)};
        job.binary.code = launchCode(20, 0, {0x80000000, 0x80000f80});
        job.memory = bytes(4096);
        job.packets = {bytes(4)};
        return job;
      },
      /*traps=*/true);
}

ACIS_CONFORMANCE(Follow);

} // namespace
