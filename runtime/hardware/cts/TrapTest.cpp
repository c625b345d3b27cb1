// Every cause of a trap, with the program counter and the source line, in the same words on every
// engine; and the same program just short of it.
#include "runtime/hardware/cts/Harness.h"

#include <functional>

using namespace acis;
using namespace acis::cts;
using isa::LoopContext;
using isa::Source;

namespace {

class Traps : public Conformance {
protected:
  /// Expects the words of the first engine, if it traps.
  Outcome run(const Job &job) {
    Outcome outcome = job.run(GetParam());
    const Outcome first = job.run(engines().front());
    EXPECT_EQ(outcome.trap ? outcome.trap->what : "no trap",
              first.trap ? first.trap->what : "no trap");
    return outcome;
  }
  /// Expects a trap whose text holds `text`, at `pc`.
  void expectTrap(const Job &job, const std::string &text, uint32_t pc,
                  const std::string &line = "") {
    const Outcome outcome = run(job);
    EXPECT_EQ(outcome.error, "") << text;
    ASSERT_TRUE(outcome.trap) << text;
    EXPECT_NE(outcome.trap->what.find(text), std::string::npos)
        << text << "; got: " << outcome.trap->what;
    EXPECT_EQ(outcome.trap->pc, pc) << outcome.trap->what;
    if (!line.empty()) {
      EXPECT_EQ(outcome.trap->line, line);
    }
    EXPECT_TRUE(outcome.packets.empty());
  }
  void expectGood(const Job &job) {
    const Outcome outcome = job.run(GetParam());
    EXPECT_EQ(outcome.error, "");
    EXPECT_FALSE(outcome.trap) << outcome.trap->what;
  }
  Job codeJob(const Words &code, size_t payload = 64) {
    Job job(overlay);
    job.binary.code = code;
    job.binary.lines = {{LineEntry::Code, 0, 10}, {LineEntry::Code, 4, 11}};
    job.packets = {Bytes(payload)};
    job.memory.resize(64);
    return job;
  }
  /// Stream element i selects the register file beat that is sent.
  Job gatherJob(uint32_t worst) {
    Job job(overlay);
    LoopContext loop = streamContext(overlay, 1, 32, 4, 4);
    loop.streamInSlots[0].on = true;
    isa::VrfAddress address;
    address.base = 10;
    address.limit = 20;
    address.indexed = true;
    loop.pes[1].addresses = {address};
    loop.pes[1].slots[0].read[0] = {true, 0, 0, operand(Source::StreamIn)};
    loop.pes[1].slots[0].streamOut = {true, 0, operand(Source::Vrf0), {}};
    finishContext(loop, overlay);
    job.binary.contexts = {loop};
    job.binary.lines = {{0, 0, 20}, {0, 1 << 16, 21}, {LineEntry::Code, 0, 10}};
    job.binary.code = launchCode(3, 4);
    std::vector<uint32_t> in(36, 3);
    in[34] = worst;
    job.packets = {bytesOf(in)};
    return job;
  }
  Job memoryJob(bool write, uint32_t start, uint32_t beats) {
    Job job(overlay);
    LoopContext loop = streamContext(overlay, 1, 32, write ? 4 : 0, write ? 0 : 4);
    loop.numArgs = 3;
    const isa::MemAddress port{true, {4, false, false}, 2, 0, 0, 64};
    isa::Slot &word = loop.pes[0].slots[0];
    if (write) {
      loop.streamInSlots[0].on = true;
      loop.pes[0].memOut = port;
      word.memOut = {true, 0, operand(Source::StreamIn), {}};
    } else {
      loop.pes[0].memIn = port;
      word.memIn.on = true;
      word.streamOut = {true, 0, operand(Source::MemIn), {}};
    }
    finishContext(loop, overlay);
    job.binary.contexts = {loop};
    job.binary.code = launchCode(beats, 0, {0, 0, start});
    job.packets = {Bytes(beats * 64)};
    job.memory.resize(256);
    return job;
  }
  /// Code that the loader does not look at, at address 8.
  Job behindJob(const Words &code) {
    Job job = codeJob({as::iType(0x67, 0, as::zero, as::zero, 8), as::wfi});
    job.binary.behind = code;
    return job;
  }
  static uint32_t lastLaunch(const Job &job) { return uint32_t(job.binary.code.size() - 2) * 4; }

