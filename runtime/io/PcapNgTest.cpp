// What is written can be read; files of others, and damaged ones.
#include "runtime/io/PcapNg.h"

#include <gtest/gtest.h>

#include <random>

using namespace acis;
using namespace acis::capture;

namespace {

std::vector<uint8_t> frame(size_t size) {
  std::vector<uint8_t> bytes(size);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = uint8_t(i * 7);
  return bytes;
}

std::vector<uint8_t> sample() {
  Writer writer("test");
  writer.addInterface("acis 127.0.0.1:9000");
  writer.addInterface("handler 127.0.0.1:9100");
  writer.addPacket({1'700'000'000'123'456'789, 0, Direction::Inbound, "cycles=35"}, frame(61));
  writer.addPacket({1, 1, Direction::Outbound, ""}, frame(0));
  writer.addPacket({2, 1, Direction::Unknown, ""}, frame(64));
  return writer.bytes();
}

/// A block of any content, in either byte order.
class Blocks {
public:
  explicit Blocks(bool big) : big(big) {}
  Blocks &put(unsigned size, uint64_t value) {
    for (unsigned i = 0; i < size; ++i)
      body.push_back(uint8_t(value >> 8 * (big ? size - 1 - i : i)));
    return *this;
  }
  Blocks &end(uint32_t type) {
    std::vector<uint8_t> content;
    content.swap(body);
    const auto length = uint32_t(content.size() + 12);
    put(4, type).put(4, length);
    body.insert(body.end(), content.begin(), content.end());
    put(4, length);
    file.insert(file.end(), body.begin(), body.end());
    body.clear();
    return *this;
  }
  Blocks &section() { return put(4, 0x1a2b3c4d).put(2, 1).put(2, 0).put(8, ~0ull).end(0x0a0d0d0a); }
  std::vector<uint8_t> file;

private:
  bool big;
  std::vector<uint8_t> body;
};

std::string problem(std::span<const uint8_t> file) {
  Result<std::vector<Packet>> read = readPcapNg(file);
  return read ? "" : read.error().what;
}

} // namespace

TEST(PcapNg, WhatIsWrittenIsRead) {
  const std::vector<uint8_t> file = sample();
  Result<std::vector<Packet>> read = readPcapNg(file);
  ASSERT_TRUE(read) << read.error().str();
  ASSERT_EQ(read->size(), 3u);
  const Packet &first = (*read)[0];
  EXPECT_EQ(first.info.nanoseconds, 1'700'000'000'123'456'789u);
  EXPECT_EQ(first.info.direction, Direction::Inbound);
  EXPECT_EQ(first.info.comment, "cycles=35");
  EXPECT_EQ(first.linkType, LinkEthernet);
  EXPECT_EQ(first.originalBytes, 61u);
  EXPECT_EQ(std::vector<uint8_t>(first.frame.begin(), first.frame.end()), frame(61));
  EXPECT_EQ((*read)[1].info.direction, Direction::Outbound);
  EXPECT_EQ((*read)[1].info.interface, 1u);
  EXPECT_TRUE((*read)[1].frame.empty());
  EXPECT_EQ((*read)[2].info.direction, Direction::Unknown);
}

TEST(PcapNg, BothByteOrdersSectionsAndTimes) {
  for (bool big : {false, true}) {
    Blocks blocks(big);
    blocks.section();
    blocks.put(2, 101).put(2, 0).put(4, 96).end(1); // microseconds
    blocks.put(2, 1).put(2, 0).put(4, 0).put(2, 9).put(2, 1).put(1, 0x8a).put(3, 0).end(1); // 2^-10
    blocks.put(4, 7).end(0x0bad); // of a type that nobody knows
    blocks.put(4, 0).put(4, 1).put(4, 5).put(4, 2).put(4, 9).put(2, 0xabcd).put(2, 0).end(6);
    blocks.put(4, 1).put(4, 0).put(4, 1536).put(4, 0).put(4, 0).end(6);
    blocks.put(4, 3).put(4, 0x01020304).end(3); // simple
    blocks.section();
    blocks.put(2, 1).put(2, 0).put(4, 0).end(1);
    Result<std::vector<Packet>> read = readPcapNg(blocks.file);
    ASSERT_TRUE(read) << read.error().str();
    ASSERT_EQ(read->size(), 3u);
    EXPECT_EQ((*read)[0].info.nanoseconds, ((uint64_t(1) << 32) + 5) * 1000);
    EXPECT_EQ((*read)[0].linkType, 101u);
    EXPECT_EQ((*read)[0].originalBytes, 9u);
    EXPECT_EQ((*read)[0].frame.size(), 2u);
    EXPECT_EQ((*read)[1].info.nanoseconds, 1'500'000'000u);
    EXPECT_EQ((*read)[2].frame.size(), 3u);
  }
}

TEST(PcapNg, DamagedFilesAreRefusedAndNamed) {
  EXPECT_EQ(problem({}), "found no section header block, with which every pcapng file starts");
  EXPECT_EQ(problem(frame(100)),
            "found no section header block, with which every pcapng file starts");
  const std::vector<uint8_t> good = sample();
  EXPECT_EQ(problem(good), "");
  std::vector<uint8_t> bad = good;
  bad[8] = 0;
  EXPECT_NE(problem(bad).find("block at byte 0: found a byte-order magic of"), std::string::npos);
  bad = good;
  bad[12] = 2;
  EXPECT_EQ(problem(bad), "block at byte 0: found major version 2, allowed is 1");
  bad = good;
  bad[4] = 0xff;
  EXPECT_NE(problem(bad).find("block at byte 0: found a length of"), std::string::npos);
  bad = good;
  bad.resize(bad.size() - 4);
  EXPECT_NE(problem(bad).find("found a length of"), std::string::npos);

  Blocks none(false);
  none.section().put(4, 0).put(8, 0).put(4, 0).put(4, 0).end(6);
  EXPECT_EQ(problem(none.file), "block at byte 28: found interface 0, allowed is less than 0, the "
                                "section's");
  Blocks longer(false);
  longer.section().put(2, 1).put(2, 0).put(4, 0).end(1);
  longer.put(4, 0).put(8, 0).put(4, 100).put(4, 100).end(6);
  EXPECT_EQ(problem(longer.file), "block at byte 48: found a packet of 100, allowed is at most 0");
  Blocks option(false);
  option.section().put(2, 1).put(2, 0).put(4, 0).put(2, 9).put(2, 40).end(1);
  EXPECT_EQ(problem(option.file), "block at byte 28: found an option of 40, allowed is at most 0");
}

// A file that was cut at any byte, or has any byte changed, is read or refused.
TEST(PcapNg, NothingMakesTheReaderFall) {
  const std::vector<uint8_t> good = sample();
  for (size_t size = 0; size < good.size(); ++size)
    (void)readPcapNg(std::span(good).first(size));
  std::mt19937 random(1);
  for (int turn = 0; turn < 20'000; ++turn) {
    std::vector<uint8_t> bad = good;
    for (unsigned n = 1 + random() % 4; n > 0; --n)
      bad[random() % bad.size()] = uint8_t(random());
    if (Result<std::vector<Packet>> read = readPcapNg(bad))
      for (const Packet &packet : *read)
        ASSERT_LE(packet.frame.size(), bad.size());
  }
}
