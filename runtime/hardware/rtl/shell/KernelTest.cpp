// The whole kernel as it is packaged, as a host and a network see it: registers, program from
// memory, frames in and out. What the handler computes is compared with engine `model`.
#include "runtime/engine/loader/Image.h"
#include "runtime/engine/model/Model.h"
#include "runtime/engine/programs/RandomProgram.h"
#include "runtime/hardware/rtl/shell/KernelBench.h"
#include "runtime/hardware/verilated/DeviceImage.h"

#include <gtest/gtest.h>

namespace acis::rtl {
namespace {

using namespace cts::as;
using cts::TestBinary;

constexpr uint64_t Program = 0x7'0000'1000, Data = 0x2'0000'0000;
constexpr uint32_t MemoryBytes = 1 << 19;
constexpr unsigned BankShift = 28;

const Overlay &overlay() {
  static const Overlay tiny = *Overlay::load("tiny.json");
  return tiny;
}

std::shared_ptr<const Image> imageOf(const TestBinary &binary) {
  auto image = loadImage(binary.elf(), overlay());
  EXPECT_TRUE(bool(image)) << image.error().str();
  return image ? *image : nullptr;
}

struct Outcome {
  std::vector<Bytes> packets;
  Bytes memory;
  bool trapped = false;
};

Outcome onModel(const std::shared_ptr<const Image> &image, const std::vector<Bytes> &packets,
                const Bytes &memory) {
  auto device = makeModelDevice(overlay());
  EXPECT_TRUE(bool(device->load(image, "")));
  EXPECT_TRUE(bool(device->resizeMemory(memory.size())));
  std::copy(memory.begin(), memory.end(), device->memory().begin());
  for (const Bytes &packet : packets)
    device->push(packet);
  const Status status = device->run();
  Outcome outcome;
  for (Bytes packet; device->pop(packet);)
    outcome.packets.push_back(packet);
  outcome.memory.assign(device->memory().begin(), device->memory().end());
  outcome.trapped = device->trap() != nullptr;
  EXPECT_EQ(bool(status), !outcome.trapped);
  return outcome;
}

class KernelTest : public testing::Test {
protected:
  void make(uint64_t seed, unsigned percent = 0) {
    kernel = std::make_unique<KernelBench>(seed, percent);
    kernel->write(RegGlobal, 1);
    kernel->write(RegEnable, 1);
    kernel->write(RegMode, Handle);
    kernel->write(RegPort, 9000);
    kernel->write(RegMemory, MemoryBytes);
    kernel->writeBase(0, Program);
    for (unsigned k = 1; k <= KernelBench::Ports; ++k)
      kernel->writeBase(k, Data);
  }
  void place(const std::shared_ptr<const Image> &image) {
    auto words = deviceImage(*image, image->handlers[0], overlay());
    ASSERT_TRUE(bool(words)) << words.error().str();
    kernel->memory.write(Program, words->data(), words->size() * 4);
  }
  /// Where a byte of the handler's memory is, with the banks `1 << shift` bytes apart.
  static uint64_t placeOf(uint64_t offset, unsigned shift) {
    if (!shift)
      return Data + offset;
    const uint64_t block = offset / overlay().memInterleaveBytes;
    return Data + (block % overlay().memBanks << shift) +
           block / overlay().memBanks * overlay().memInterleaveBytes +
           offset % overlay().memInterleaveBytes;
  }
  void fill(const Bytes &memory, unsigned shift = 0) {
    for (uint64_t i = 0; i < memory.size(); ++i)
      kernel->memory.at(placeOf(i, shift)) = memory[i];
  }
  Bytes readBack(unsigned shift = 0) {
    Bytes memory(MemoryBytes);
    for (uint64_t i = 0; i < memory.size(); ++i)
      memory[i] = kernel->memory.at(placeOf(i, shift));
    return memory;
  }
  /// Packet `number` in a frame that says which it is.
  static FrameFields fields(size_t number) {
    FrameFields fields;
    fields.ipFrom = 0x0b000000 + uint32_t(number);
    fields.macFrom = 0x020000010000 + number;
    fields.portFrom = uint16_t(50000 + number);
    return fields;
  }
  void send(size_t number, const Bytes &payload) {
    kernel->in.push_back(makeFrame(fields(number), {}, payload));
  }
  static Bytes answer(size_t number, const Bytes &payload, bool swap) {
    return answerFrame(makeFrame(fields(number), {}, {}), payload, swap);
  }
  uint32_t startAndWait(uint32_t packets) {
    kernel->write(RegPackets, packets);
    kernel->write(RegControl, Start);
    EXPECT_TRUE(kernel->waitForInterrupt()) << "never done";
    return acknowledge();
  }
  /// Of a run that has ended; its status.
  uint32_t acknowledge() {
    const uint32_t control = kernel->read(RegControl);
    EXPECT_EQ(control & (Done | Idle | Start), uint32_t(Done | Idle));
    kernel->write(RegPending, 1);
    EXPECT_FALSE(kernel->interrupt());
    kernel->write(RegControl, Continue);
    EXPECT_EQ(kernel->read(RegControl) & Done, 0u);
    EXPECT_TRUE(kernel->memoryQuiet());
    EXPECT_EQ(kernel->complaint(), "");
    return kernel->read(RegStatus);
  }

