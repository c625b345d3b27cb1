// Frames and captures, good and bad.
#include "runtime/io/Pcap.h"

#include <gtest/gtest.h>

#include <random>

using namespace acis;
using namespace acis::io;

namespace {

const Flow flow{{2, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2}, 0xc0a80001, 0xc0a80002, 1234, 5678};

std::vector<uint8_t> payload(size_t size) {
  std::vector<uint8_t> bytes(size);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<uint8_t>(i * 7 + 1);
  return bytes;
}

uint16_t sumOf(std::span<const uint8_t> bytes, uint32_t sum) {
  for (size_t i = 0; i < bytes.size(); ++i)
    sum += i % 2 ? bytes[i] : bytes[i] << 8;
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(sum);
}

std::string errorOf(std::vector<uint8_t> frame) {
  Result<std::optional<UdpFrame>> result = parseUdpFrame(frame);
  return !result ? result.error().what : *result ? "no error" : "not udp";
}

TEST(UdpFrame, RoundTrip) {
  for (size_t size : {0u, 1u, 17u, 18u, 19u, 1500u, 65507u}) {
    std::vector<uint8_t> data = payload(size), frame = makeUdpFrame(flow, data);
    EXPECT_GE(frame.size(), 60u);
    Result<std::optional<UdpFrame>> parsed = parseUdpFrame(frame);
    ASSERT_TRUE(parsed && *parsed);
    EXPECT_EQ((*parsed)->flow, flow);
    EXPECT_TRUE(std::ranges::equal((*parsed)->payload, data)) << size;
  }
}

// A receiver sums everything with its checksum and gets all ones.
TEST(UdpFrame, ChecksumsAreRight) {
  for (size_t size : {0u, 5u, 1472u}) {
    std::vector<uint8_t> frame = makeUdpFrame(flow, payload(size));
    std::span<const uint8_t> ip = std::span(frame).subspan(14, 28 + size);
    EXPECT_EQ(sumOf(ip.first(20), 0), 0xffff);
    uint32_t pseudo = sumOf(ip.subspan(12, 8), 17 + 8 + static_cast<uint32_t>(size));
    EXPECT_EQ(sumOf(ip.subspan(20), pseudo), 0xffff);
  }
}

// The header of RFC 1071's usual example: its checksum is known from elsewhere.
TEST(UdpFrame, KnownIpChecksum) {
  Flow known{{}, {}, 0xc0a80001, 0xc0a800c7, 1, 2};
  std::vector<uint8_t> frame = makeUdpFrame(known, payload(87)); // total length 0x73
  EXPECT_EQ(frame[24] << 8 | frame[25], 0xb861);                 // 4500 0073 0000 4000 4011
}

TEST(UdpFrame, OtherProtocolsAreNotUdp) {
  std::vector<uint8_t> frame = makeUdpFrame(flow, payload(40));
  frame[23] = 6;
  EXPECT_EQ(errorOf(frame), "not udp");
  frame[12] = 0x86;
  frame[13] = 0xdd;
  EXPECT_EQ(errorOf(frame), "not udp");
}

TEST(UdpFrame, VlanTagAndIpOptionsAreSkipped) {
  std::vector<uint8_t> frame = makeUdpFrame(flow, payload(40));
  std::vector<uint8_t> tagged = frame;
  tagged.insert(tagged.begin() + 12, {0x81, 0, 0, 5});
  EXPECT_EQ(errorOf(tagged), "no error");
  std::vector<uint8_t> options = frame;
  options.insert(options.begin() + 34, 4, uint8_t(1));
  options[14] = 0x46;
  options[17] += 4;
  Result<std::optional<UdpFrame>> parsed = parseUdpFrame(options);
  ASSERT_TRUE(parsed && *parsed);
  EXPECT_TRUE(std::ranges::equal((*parsed)->payload, payload(40)));
}

TEST(UdpFrame, LengthsThatDoNotFitAreErrors) {
  std::vector<uint8_t> frame = makeUdpFrame(flow, payload(40));
  auto with = [&](size_t at, uint8_t value) {
    std::vector<uint8_t> changed = frame;
    changed[at] = value;
    return errorOf(changed);
  };
  EXPECT_EQ(with(14, 0x44), "found an IPv4 header with first byte 68, allowed are 69 to 79");
  EXPECT_EQ(with(17, 69), "found an IPv4 length of 69, allowed are 20 to 68");
  EXPECT_EQ(with(17, 19), "found an IPv4 length of 19, allowed are 20 to 68");
  EXPECT_EQ(with(17, 27), "found a UDP header of 7 bytes, needed are 8");
  EXPECT_EQ(with(39, 49), "found a UDP length of 49, allowed are 8 to 48");
  EXPECT_EQ(with(39, 7), "found a UDP length of 7, allowed are 8 to 48");
  EXPECT_EQ(with(20, 0x20), "found a fragment of an IPv4 packet, allowed are whole packets");
  for (size_t size = 0; size < frame.size(); ++size)
    EXPECT_NE(errorOf({frame.begin(), frame.begin() + static_cast<ptrdiff_t>(size)}), "no error");
}

TEST(UdpFrame, AnyBytesAreAccepted) {
  std::mt19937 random(5);
  std::vector<uint8_t> good = makeUdpFrame(flow, payload(30));
  for (unsigned round = 0; round < 20000; ++round) {
    std::vector<uint8_t> bytes(good.begin(),
                               good.end() - static_cast<ptrdiff_t>(random() % good.size()));
    for (unsigned change = random() % 4; change; --change)
      bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
    (void)parseUdpFrame(bytes);
  }
}

TEST(Pcap, RoundTrip) {
  std::vector<std::vector<uint8_t>> frames = {makeUdpFrame(flow, payload(100)),
                                              makeUdpFrame(flow.reversed(), payload(1400)),
                                              std::vector<uint8_t>(60, 0)};
  Result<std::vector<uint8_t>> file = makePcap(frames);
  ASSERT_TRUE(file) << file.error().str();
  Result<Capture> capture = parsePcap(*file);
  ASSERT_TRUE(capture) << capture.error().str();
  ASSERT_EQ(capture->payloads.size(), 2u);
  EXPECT_EQ(capture->payloads[0], payload(100));
  EXPECT_EQ(capture->payloads[1], payload(1400));
  EXPECT_EQ(capture->flows[1], flow.reversed());
  EXPECT_EQ(capture->others, 1u);
}

TEST(Pcap, BadCapturesAreErrors) {
  EXPECT_EQ(parsePcap({}).error().what, "found an empty file, which is no capture");
  EXPECT_FALSE(parsePcap(std::vector<uint8_t>(100, 1)));
  std::vector<std::vector<uint8_t>> frames = {makeUdpFrame(flow, payload(100))};
  std::vector<uint8_t> good = *makePcap(frames);
  ASSERT_TRUE(parsePcap(good));
  std::vector<uint8_t> cut = good;
  cut.resize(cut.size() - 1); // ends within the packet
  EXPECT_TRUE(parsePcap(cut).error().what.starts_with("packet 1: ")) << parsePcap(cut).error().what;
  std::vector<uint8_t> shortened = good;
  shortened[36] = 200; // length on the wire above what was captured
  EXPECT_EQ(parsePcap(shortened).error().what,
            "packet 1: captured are 142 of 200 bytes; capture whole packets (tcpdump -s 0)");
  std::vector<uint8_t> linkType = good;
  linkType[20] = 113;
  EXPECT_EQ(parsePcap(linkType).error().what,
            "found link type LINUX_SLL, allowed is EN10MB (Ethernet)");
}

} // namespace
