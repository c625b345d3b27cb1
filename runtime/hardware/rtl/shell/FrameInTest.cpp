// The way in against software that looks at whole frames: which are the handler's, what it
// gets of them, which pass through unchanged, which are gone.
#include "FrameIn_16_42.h"
#include "FrameIn_64_42.h"
#include "FrameIn_64_50.h"
#include "runtime/hardware/rtl/shell/Frame.h"

#include <deque>
#include <gtest/gtest.h>

namespace acis::rtl {
namespace {

template <typename M, unsigned Beat, unsigned Header> struct Shape {
  using Model = M;
  static constexpr unsigned BeatBytes = Beat, HeaderBytes = Header;
};

constexpr uint16_t Port = 9000;
constexpr unsigned StoreBeats = 32; // as CMakeLists.txt says

struct Options {
  bool handle = true, forward = true;
  uint16_t port = Port;
  unsigned pauses = 0;
};

template <typename Shape> class FrameInTest : public testing::Test {
protected:
  static constexpr unsigned Beat = Shape::BeatBytes, Header = Shape::HeaderBytes;

  Bytes randomBytes(size_t count) {
    Bytes bytes(count);
    for (uint8_t &byte : bytes)
      byte = uint8_t(random());
    return bytes;
  }

  /// A packet of the handler, now and then with something wrong or with padding behind it.
  Bytes randomFrame() {
    FrameFields fields;
    fields.ipFrom = uint32_t(random());
    fields.checksum = random() % 4 != 0;
    const size_t most = StoreBeats * Beat - Header;
    const size_t size = random() % 3 == 0   ? random() % 24
                        : random() % 8 == 0 ? random() % most
                                            : random() % 200;
    Bytes frame = makeFrame(fields, randomBytes(Header - NetBytes), randomBytes(size));
    switch (random() % 20) {
    case 0:
      frame[12] = 0x86;
      break; // another protocol above Ethernet
    case 1:
      frame[14] = 0x46;
      break; // IPv4 with options
    case 2:
      frame[23] = 6;
      seal(frame);
      break; // TCP
    case 3:
      frame[20] = 0x20;
      seal(frame);
      break; // more fragments
    case 4:
      frame[21] = 1;
      seal(frame);
      break; // a later fragment
    case 5:
      frame[24] ^= 0x10;
      break; // checksum of IPv4
    case 6:
      frame[40] ^= 0x01;
      break; // of UDP
    case 7:
      frame[frame.size() - 1] ^= 0x80;
      break;
    case 8:
      frame[37] ^= 1;
      seal(frame);
      break; // to another port
    case 9:
      frame.resize(std::max<size_t>(frame.size() - 1 - random() % 20, 20));
      break; // cut off
    case 10:
      frame[39] ^= 2;
      break; // lengths that differ
    case 11:
      frame.resize(StoreBeats * Beat + 1 + random() % 100);
      break; // too long
    case 12:
      frame[16] ^= 0x40;
      break; // longer than the frame
    case 13:
      frame[20] = 0x80;
      seal(frame);
      break; // the reserved bit
    case 14:
      frame.resize(1 + random() % 13);
      break;
    case 15:
      for (size_t more = random() % 40; more && frame.size() < StoreBeats * Beat; --more)
        frame.push_back(uint8_t(random()));
      break;
    default:
      break;
    }
    while (frame.size() < MinFrame && random() % 2)
      frame.push_back(uint8_t(random()));
    return frame;
  }

  void run(const std::vector<Bytes> &frames, const Options &options) {
    Bench<typename Shape::Model> bench;
    auto &top = bench.top;
    top.handle_i = options.handle;
    top.forward_i = options.forward;
    top.port_i = options.port;
    std::deque<Bytes> packets, payloads, forwarded;
    unsigned handled = 0, passed = 0, dropped = 0;
    for (const Bytes &frame : frames) {
      const bool fits = frame.size() <= StoreBeats * Beat;
      const auto payload =
          options.handle && fits ? handlerPayload(frame, Header, options.port) : std::nullopt;
      if (payload) {
        packets.emplace_back(frame.begin(), frame.begin() + long(Header + payload->size()));
        payloads.push_back(*payload);
      } else if (options.forward && fits) {
        forwarded.push_back(frame);
      }
      (payload ? handled : options.forward && fits ? passed : dropped)++;
    }
    Pauses gap(random(), options.pauses), stall(random(), options.pauses),
        stallForward(random(), options.pauses);
    size_t next = 0, at = 0;
    Bytes packet, forward;
    for (unsigned idle = 0; idle < 200 && bench.now < 400000; ++idle) {
      const bool offers = next < frames.size() && !gap.now();
      // AXI: what is offered stays.
      top.in_valid_i = offers || (top.in_valid_i && !taken);
      if (top.in_valid_i) {
        const Bytes &frame = frames[next];
        const size_t count = std::min<size_t>(Beat, frame.size() - at);
        Bytes beat(frame.begin() + long(at), frame.begin() + long(at + count));
        while (beat.size() < Beat)
          beat.push_back(uint8_t(random()));
        setPort(top.in_data_i, beat.data(), Beat);
        setKeep(top.in_keep_i, count);
        top.in_last_i = at + Beat >= frame.size();
      }
      top.beat_ready_i = !stall.now();
      top.forward_ready_i = !stallForward.now();
      top.eval();
      if (top.beat_valid_o && top.beat_ready_i) {
        ASSERT_FALSE(packets.empty());
        const Bytes beat = portBytes(top.beat_data_o, Beat);
        packet.insert(packet.end(), beat.begin(), beat.end());
        ASSERT_TRUE(top.packet_valid_o);
        EXPECT_EQ(top.packet_bytes_o, payloads.front().size());
        EXPECT_EQ(portBytes(top.packet_header_o, Header),
                  Bytes(packets.front().begin(), packets.front().begin() + Header));
        if (top.beat_last_o) {
          EXPECT_EQ(packet.size(), (packets.front().size() + Beat - 1) / Beat * Beat);
          packet.resize(packets.front().size());
          EXPECT_EQ(packet, packets.front());
          packets.pop_front();
          payloads.pop_front();
          packet.clear();
        }
      }
      if (top.forward_valid_o && top.forward_ready_i) {
        ASSERT_FALSE(forwarded.empty());
        const Bytes beat = portBytes(top.forward_data_o, keptBytes(top.forward_keep_o, Beat));
        forward.insert(forward.end(), beat.begin(), beat.end());
        if (top.forward_last_o) {
          EXPECT_EQ(forward, forwarded.front());
          forwarded.pop_front();
          forward.clear();
        }
      }
      handled -= top.handled_o;
      passed -= top.forwarded_o;
      dropped -= top.dropped_o;
      taken = top.in_valid_i && top.in_ready_o;
      if (taken) {
        idle = 0;
        at += Beat;
        if (top.in_last_i) {
          at = 0;
          ++next;
        }
      }
      bench.tick();
    }
    EXPECT_EQ(next, frames.size());
    EXPECT_TRUE(packets.empty());
    EXPECT_TRUE(forwarded.empty());
    EXPECT_EQ(handled, 0u);
    EXPECT_EQ(passed, 0u);
    EXPECT_EQ(dropped, 0u);
    cycles = bench.now;
  }

  std::vector<Bytes> randomFrames(unsigned count) {
    std::vector<Bytes> frames(count);
    for (Bytes &frame : frames)
      frame = randomFrame();
    return frames;
  }

  std::mt19937_64 random{1};
  bool taken = true;
  uint64_t cycles = 0;
};

using Shapes = testing::Types<Shape<FrameIn_16_42, 16, 42>, Shape<FrameIn_64_42, 64, 42>,
                              Shape<FrameIn_64_50, 64, 50>>;
TYPED_TEST_SUITE(FrameInTest, Shapes);

TYPED_TEST(FrameInTest, TellsPacketsFromFrames) {
  for (unsigned pauses : {0u, 30u, 70u})
    this->run(this->randomFrames(4000), {.pauses = pauses});
}

TYPED_TEST(FrameInTest, AnyPort) { this->run(this->randomFrames(2000), {.port = 0, .pauses = 20}); }

TYPED_TEST(FrameInTest, DropsWhatDoesNotPassThrough) {
  this->run(this->randomFrames(2000), {.forward = false, .pauses = 20});
}

TYPED_TEST(FrameInTest, PassThrough) {
  this->run(this->randomFrames(2000), {.handle = false, .pauses = 20});
}

TYPED_TEST(FrameInTest, TakesABeatPerCycle) {
  const Bytes payload = this->randomBytes(8 * this->Beat - this->Header);
  const Bytes frame = makeFrame({}, this->randomBytes(this->Header - NetBytes), payload);
  this->run(std::vector<Bytes>(100, frame), {});
  EXPECT_LE(this->cycles, 800u + 210u);
}

} // namespace
} // namespace acis::rtl
