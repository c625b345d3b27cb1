// The output stream with random commands, pushes and gaps: what leaves is what was pushed, cut
// where packets end, and an end is told once, with the packet's last beat or alone behind it. At
// the sizes of `tiny`, and where the array follows the sequencer: what is decided has room when it
// is made, whatever is on its way and however many packets end before it.
#include "StreamOut_follow2.h"
#include "StreamOut_tiny.h"
#include "runtime/hardware/rtl/shell/Bench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <random>
#include <vector>

namespace {

using Bytes = std::vector<uint8_t>;
constexpr unsigned BeatBytes = 16; ///< of both overlays

/// Pushes are made `Later` cycles after they are decided.
template <typename Stream, unsigned Later>
class StreamOutRun : public testing::TestWithParam<unsigned> {
protected:
  StreamOutRun() : random(GetParam()), way(Later), expected(1) {}
  unsigned below(unsigned n) { return unsigned(random() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }

  /// Bytes that are pushed in this cycle; those left out are not sent.
  void pushed(size_t packet, unsigned bytes, bool sends, void *to, size_t room) {
    Bytes data(room);
    for (uint8_t &byte : data)
      byte = uint8_t(random());
    std::memcpy(to, data.data(), room);
    if (!sends)
      return;
    expected[packet].insert(expected[packet].end(), data.begin(), data.begin() + bytes);
    packed += bytes;
  }

  void decide() {
    const bool writes = !commands.empty() && !commands.front().isEnd;
    // Often all that is left, so that an end follows in the same cycle.
    const unsigned most = writes ? std::min<unsigned>(BeatBytes, commands.front().left) : BeatBytes;
    stream.push_bytes_i = uint8_t(chance(50) ? most : 1 + below(most));
    stream.scalar_bytes_i = uint8_t(1u << below(3));
    stream.push_i = stream.scalar_i = 0;
    way.push_back({});
    stream.eval();
    if (writes && stream.ready_o && chance(70)) {
      Command &command = commands.front();
      stream.push_i = 1;
      way.back() = {stream.push_bytes_i, command.packet};
      command.left -= stream.push_bytes_i;
      if (command.left == 0)
        commands.pop_front();
    } else if (stream.idle_o && stream.room_o && !closing && chance(30)) {
      stream.scalar_i = 1;
      pushed(expected.size() - 1, stream.scalar_bytes_i, true, &stream.scalar_data_i, 4);
    }
  }

  void push() {
    decide();
    const Push made = way.front();
    way.pop_front();
    if (made.bytes != 0) {
      stream.sends_i = !chance(10);
      pushed(made.packet, made.bytes, stream.sends_i, &stream.push_data_i, BeatBytes);
    }
    stream.eval();
  }

  void command() {
    stream.write_i = stream.end_i = 0;
    stream.eval();
    if (closing || stream.scalar_i || !stream.space_post_o || !chance(40))
      return;
    if (more != 0 || chance(40)) {
      // Now and then several packets that nothing is sent in.
      more = more != 0 ? more - 1 : chance(15) ? 4 : 0;
      stream.end_i = 1;
      commands.push_back({true, 0, 0});
      expected.emplace_back();
    } else {
      const unsigned bytes = chance(50) ? BeatBytes * (1 + below(3)) : 1 + below(60);
      stream.write_i = 1;
      stream.bytes_i = bytes;
      commands.push_back({false, bytes, expected.size() - 1});
    }
    stream.eval();
  }

  void take() {
    // A beat is full in the cycle of the push.
    EXPECT_EQ(bool(stream.full_beat_o), packed >= BeatBytes);
    packed = stream.partial_beat_o ? 0 : packed % BeatBytes;
    const bool beat = stream.valid_o && stream.ready_i;
    EXPECT_FALSE(stream.eop_o && beat) << "the end of a packet whose last beat has left";
    if (stream.eop_o)
      ended();
    if (beat) {
      const uint8_t *from = reinterpret_cast<const uint8_t *>(&stream.data_o);
      current.insert(current.end(), from, from + stream.bytes_o);
      if (stream.last_o)
        ended();
    }
  }
  void ended() {
    sent.push_back(current);
    current.clear();
  }

  /// Ends leave the queue of commands by themselves.
  void forgetEnds() {
    while (!commands.empty() && commands.front().isEnd)
      commands.pop_front();
  }

  void step(unsigned ready) {
    stream.ready_i = chance(ready);
    push();
    command();
    take();
    bench.tick();
    forgetEnds();
  }

  void run() {
    for (unsigned cycle = 0; cycle < 5000; ++cycle)
      step(cycle / 500 % 2 ? 100 : 10 + 20 * GetParam());
    closing = true;
    for (unsigned cycle = 0; cycle < 500 && (stream.busy_o || !commands.empty()); ++cycle)
      step(100);
    ASSERT_FALSE(stream.busy_o);
    const auto empty = [](const Bytes &packet) { return packet.empty(); };
    expected.pop_back(); // had no end
    std::erase_if(expected, empty);
    std::erase_if(sent, empty);
    EXPECT_GT(expected.size(), 100u);
    EXPECT_EQ(sent, expected);
  }

  struct Command {
    bool isEnd;
    unsigned left;
    size_t packet;
  };
  struct Push {
    unsigned bytes = 0; ///< 0: none
    size_t packet = 0;
  };
  acis::rtl::Bench<Stream> bench;
  Stream &stream = bench.top;
  std::mt19937 random;
  std::deque<Push> way; ///< what was decided and is not made, by cycles
  std::deque<Command> commands;
  std::vector<Bytes> expected, sent; ///< packets; the last expected one is open
  Bytes current;
  unsigned packed = 0;  ///< bytes that wait for the rest of their beat
  unsigned more = 0;    ///< ends that follow at once
  bool closing = false; ///< no more commands
};

using StreamOutTest = StreamOutRun<StreamOut_tiny, 0>;
TEST_P(StreamOutTest, SendsWhatWasPushed) { run(); }
INSTANTIATE_TEST_SUITE_P(Seeds, StreamOutTest, testing::Range(0u, 5u));

using FollowingStreamOutTest = StreamOutRun<StreamOut_follow2, 2>;
TEST_P(FollowingStreamOutTest, SendsWhatWasPushed) { run(); }
INSTANTIATE_TEST_SUITE_P(Seeds, FollowingStreamOutTest, testing::Range(0u, 5u));

} // namespace
