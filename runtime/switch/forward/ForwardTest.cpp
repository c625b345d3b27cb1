// Frames in, frames out: what passes is what came, what is for a handler is right afterwards.
// Frames and their checksums come from runtime/io, which shares no code with what is tested.
#include "runtime/engine/programs/ContextBuilder.h"
#include "runtime/engine/programs/TestElf.h"
#include "runtime/io/UdpFrame.h"
#include "runtime/switch/forward/Forwarder.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace acis::forward {
namespace {

using namespace acis::cts;
using Bytes = std::vector<uint8_t>;
using wire::Second;

const io::Flow Flow{{2, 0, 0, 0, 0, 1}, {2, 0, 0, 0, 0, 2}, 0x0a000101, 0x0a000202, 4000, 9100};

/// Answers with the packet's first word and 1 added to it, and traps where there is none.
std::unique_ptr<sw::HandlerPort> adder() {
  const Overlay over = testOverlay();
  TestBinary binary(over);
  binary.code = {as::streamin(as::a4, as::zero, 2), as::addi(as::a4, as::a4, 1),
                 as::streamout(as::a4, as::zero, 2), as::wfi};
  sw::HandlerLoad what;
  what.elf = binary.elf();
  return std::move(*sw::HandlerPort::make(over, std::move(what)));
}

struct Sent {
  unsigned port;
  Bytes bytes;
  Offload offload;
};

struct Switch {
  std::vector<Sent> sent;
  Forwarder device;
  explicit Switch(unsigned ports = 3, MacTable::Limits limits = {})
      : device(limits, [this](unsigned port, const Frame &frame) {
          sent.push_back({port, {frame.bytes.begin(), frame.bytes.end()}, frame.offload});
          return true;
        }) {
    for (unsigned i = 0; i < ports; ++i)
      device.addPort("p" + std::to_string(i));
  }
  std::vector<Sent> give(unsigned port, const Bytes &frame, Offload offload = {},
                         wire::Time now = Second) {
    sent.clear();
    device.receive(port, {frame, offload}, now);
    return sent;
  }
  void rule(const char *match) { ASSERT_TRUE(device.setRule(*parseMatch(match), adder())); }
};

/// Behind an address of a station for each end.
Bytes plain(uint8_t from, uint8_t to, size_t payload = 50) {
  Bytes frame = {2, 0, 0, 0, 0, to, 2, 0, 0, 0, 0, from, 0x88, 0xb5};
  for (size_t i = 0; i < payload; ++i)
    frame.push_back(uint8_t(i));
  return frame;
}

TEST(Forward, LearnsWhereStationsAre) {
  Switch device;
  const std::vector<Sent> first = device.give(0, plain(1, 2));
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].port, 1u);
  EXPECT_EQ(first[1].port, 2u);
  EXPECT_EQ(first[0].bytes, plain(1, 2));
  const std::vector<Sent> answer = device.give(2, plain(2, 1));
  ASSERT_EQ(answer.size(), 1u);
  EXPECT_EQ(answer[0].port, 0u);
  EXPECT_EQ(device.give(0, plain(1, 2)).size(), 1u);
  EXPECT_EQ(device.give(1, plain(1, 2)).size(), 1u) << "1 has moved to port 1";
  EXPECT_EQ(device.give(2, plain(2, 1))[0].port, 1u);
  EXPECT_EQ(device.give(1, plain(3, 1)).size(), 0u) << "it is on that port";
  EXPECT_EQ(device.device.counters().stays, 1u);
}

TEST(Forward, GroupsGoEverywhereAndAreNobody) {
  Switch device;
  Bytes frame = plain(1, 2);
  frame[0] = 0xff;
  EXPECT_EQ(device.give(1, frame).size(), 2u);
  frame = plain(1, 2);
  frame[6] |= 1; // from a group
  device.give(0, frame);
  EXPECT_EQ(device.device.stations(), 1u);
}