  const Overlay overlay = testOverlay();
};

TEST_P(Traps, StreamEnds) {
  expectGood(codeJob({as::nop, as::streamin(as::a4, as::zero, 2), as::wfi}, 4));
  expectTrap(codeJob({as::nop, as::streamin(as::a4, as::zero, 2), as::wfi}, 3), "deadline", 4,
             "test.c:11");
}

TEST_P(Traps, LoopWaitsForAPacketThatDoesNotCome) {
  Job job = gatherJob(3);
  expectGood(job);
  job.packets[0].resize(140);
  const Outcome outcome = run(job);
  ASSERT_TRUE(outcome.trap);
  EXPECT_NE(outcome.trap->what.find("deadline"), std::string::npos) << outcome.trap->what;
}

// What was launched before the scalar unit traps is done, and more packets than may wait become the
// invocation's for it.
TEST_P(Traps, LoopBeforeTheTrapReadsOn) {
  Job job = gatherJob(3);
  job.binary.code.insert(job.binary.code.end() - 1, as::lw(as::a4, as::a2, 1));
  const Bytes all = job.packets[0];
  job.packets.clear();
  for (size_t at = 0; at < all.size(); at += 3)
    job.packets.emplace_back(all.begin() + ptrdiff_t(at),
                             all.begin() + ptrdiff_t(std::min(at + 3, all.size())));
  ASSERT_GT(job.packets.size(), isa::PacketLengths + 4);
  expectTrap(job, "misaligned", uint32_t(job.binary.code.size() - 2) * 4);
}

TEST_P(Traps, StreamGoesBack) {
  const Words back = {as::streamin(as::a4, as::zero, 2), as::streamin(as::a4, as::zero, 0),
                      as::wfi};
  expectTrap(codeJob(back), "stream", 4, "test.c:11");
}

TEST_P(Traps, OutputHasNoGaps) {
  const Words gap = {as::addi(as::t0, as::zero, 4), as::streamout(as::a4, as::t0, 2), as::wfi};
  expectTrap(codeJob(gap), "position 4", 4);
}

TEST_P(Traps, PacketLengthDiffers) {
  auto code = [](int32_t length) {
    return Words{as::streamout(as::a4, as::zero, 2), as::addi(as::t0, as::zero, length),
                 as::csrrw(0, 0x800, as::t0), as::wfi};
  };
  expectGood(codeJob(code(4)));
  expectTrap(codeJob(code(8)), "packet length", 12);
}

TEST_P(Traps, ScalarMemory) {
  expectGood(codeJob({as::lw(as::a4, as::a2, 60), as::wfi}));
  expectTrap(codeJob({as::lw(as::a4, as::a2, 64), as::wfi}), "0x80000040", 0, "test.c:10");
  expectTrap(codeJob({as::sw(as::a4, as::zero, 0), as::wfi}), "0x00000000", 0);
  expectTrap(codeJob({as::lw(as::a4, as::a2, 2), as::wfi}), "misaligned", 0);
  expectGood(codeJob({as::sw(as::a4, as::sp, -4), as::wfi}));
  expectTrap(codeJob({as::sw(as::a4, as::sp, 0), as::wfi}), "0x10001000", 0);
}

TEST_P(Traps, JumpBetweenInstructions) {
  auto jalr = [](int32_t to) { return as::iType(0x67, 0, as::ra, as::zero, to); };
  expectGood(codeJob({as::nop, jalr(9), as::wfi}));
  expectTrap(codeJob({as::nop, jalr(10), as::wfi}), "misaligned address 0x0000000a", 4,
             "test.c:11");
}

TEST_P(Traps, WhatTheLoaderRefuses) {
  expectGood(behindJob({as::wfi}));
  expectTrap(behindJob({0xffffffff}), "undefined instruction 0xffffffff", 8);
  expectTrap(behindJob({as::csrrw(as::a4, 0x7c0, as::zero)}), "CSR 0x7c0 does not exist", 8);
  expectTrap(behindJob({as::csrrw(as::zero, isa::CsrCycle, as::a4)}), "CSR 0xc00 cannot", 8);
  expectTrap(behindJob({as::launch(5, as::a2, as::zero)}), "launch of context 5; the handler", 8);
}

TEST_P(Traps, OutputPacketTooLong) {
  Job job = memoryJob(false, 0x80000000, 4);
  const uint32_t beats = isa::MaxPacketBytes / 64 + 1;
  job.binary.code = launchCode(beats, 0, {0, 0, 0x80000000});
  job.deadline = 2 * beats;
  expectTrap(job, "an output packet of 1073741888 bytes", lastLaunch(job));
}

TEST_P(Traps, CodeEnds) { expectTrap(codeJob({as::nop}), "", 4); }

TEST_P(Traps, Deadline) {
  Job job = codeJob({as::nop, as::jal(0, -4), as::wfi});
  job.deadline = 1000;
  const Outcome outcome = run(job);
  ASSERT_TRUE(outcome.trap);
  EXPECT_NE(outcome.trap->what.find("deadline"), std::string::npos);
  Job loop = gatherJob(3);
  loop.deadline = 8; // the 7 instructions up to the launch and less than 3 iterations
  const Outcome second = run(loop);
  ASSERT_TRUE(second.trap);
  EXPECT_NE(second.trap->what.find("deadline"), std::string::npos);
}

TEST_P(Traps, RegisterFileOffset) {
  expectGood(gatherJob(19));
  Job job = gatherJob(20);
  expectTrap(job, "20", lastLaunch(job), "test.c:21");
  job = gatherJob(0xffffffff);
  expectTrap(job, "4294967295", lastLaunch(job), "test.c:21");
}

TEST_P(Traps, InactiveLanesDoNotTrap) {
  Job job = gatherJob(3);
  job.binary.code = launchCode(3, 2);
  std::vector<uint32_t> in = valuesOf<uint32_t>(job.packets[0]);
  in[34] = 99; // the third element of the last beat: past the tail
  job.packets = {bytesOf(in)};
  expectGood(job);
}

TEST_P(Traps, MemoryPorts) {
  for (const bool write : {false, true}) {
    expectGood(memoryJob(write, 0x80000000, 4));
    Job job = memoryJob(write, 0x80000000, 5);
    expectTrap(job, "0x80000100", lastLaunch(job));
    job = memoryJob(write, 0x80000004, 4);
    expectTrap(job, "0x800000c4", lastLaunch(job));
    job = memoryJob(write, 0x7fffffc0, 4);
    expectTrap(job, "0x7fffffc0", lastLaunch(job));
  }
}

TEST_P(Traps, FirstInArrayTimeWins) {
  // Iteration 2 is outside at PE 0's read, iteration 70 at PE 1's: another block.
  Job job(overlay);
  LoopContext loop = streamContext(overlay, 1, 32, 4, 4);
  loop.streamInSlots[0].on = true;
  isa::VrfAddress address;
  address.limit = 71;
  address.stride1 = 1;
  loop.pes[1].addresses = {address};
  loop.pes[1].slots[0].read[0] = {true, 0, 0, {}};
  loop.pes[1].slots[0].streamOut = {true, 0, operand(Source::Vrf0), {}};
  address.limit = 2;
  loop.pes[0].addresses = {address};
  loop.pes[0].slots[0].read[0] = {true, 70, 0, {}}; // 70 cycles later: time 72
  finishContext(loop, overlay);
  job.binary.contexts = {loop};
  job.binary.lines = {{0, 0, 20}, {0, 1 << 16, 21}};
  job.binary.code = launchCode(100);
  job.packets = {Bytes(6400)};
  expectTrap(job, "", lastLaunch(job), "test.c:21"); // time 71
}

TEST_P(Traps, Tail) {
  Job job = gatherJob(3);
  job.binary.code = launchCode(3, 17);
  expectTrap(job, "17", lastLaunch(job));
}

TEST_P(Traps, VectorInstructions) {
  expectTrap(codeJob({as::nop, as::vle(32, 0, as::a2), as::wfi}), "", 4);
  auto with = [&](uint32_t vtype, uint32_t instruction) {
    return codeJob(
        {as::addi(as::t0, as::zero, 16), as::vsetvli(0, as::t0, vtype), instruction, as::wfi});
  };
  expectGood(with(2 << 3, as::vle(32, 3, as::a2)));
  expectTrap(with(2 << 3 | 5, as::vle(32, 3, as::a2)), "vtype 0x00000015 is not defined", 4);
  expectTrap(with(2 << 3 | 1, as::vle(32, 3, as::a2)), "register 3", 8);
  expectTrap(with(2 << 3, as::vle(64, 4, as::a2)), "64 bits", 8);
  expectTrap(with(1 << 3, as::opV(0, 1, 2, 4, 6)), "SEW 16", 8); // vfadd
}

ACIS_CONFORMANCE(Traps);

} // namespace