  /// Sends back the word at stream position 0 plus what a counter in scratch memory says, and
  /// counts up: state that a program keeps from packet to packet.
  static TestBinary counting() {
    TestBinary binary(overlay());
    cts::Words &code = binary.code;
    code.push_back(streamin(t0, zero, 2));
    code.push_back(lui(s0, 0x10000));
    code.push_back(lw(t1, s0, 0));
    code.push_back(add(t0, t0, t1));
    code.push_back(addi(t1, t1, 1));
    code.push_back(sw(t1, s0, 0));
    code.push_back(streamout(t0, zero, 2));
    code.push_back(wfi);
    return binary;
  }
  static Bytes word(uint32_t value) {
    Bytes bytes(4);
    std::memcpy(bytes.data(), &value, 4);
    return bytes;
  }

  std::unique_ptr<KernelBench> kernel;
};

class RandomKernelTest : public KernelTest, public testing::WithParamInterface<unsigned> {};

TEST_P(RandomKernelTest, AgreesWithTheModel) {
  const unsigned seed = GetParam();
  std::mt19937 random(seed);
  model::RandomProgram program = model::randomProgram(overlay(), random);
  auto loaded = loadImage(program.binary.elf(), overlay());
  while (!loaded || !deviceImage(**loaded, (*loaded)->handlers[0], overlay())) {
    program = model::randomProgram(overlay(), random);
    loaded = loadImage(program.binary.elf(), overlay());
  }
  const auto image = *loaded;
  const Outcome expected = onModel(image, program.packets, program.memory);
  const unsigned shift = seed % 2 ? BankShift : 0;
  const bool swap = seed % 3 == 0;
  make(seed, seed % 4 * 15);
  place(image);
  fill(program.memory, shift);
  kernel->write(RegBankShift, shift);
  kernel->write(RegMode, uint32_t(Handle | Forward) | uint32_t(swap ? Swap : 0));
  std::vector<Bytes> others;
  for (size_t i = 0; i < program.packets.size(); ++i) {
    send(i, program.packets[i]);
    FrameFields other = fields(i);
    other.portTo = 7;
    others.push_back(makeFrame(other, {}, Bytes(seed * 7 % 300, uint8_t(i))));
    kernel->in.push_back(others.back());
  }
  const uint32_t status = startAndWait(uint32_t(program.packets.size()));
  if (expected.trapped) {
    EXPECT_TRUE(status == uint32_t(KernelCode::GridTrap) ||
                status == uint32_t(KernelCode::ScalarTrap))
        << status;
    return;
  }
  EXPECT_EQ(status, uint32_t(KernelCode::Fine));
  EXPECT_EQ(readBack(shift), expected.memory);
  EXPECT_EQ(kernel->read(RegAdmitted), program.packets.size());
  EXPECT_EQ(kernel->read(RegAnswered), expected.packets.size());
  kernel->steps(2000); // the last of the others
  // Answers have the header of some packet, the first of its invocation: in order.
  size_t number = 0, other = 0;
  auto next = expected.packets.begin();
  for (const Bytes &frame : kernel->out) {
    if (other < others.size() && frame == others[other]) {
      ++other;
      continue;
    }
    ASSERT_NE(next, expected.packets.end());
    while (number < program.packets.size() && frame != answer(number, *next, swap))
      ++number;
    ASSERT_LT(number, program.packets.size()) << "a wrong header or payload";
    if (next == expected.packets.begin()) {
      EXPECT_EQ(number, 0u);
    }
    ++number;
    ++next;
  }
  EXPECT_EQ(next, expected.packets.end());
  EXPECT_EQ(other, others.size());
  EXPECT_EQ(kernel->read(RegHandled), program.packets.size());
  EXPECT_EQ(kernel->read(RegForwarded), others.size());
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomKernelTest, testing::Range(0u, 16u));

// What is there after loading is zero, also behind another program.
TEST_F(KernelTest, LoadsAgainOrKeeps) {
  make(1, 20);
  place(imageOf(counting()));
  std::deque<Bytes> expected;
  auto run = [&](uint32_t mode, unsigned count, uint32_t state) {
    kernel->write(RegMode, mode);
    for (unsigned i = 0; i < count; ++i) {
      send(i, word(100 * i));
      expected.push_back(answer(i, word(100 * i + state + i), false));
    }
    EXPECT_EQ(startAndWait(count), uint32_t(KernelCode::Fine));
    EXPECT_EQ(kernel->out, expected);
  };
  run(Handle, 3, 0);
  run(Handle | Keep, 2, 3);
  run(Handle | Keep, 1, 5);
  run(Handle, 2, 0);
}

// An invocation that owns several packets answers with the first one's header.
TEST_F(KernelTest, HeaderOfTheFirstPacket) {
  TestBinary binary(overlay());
  binary.code = {addi(t2, zero, 8), streamin(t0, t2, 2), streamout(t0, zero, 2), wfi};
  make(2, 30);
  place(imageOf(binary));
  kernel->write(RegMode, Handle | Swap);
  std::deque<Bytes> expected;
  for (unsigned i = 0; i < 6; i += 2) {
    send(i, Bytes(6, uint8_t(i)));
    send(i + 1, Bytes(7, uint8_t(i + 1)));
    expected.push_back(answer(i, Bytes(4, uint8_t(i + 1)), true));
  }
  EXPECT_EQ(startAndWait(6), uint32_t(KernelCode::Fine));
  EXPECT_EQ(kernel->out, expected);
}

TEST_F(KernelTest, RunsUntilStopped) {
  make(3);
  place(imageOf(counting()));
  kernel->write(RegPackets, 0);
  kernel->write(RegControl, Start);
  kernel->steps(2000); // loads and clears
  for (unsigned i = 0; i < 5; ++i) {
    send(i, word(i));
    kernel->steps(700);
    EXPECT_EQ(kernel->out.size(), i + 1);
    EXPECT_FALSE(kernel->interrupt());
  }
  EXPECT_EQ(kernel->read(RegControl), uint32_t(Start));
  kernel->write(RegStop, 1);
  EXPECT_TRUE(kernel->waitForInterrupt(1000));
  EXPECT_EQ(acknowledge(), uint32_t(KernelCode::Fine));
  send(5, word(0)); // waits for the next run
  kernel->steps(500);
  EXPECT_EQ(kernel->out.size(), 5u);
  EXPECT_EQ(startAndWait(1), uint32_t(KernelCode::Fine));
  EXPECT_EQ(kernel->out.size(), 6u);
}

// What comes beyond the packets of a run waits for the next one.
TEST_F(KernelTest, AdmitsNoMoreThanAsked) {
  make(9, 20);
  place(imageOf(counting()));
  for (unsigned i = 0; i < 5; ++i)
    send(i, word(100 * i));
  kernel->steps(2000); // all of them wait at the door, one behind the other
  ASSERT_EQ(startAndWait(2), uint32_t(KernelCode::Fine));
  EXPECT_EQ(kernel->read(RegAdmitted), 2u);
  EXPECT_EQ(kernel->out.size(), 2u);
  kernel->write(RegMode, Handle | Keep);
  EXPECT_EQ(startAndWait(3), uint32_t(KernelCode::Fine));
  EXPECT_EQ(kernel->read(RegAdmitted), 3u);
  EXPECT_EQ(kernel->out.size(), 5u);
}

TEST_F(KernelTest, PassesThroughWithoutARun) {
  make(4, 30);
  kernel->write(RegMode, Forward);
  std::deque<Bytes> frames;
  for (unsigned i = 0; i < 40; ++i) {
    frames.push_back(makeFrame(fields(i), {}, Bytes(i * 37 % 900, uint8_t(i))));
    frames.back().resize(std::max<size_t>(frames.back().size(), MinFrame));
  }
  kernel->in = frames;
  kernel->steps(40 * 200);
  EXPECT_EQ(kernel->out, frames);
  EXPECT_EQ(kernel->read(RegControl), uint32_t(Idle));
}

TEST_F(KernelTest, RefusesAProgram) {
  make(5);
  place(imageOf(counting()));
  kernel->memory.at(Program) ^= 1;
  EXPECT_EQ(startAndWait(1), uint32_t(KernelCode::Magic));
  kernel->write(RegMode, Handle | Keep); // there is nothing to keep
  EXPECT_EQ(startAndWait(1), uint32_t(KernelCode::Magic));
  kernel->memory.at(Program) ^= 1;
  send(0, word(7));
  EXPECT_EQ(startAndWait(1), uint32_t(KernelCode::Fine));
  EXPECT_EQ(kernel->out.size(), 1u);
}

// After a trap in the middle of traffic the kernel can be started again.
TEST_F(KernelTest, RecoversFromATrap) {
  make(6, 20);
  TestBinary binary = counting();
  binary.code[5] = sw(t1, zero, 0); // outside of every memory
  place(imageOf(binary));
  for (unsigned i = 0; i < 3; ++i)
    send(i, Bytes(300, 1));
  EXPECT_EQ(startAndWait(3), uint32_t(KernelCode::ScalarTrap));
  EXPECT_EQ(kernel->read(RegDetail), 20u) << "the PC";
  EXPECT_TRUE(kernel->out.empty());
  const uint32_t left = 3 - kernel->read(RegAdmitted);
  place(imageOf(counting()));
  for (unsigned i = 0; i < 2; ++i)
    send(10 + i, word(i));
  EXPECT_EQ(startAndWait(left + 2), uint32_t(KernelCode::Fine));
  ASSERT_EQ(kernel->out.size(), left + 2);
  EXPECT_EQ(kernel->out.back(), answer(11, word(1 + left + 1), false));
}

TEST_F(KernelTest, AbortsWhatWaits) {
  make(7);
  TestBinary binary(overlay());
  binary.code = {addi(t2, zero, 800), streamin(t0, t2, 2), streamout(t0, zero, 2), wfi};
  place(imageOf(binary));
  send(0, Bytes(20, 1)); // the invocation waits for more
  kernel->write(RegPackets, 1);
  kernel->write(RegControl, Start);
  EXPECT_FALSE(kernel->waitForInterrupt(5000));
  kernel->write(RegStop, 2);
  EXPECT_TRUE(kernel->waitForInterrupt(1000));
  EXPECT_EQ(acknowledge(), uint32_t(KernelCode::Abort));
  place(imageOf(counting()));
  send(1, word(5));
  EXPECT_EQ(startAndWait(1), uint32_t(KernelCode::Fine));
  EXPECT_EQ(kernel->out, std::deque<Bytes>{answer(1, word(5), false)});
}

TEST_F(KernelTest, BusErrorsEndARun) {
  make(8, 20);
  TestBinary binary(overlay());
  binary.code = {lui(t2, 0x80000), sw(t2, t2, 64), lw(t0, t2, 64), streamout(t0, zero, 2), wfi};
  place(imageOf(binary));
  send(0, word(1));
  EXPECT_EQ(startAndWait(1), uint32_t(KernelCode::Fine));
  EXPECT_EQ(kernel->out, std::deque<Bytes>{answer(0, word(0x80000000), false)});
  kernel->ports[0].badRead = [](uint64_t address) { return address < Program; };
  send(1, word(1));
  EXPECT_EQ(startAndWait(1), uint32_t(KernelCode::DataBus));
  kernel->ports[0].badRead = nullptr;
  kernel->ports[0].badWrites = true;
  send(2, word(1));
  EXPECT_EQ(startAndWait(1), uint32_t(KernelCode::DataBus));
}

TEST_F(KernelTest, SaysWhichHardware) {
  make(9);
  auto words = deviceImage(*imageOf(counting()), imageOf(counting())->handlers[0], overlay());
  EXPECT_EQ(kernel->read(RegHardware), (*words)[2]);
  EXPECT_EQ(kernel->read(RegHardware + 4), (*words)[3]);
}

} // namespace
} // namespace acis::rtl