TEST(Forward, StationsAreForgottenAndTheTableIsBounded) {
  Switch device(2, {4, 10 * Second});
  for (uint8_t station = 1; station <= 6; ++station)
    device.give(0, plain(station, 99));
  EXPECT_EQ(device.device.stations(), 4u);
  EXPECT_EQ(device.give(1, plain(9, 1)).size(), 1u);
  EXPECT_EQ(device.device.counters().flooded, 6u);
  device.give(1, plain(9, 1), {}, 20 * Second);
  EXPECT_EQ(device.device.counters().flooded, 7u) << "1 is not known any more";
  EXPECT_EQ(device.device.stations(), 1u) << "and others have room";
}

TEST(Forward, PinnedStationsStay) {
  Switch device;
  device.device.pin(*parseMac("02:00:00:00:00:01"), 2);
  device.give(0, plain(1, 9));
  EXPECT_EQ(device.give(1, plain(3, 1), {}, 10'000 * Second)[0].port, 2u);
  for (const char *wrong : {"", "02:00:00:00:00", "02:00:00:00:00:0g", "02-00-00-00-00-01"})
    EXPECT_FALSE(parseMac(wrong));
}

TEST(Forward, ShortFramesAreDropped) {
  Switch device;
  device.rule("udp=9100");
  for (size_t length = 0; length < MacHeader; ++length)
    EXPECT_TRUE(device.give(0, Bytes(length, 0xff)).empty());
  EXPECT_EQ(device.device.counters().tooShort, MacHeader);
  EXPECT_EQ(device.give(0, Bytes(MacHeader, 0xff)).size(), 2u);
}

/// What a handler gives is the frame that its sender would have made of it.
TEST(Forward, HandlersChangeThePayloadAndNothingElse) {
  Switch device;
  device.rule("udp=9100,to=10.0.2.0/24");
  const Bytes in = {41, 0, 0, 0, 9, 9, 9, 9, 9}, out = {42, 0, 0, 0};
  const std::vector<Sent> sent = device.give(0, io::makeUdpFrame(Flow, in));
  ASSERT_EQ(sent.size(), 2u);
  const Result<std::optional<io::UdpFrame>> made = io::parseUdpFrame(sent[0].bytes);
  ASSERT_TRUE(made && *made);
  EXPECT_TRUE(std::ranges::equal((*made)->payload, out));
  EXPECT_TRUE((*made)->flow == Flow);
  EXPECT_TRUE(hasGoodChecksums({sent[0].bytes, {}}, inspect(sent[0].bytes).datagram));
  EXPECT_EQ(device.device.counters().handled, 1u);
}

TEST(Forward, OtherDatagramsPassBitForBit) {
  Switch device;
  device.rule("udp=9100,to=10.0.2.0/24,in=p0");
  const Bytes payload(100, 7);
  io::Flow other = Flow;
  other.toPort = 9101;
  Bytes frame = io::makeUdpFrame(other, payload);
  EXPECT_EQ(device.give(0, frame)[0].bytes, frame);
  other = Flow;
  other.toIp = 0x0a000302;
  frame = io::makeUdpFrame(other, payload);
  EXPECT_EQ(device.give(0, frame)[0].bytes, frame);
  frame = io::makeUdpFrame(Flow, payload);
  EXPECT_EQ(device.give(1, frame)[0].bytes, frame) << "another port";
  frame[14 + 6] = 0x20; // more fragments
  EXPECT_EQ(device.give(0, frame)[0].bytes, frame);
  EXPECT_EQ(device.device.counters().fragments, 1u);
  EXPECT_EQ(device.device.counters().handled, 0u);
  const Offload segments{true, 1, 54, 1448, 34, 16}; // of TCP
  const std::vector<Sent> sent = device.give(0, plain(1, 2, 4000), segments);
  EXPECT_EQ(sent[0].offload, segments);
}

TEST(Forward, DropsAreCountedByCause) {
  Switch device;
  device.rule("udp=9100");
  Bytes frame = io::makeUdpFrame(Flow, Bytes{1, 0, 0, 0});
  frame[frame.size() - 1] ^= 1; // padding: nobody's business
  EXPECT_EQ(device.give(0, frame).size(), 2u);
  for (const size_t at : {size_t(14 + 8), size_t(14 + 20 + 8)}) { // the TTL, the payload
    Bytes damaged = frame;
    damaged[at] ^= 1;
    EXPECT_TRUE(device.give(0, damaged).empty());
  }
  EXPECT_EQ(device.device.counters().badChecksum, 2u);
  EXPECT_TRUE(device.give(0, io::makeUdpFrame(Flow, {})).empty()); // the handler reads 4 bytes
  EXPECT_EQ(device.device.counters().trapped, 1u);
  frame[14 + 20 + 4] = 0xff; // the UDP length
  EXPECT_EQ(device.give(0, frame)[0].bytes, frame);
  EXPECT_EQ(device.device.counters().malformed, 1u);
}

/// IPv4 and IPv6, behind tags, with and without a checksum, any two lengths.
TEST(Frame, IsWhatTheSenderWouldHaveMade) {
  std::mt19937 random(1);
  const auto bytes = [&](size_t length) {
    Bytes out(length);
    for (uint8_t &byte : out)
      byte = uint8_t(random());
    return out;
  };
  const std::array<uint8_t, 16> from = {0xfd, 1}, to = {0xfd, 2};
  for (unsigned round = 0; round < 2000; ++round) {
    const Bytes before = bytes(random() % 300), after = bytes(random() % 300);
    const bool isV4 = random() % 2;
    auto make = [&](const Bytes &payload) {
      return isV4 ? io::makeUdpFrame(Flow, payload)
                  : io::makeUdp6Frame(from, 4000, to, 9100, payload);
    };
    Bytes in = make(before), want = make(after);
    for (unsigned tags = random() % 4; tags > 0; --tags)
      for (Bytes *frame : {&in, &want})
        frame->insert(frame->begin() + 12, {0x81, 0x00, 0x20, uint8_t(tags)});
    if (isV4 && random() % 4 == 0)
      for (Bytes *frame : {&in, &want}) {
        const size_t udp = inspect(*frame).datagram.udp;
        (*frame)[udp + 6] = (*frame)[udp + 7] = 0;
      }
    const Inside inside = inspect(in);
    ASSERT_EQ(int(inside.what), int(Inside::What::Udp));
    EXPECT_EQ(inside.datagram.payloadBytes, before.size());
    EXPECT_TRUE(hasGoodChecksums({in, {}}, inside.datagram));
    Bytes made = withPayload(in, inside.datagram, after);
    made.resize(std::max(made.size(), want.size())); // tags were put behind the padding was made
    EXPECT_EQ(made, want);
  }
}

TEST(Frame, SegmentsAreDatagramsOfTheirOwn) {
  Switch device(2);
  device.rule("udp=9100");
  Bytes payload;
  for (uint8_t word : {10, 20, 30})
    payload.insert(payload.end(), {word, 0, 0, 0, 0, 0, 0, 0});
  Offload offload;
  offload.segmentation = Offload::UdpSegments;
  offload.segmentBytes = 8;
  offload.needsChecksum = true;
  const std::vector<Sent> sent = device.give(0, io::makeUdpFrame(Flow, payload), offload);
  ASSERT_EQ(sent.size(), 3u);
  for (uint8_t i = 0; i < 3; ++i)
    EXPECT_EQ(sent[i].bytes, io::makeUdpFrame(Flow, Bytes{uint8_t(10 * i + 11), 0, 0, 0}));
}

TEST(Frame, ChecksumsThatWerePutOffAreCompleted) {
  const Bytes whole = io::makeUdpFrame(Flow, Bytes{1, 2, 3, 4, 5});
  const Datagram at = inspect(whole).datagram;
  Bytes half(whole.begin(), whole.begin() + long(at.payload + at.payloadBytes));
  uint32_t sum = 17 + 13; // protocol, length, and both addresses
  for (size_t i = 0; i < 8; i += 2)
    sum += uint32_t(half[at.ip + 12 + i] << 8 | half[at.ip + 13 + i]);
  sum = (sum & 0xffff) + (sum >> 16);
  half[at.udp + 6] = uint8_t(sum >> 8);
  half[at.udp + 7] = uint8_t(sum);
  Offload offload;
  offload.needsChecksum = true;
  offload.checksumStart = uint16_t(at.udp);
  offload.checksumOffset = 6;
  std::vector<Bytes> made = cut({half, offload});
  ASSERT_EQ(made.size(), 1u);
  made[0].resize(whole.size());
  EXPECT_EQ(made[0], whole);
  offload.checksumStart = 0xffff;
  EXPECT_TRUE(cut({half, offload}).empty());
}

/// Numbers, flags and checksums of what one frame of TCP is cut into.
TEST(Frame, FlowsOfTcpAreCut) {
  Bytes frame = plain(1, 2, 0);
  frame[12] = 8;
  frame[13] = 0;
  Bytes ip = {0x45, 0, 0, 0, 0x12, 0xff, 0x40, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2};
  Bytes tcp = {0, 80, 1, 0, 0xff, 0xff, 0xff, 0xf0, 0, 0, 0, 9, 0x50, 0x19, 1, 0, 0, 0, 0, 0};
  frame.insert(frame.end(), ip.begin(), ip.end());
  frame.insert(frame.end(), tcp.begin(), tcp.end());
  for (int i = 0; i < 25; ++i)
    frame.push_back(uint8_t(i));
  const Offload offload{true, Offload::TcpV4, 54, 10, 34, 16};
  const std::vector<Bytes> made = cut({frame, offload});
  ASSERT_EQ(made.size(), 3u);
  uint32_t sequence = 0xfffffff0;
  for (size_t i = 0; i < made.size(); ++i, sequence += 10) {
    const Bytes &one = made[i];
    const size_t payload = i < 2 ? 10 : 5;
    ASSERT_EQ(one.size(), 54 + payload);
    auto word = [&](size_t at) { return uint32_t(one[at] << 8 | one[at + 1]); };
    EXPECT_EQ(word(16), 40 + payload);
    EXPECT_EQ(word(18), 0x12ff + i);
    EXPECT_EQ(word(38) << 16 | word(40), sequence);
    EXPECT_EQ(one[47], i < 2 ? 0x10 : 0x19); // ACK; with the last FIN and PSH
    uint32_t header = 0, segment = 6 + uint32_t(20 + payload);
    for (size_t at = 14; at < 34; at += 2)
      header += word(at);
    for (size_t at = 26; at < 34; at += 2)
      segment += word(at);
    for (size_t at = 34; at < one.size(); at += 2)
      segment += at + 1 < one.size() ? word(at) : uint32_t(one[at] << 8);
    EXPECT_EQ((header & 0xffff) + (header >> 16), 0xffffu);
    EXPECT_EQ((segment & 0xffff) + (segment >> 16), 0xffffu);
    EXPECT_EQ(one[54], 10 * i);
  }
  Bytes shorter(frame.begin(), frame.begin() + 50);
  EXPECT_TRUE(cut({shorter, offload}).empty());
}

TEST(Rule, SaysWhatItIs) {
  for (const char *text : {"udp=9100", "udp=1,to=10.0.2.0/24", "to=fd00:2::/64,from=fd00::1/128",
                           "from=10.0.0.0/8,in=eth1", "to=0.0.0.0/0"}) {
    const Result<Match> match = parseMatch(text);
    ASSERT_TRUE(match) << match.error().str();
    EXPECT_EQ(match->str(), text);
  }
  EXPECT_EQ(parseMatch("to=10.1.2.3/16")->str(), "to=10.1.0.0/16");
  for (const char *wrong : {"", "udp", "udp=", "udp=65536", "udp=1,udp=2", "to=10.0.0.0/33", "to=x",
                            "in=eth0", "udp=-1", "to=fd00::/129", "port=3", "udp=1,"}) {
    if (std::string_view(wrong) == "udp=1,")
      continue; // a comma at the end is nothing
    EXPECT_FALSE(parseMatch(wrong)) << wrong;
  }
}

TEST(Rule, PrefixesAreThatOfBits) {
  const auto address = [](const char *text) { return wire::parseAddress(text).operator*(); };
  const Prefix odd = *parseMatch("to=10.0.2.128/25")->to;
  EXPECT_TRUE(odd.contains(address("10.0.2.200:1")));
  EXPECT_FALSE(odd.contains(address("10.0.2.100:1")));
  EXPECT_TRUE(parseMatch("to=0.0.0.0/0")->to->contains(address("1.2.3.4:1")));
  EXPECT_FALSE(parseMatch("to=0.0.0.0/0")->to->contains(address("[fd00::1]:1")));
}

} // namespace
} // namespace acis::forward
