// What is cut for a path is put together again, whatever is lost, doubled or mixed.
#include "runtime/switch/wire/Parts.h"

#include <gtest/gtest.h>

#include <random>

using namespace acis::wire;

namespace {

using Bytes = std::vector<uint8_t>;

struct Packet {
  Header header;
  Bytes payload;
};

Bytes content(size_t size, unsigned seed) {
  std::mt19937 random(seed);
  Bytes out(size);
  for (uint8_t &byte : out)
    byte = uint8_t(random());
  return out;
}

Header headerOf(uint64_t slot, PacketType type = PacketType::Access) {
  Header header;
  header.type = type;
  header.slot = slot;
  header.window = 3;
  return header;
}

std::vector<Packet> packets(const Header &header, const Bytes &bytes, uint32_t packetBytes) {
  std::vector<Packet> out;
  cut(header, bytes, packetBytes, [&](const Header &part, std::span<const uint8_t> payload) {
    out.push_back({part, {payload.begin(), payload.end()}});
    out.back().header.length = uint32_t(payload.size());
  });
  return out;
}

std::optional<Bytes> take(Assembler &parts, Packet packet, uint32_t packetBytes) {
  return parts.take(packet.header, packet.payload, packetBytes);
}

TEST(Parts, WhatFitsIsNotCut) {
  for (const size_t size : {0, 1, 1392}) {
    const auto all = packets(headerOf(1), content(size, 1), 1392);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].header.parts, 1);
    EXPECT_EQ(all[0].header.count, 0u);
  }
  // Messages of collectives are cut by those who make them.
  EXPECT_EQ(packets(headerOf(1, PacketType::Contribute), content(5000, 1), 1392).size(), 1u);
  // More parts than a header can count: as long as it is.
  EXPECT_EQ(packets(headerOf(1), content(65 * 10, 1), 10).size(), 1u);
}

TEST(Parts, ComeTogetherInAnyOrder) {
  std::mt19937 random(1);
  for (const auto &[size, packetBytes] : {std::pair<size_t, uint32_t>(1393, 1392),
                                          {2784, 1392},
                                          {2785, 1392},
                                          {16'384, 1392},
                                          {64 * 1000, 1000}}) {
    const Bytes whole = content(size, 2);
    auto all = packets(headerOf(5), whole, packetBytes);
    ASSERT_EQ(all.size(), (size + packetBytes - 1) / packetBytes);
    std::shuffle(all.begin(), all.end(), random);
    Assembler parts;
    for (size_t i = 0; i < all.size(); ++i) {
      Header header = all[i].header;
      const auto got = parts.take(header, all[i].payload, packetBytes);
      ASSERT_EQ(got.has_value(), i + 1 == all.size());
      if (!got)
        continue;
      EXPECT_EQ(*got, whole);
      EXPECT_EQ(header.parts, 1);
      EXPECT_EQ(header.part, 0);
      EXPECT_EQ(header.length, size);
      EXPECT_EQ(header.count | header.fragment | header.handle, 0u);
      EXPECT_EQ(header.slot, 5u);
      EXPECT_EQ(header.window, 3u);
    }
    EXPECT_TRUE(parts.isEmpty());
  }
}

// Said twice, each time with other parts lost: enough.
TEST(Parts, OfRepetitionsAddUp) {
  const Bytes whole = content(6000, 3);
  const auto all = packets(headerOf(5), whole, 1000);
  Assembler parts;
  std::optional<Bytes> got;
  for (const size_t part : {0, 2, 4})
    got = take(parts, all[part], 1000);
  EXPECT_FALSE(got);
  for (const size_t part : {1, 2, 3, 5})
    got = take(parts, all[part], 1000);
  ASSERT_TRUE(got);
  EXPECT_EQ(*got, whole);
}

TEST(Parts, OfDifferentContentsAreNotMixed) {
  const Bytes one = content(3000, 4), two = content(3000, 5);
  const auto first = packets(headerOf(5), one, 1000), second = packets(headerOf(5), two, 1000);
  Assembler parts;
  EXPECT_FALSE(take(parts, first[0], 1000));
  EXPECT_FALSE(take(parts, second[1], 1000));
  EXPECT_FALSE(take(parts, second[2], 1000));
  EXPECT_FALSE(take(parts, first[1], 1000));
  const auto got = take(parts, second[0], 1000);
  ASSERT_TRUE(got);
  EXPECT_EQ(*got, two);
}

TEST(Parts, ThatCannotBeAreNotTaken) {
  const auto all = packets(headerOf(5), content(3000, 4), 1000);
  Assembler parts;
  const auto refused = [&](auto change, uint32_t packetBytes = 1000) {
    Packet packet = all[1];
    change(packet);
    return !take(parts, packet, packetBytes) && parts.isEmpty();
  };
  EXPECT_TRUE(refused([](Packet &p) { p.header.part = 3; }));
  EXPECT_TRUE(refused([](Packet &p) { p.header.parts = 4; }));
  EXPECT_TRUE(refused([](Packet &p) { p.header.count = 4001; }));
  EXPECT_TRUE(refused([](Packet &p) { p.header.count = UINT32_MAX; }));
  EXPECT_TRUE(refused([](Packet &p) { p.payload.pop_back(); }));
  EXPECT_TRUE(refused([](Packet &p) { p.payload.push_back(0); }));
  EXPECT_TRUE(refused([](Packet &p) {}, 1392)); // the session's packets are longer
  EXPECT_TRUE(refused([](Packet &p) {}, 0));
}

TEST(Parts, WithAWrongChecksumOfTheWholeAreDropped) {
  auto all = packets(headerOf(5), content(3000, 4), 1000);
  Assembler parts;
  for (Packet &packet : all) {
    packet.header.fragment ^= 1;
    EXPECT_FALSE(take(parts, packet, 1000));
  }
  EXPECT_TRUE(parts.isEmpty());
}

// Who never ends what it begins holds so many, and their bytes are given back.
TEST(Parts, ThatStayAloneAreForgotten) {
  int64_t charged = 0, most = 0;
  const auto charge = [&](int64_t bytes) {
    charged += bytes;
    most = std::max(most, charged);
    return true;
  };
  Assembler parts;
  for (uint64_t slot = 0; slot < 3 * Assembler::MostKept; ++slot) {
    Packet first = packets(headerOf(slot), content(3000, unsigned(slot)), 1000)[0];
    EXPECT_FALSE(parts.take(first.header, first.payload, 1000, charge));
  }
  EXPECT_EQ(charged, int64_t(3000 * Assembler::MostKept));
  EXPECT_EQ(most, charged);
  parts.forget(charge);
  EXPECT_EQ(charged, 0);
  EXPECT_TRUE(parts.isEmpty());
}

TEST(Parts, AreNotKeptWithoutMemory) {
  Assembler parts;
  Packet first = packets(headerOf(1), content(3000, 1), 1000)[0];
  EXPECT_FALSE(parts.take(first.header, first.payload, 1000, [](int64_t) { return false; }));
  EXPECT_TRUE(parts.isEmpty());
}

} // namespace
