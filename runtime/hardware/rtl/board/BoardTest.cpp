// The board as its MAC sees it: what image.py makes is set up without a host, frames are answered,
// wrong ones are dropped, and after a trap the program begins again.
#include "runtime/engine/loader/Image.h"
#include "runtime/engine/programs/TestElf.h"
#include "runtime/hardware/rtl/shell/Frame.h"
#include "runtime/hardware/verilated/DeviceImage.h"

#include "Board_ecp5.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>

namespace acis::rtl {
namespace {

using namespace cts::as;
using cts::TestBinary;

constexpr unsigned BeatBytes = 16;

const Overlay &overlay() {
  static const Overlay ecp5 = *Overlay::load("ecp5.json");
  return ecp5;
}

/// Adds to the first word of a packet how many came before it.
TestBinary counting() {
  TestBinary binary(overlay());
  binary.code = {streamin(t0, zero, 2), lui(s0, 0x10000), lw(t1, s0, 0),          add(t0, t0, t1),
                 addi(t1, t1, 1),       sw(t1, s0, 0),    streamout(t0, zero, 2), wfi};
  return binary;
}

/// Writes the file that the simulation reads its memory from.
void writeMemory(const TestBinary &binary) {
  auto image = loadImage(binary.elf(), overlay());
  ASSERT_TRUE(bool(image)) << image.error().str();
  auto words = deviceImage(**image, (*image)->handlers[0], overlay());
  ASSERT_TRUE(bool(words)) << words.error().str();
  std::ofstream("board.bin", std::ios::binary)
      .write(reinterpret_cast<const char *>(words->data()), std::streamsize(words->size() * 4));
  ASSERT_EQ(std::system(ACIS_PYTHON " " ACIS_BOARD_IMAGE
                                    " board.bin --bytes 16 --ports 1 --port 9000 -o board.hex"),
            0);
}

class BoardBench : public Bench<Board_ecp5> {
public:
  void step() {
    top.eval();
    if (top.tx_valid_o && top.tx_ready_i)
      take();
    tick();
    top.rx_valid_i = 0;
  }
  void steps(uint64_t count) {
    while (count--)
      step();
  }
  /// As the MAC gives it: no beat waits. `error` is in the last beat.
  void send(const Bytes &frame, bool error = false, unsigned gap = 3) {
    for (size_t at = 0; at < frame.size(); at += BeatBytes) {
      const size_t count = std::min<size_t>(BeatBytes, frame.size() - at);
      top.rx_valid_i = 1;
      setPort(top.rx_data_i, frame.data() + at, count);
      top.rx_last_i = at + count == frame.size();
      top.rx_last_be_i = top.rx_last_i ? 1u << (count - 1) : 0;
      top.rx_error_i = top.rx_last_i && error ? 1u << (count - 1) : 0;
      step();
      steps(gap);
    }
  }
  std::deque<Bytes> out;

private:
  void take() {
    const Bytes beat = portBytes(top.tx_data_o, BeatBytes);
    const size_t count =
        top.tx_last_o ? size_t(__builtin_ctz(top.tx_last_be_o)) + 1 : size_t(BeatBytes);
    frame.insert(frame.end(), beat.begin(), beat.begin() + long(count));
    if (top.tx_last_o)
      out.push_back(std::exchange(frame, {}));
  }
  Bytes frame;
};

class BoardTest : public testing::Test {
protected:
  // The simulation reads board.hex, and tests may run beside one another.
  void SetUp() override {
    std::string folder = testing::TempDir() + "acis-board-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    std::filesystem::current_path(folder);
  }
  void TearDown() override {
    const std::filesystem::path folder = std::filesystem::current_path();
    std::filesystem::current_path(folder.parent_path());
    std::filesystem::remove_all(folder);
  }
  void make(const TestBinary &binary) {
    writeMemory(binary);
    board = std::make_unique<BoardBench>();
    board->top.tx_ready_i = 1;
    waitUntilRunning();
  }
  void waitUntilRunning() {
    for (unsigned cycle = 0; !board->top.running_o && cycle < 20000; ++cycle)
      board->step();
    ASSERT_TRUE(board->top.running_o);
    board->steps(20000); // the program is loaded
  }
  static Bytes frame(uint32_t word, uint16_t port = 9000) {
    Bytes payload(40);
    std::memcpy(payload.data(), &word, 4);
    FrameFields fields;
    fields.portTo = port;
    return makeFrame(fields, {}, payload);
  }
  static Bytes answer(uint32_t word) {
    Bytes payload(4);
    std::memcpy(payload.data(), &word, 4);
    return answerFrame(makeFrame({}, {}, {}), payload, /*swap=*/true);
  }
  std::unique_ptr<BoardBench> board;
};

TEST_F(BoardTest, AnswersWithoutAHost) {
  make(counting());
  std::deque<Bytes> expected;
  for (uint32_t i = 0; i < 5; ++i) {
    board->send(frame(100 * i));
    board->steps(500);
    expected.push_back(answer(101 * i));
  }
  EXPECT_EQ(board->out, expected);
}

TEST_F(BoardTest, DropsWhatIsWrongOrNotItsOwn) {
  make(counting());
  board->send(frame(1), /*error=*/true);
  board->send(frame(2, 9001));
  board->send(Bytes(5000, 7)); // longer than the store
  board->send(frame(3));
  board->steps(1000);
  EXPECT_EQ(board->out, std::deque<Bytes>{answer(3)});
}

// What finds no room is lost whole; what is answered is right.
TEST_F(BoardTest, LosesWholeFrames) {
  make(counting());
  board->top.tx_ready_i = 0;
  for (uint32_t i = 0; i < 200; ++i)
    board->send(frame(1000 * i), /*error=*/false, /*gap=*/0);
  board->top.tx_ready_i = 1;
  board->steps(60000);
  ASSERT_GT(board->out.size(), 8u);
  ASSERT_LT(board->out.size(), 200u);
  for (uint32_t i = 0; i < 8; ++i)
    EXPECT_EQ(board->out[i], answer(1001 * i));
}

TEST_F(BoardTest, BeginsAgainAfterATrap) {
  TestBinary binary = counting();
  // A packet whose first word is 0 loads from there, outside of every memory.
  binary.code = {streamin(t0, zero, 2), lui(s0, 0x10000), lw(t1, s0, 0),          addi(t1, t1, 1),
                 sw(t1, s0, 0),         lw(t2, t0, 0),    streamout(t1, zero, 2), wfi};
  make(binary);
  board->send(frame(0x10000000));
  board->send(frame(0x10000000));
  board->steps(2000);
  EXPECT_EQ(board->out, (std::deque<Bytes>{answer(1), answer(2)}));
  board->send(frame(0));
  board->steps(2000);
  waitUntilRunning();
  board->out.clear();
  board->send(frame(0x10000000));
  board->steps(2000);
  EXPECT_EQ(board->out, std::deque<Bytes>{answer(1)}) << "a counter that began again";
}

} // namespace
} // namespace acis::rtl
