// Tags: those of the specification, and no other, for each byte of a datagram.
#include "runtime/io/Bytes.h"
#include "runtime/switch/wire/Channel.h"

#include <gtest/gtest.h>

#include <random>

using namespace acis;
using namespace acis::wire;

namespace {

Key sampleKey() {
  Key key;
  for (size_t i = 0; i < key.size(); ++i)
    key[i] = uint8_t(i);
  return key;
}

/// A header of 0x11 and a payload of 0, 1, 2, ...
std::vector<uint8_t> datagram(size_t payload) {
  std::vector<uint8_t> bytes(HeaderBytes, 0x11);
  for (size_t i = 0; i < payload; ++i)
    bytes.push_back(uint8_t(i));
  return bytes;
}

uint64_t tagIn(const std::vector<uint8_t> &bytes) {
  return io::load<uint64_t>(bytes.data() + HeaderBytes - TagBytes);
}

// Made with the openssl program from the text of docs/wire-protocol.md.
TEST(Tagger, MakesTheTagsOfTheSpecification) {
  const Tagger tagger(sampleKey());
  for (auto [payload, tag] : {std::pair<size_t, uint64_t>(0, 0x3e19c027b5c332c3),
                              {128, 0x9d75d0abdc51a418},
                              {129, 0x6ff641690be277bc},
                              {16'384, 0x73930bf3ad8093ad}}) {
    std::vector<uint8_t> bytes = datagram(payload);
    tagger.seal(bytes);
    EXPECT_EQ(tagIn(bytes), tag) << payload << " bytes of payload";
  }
}

// Made with xxhsum -H3 and -H2 from the same text.
TEST(Tagger, MakesTheChecksumsOfTheSpecification) {
  const Tagger tagger(std::nullopt);
  for (auto [payload, tag] : {std::pair<size_t, uint64_t>(0, 0xa7e7c4c11b32d677),
                              {128, 0xdb6f6772b3486851},
                              {129, 0x5aca439cb359220a},
                              {16'384, 0x8e31d0816e11e9f6}}) {
    std::vector<uint8_t> bytes = datagram(payload);
    tagger.seal(bytes);
    EXPECT_EQ(tagIn(bytes), tag) << payload << " bytes of payload";
  }
}

// With a key and without; short payloads stand for themselves.
TEST(Tagger, AHeaderAloneHasTheTagOfTheWhole) {
  for (const bool hasKey : {false, true})
    for (const size_t size : {0, 100, 5000}) {
      const auto key = hasKey ? std::optional<Key>(sampleKey()) : std::nullopt;
      Channel whole(Side::Child, 7, key), apart(Side::Child, 7, key), parent(Side::Parent, 7, key);
      const std::vector<uint8_t> payload(size, 3);
      std::vector<uint8_t> datagram(HeaderBytes + size), head(HeaderBytes);
      Header header;
      header.type = PacketType::Contribute;
      whole.seal(header, payload, datagram);
      apart.sealHeader(header, payload, head);
      EXPECT_TRUE(std::equal(head.begin(), head.end(), datagram.begin()));
      Digest digest{};
      EXPECT_TRUE(parent.open(*decode(head, size), head, payload, &digest));
      EXPECT_EQ(digest, parent.digest(payload));
      EXPECT_FALSE(parent.open(*decode(datagram), datagram)); // the same number again
    }
}

// With a key and without.
TEST(Tagger, EveryBitCounts) {
  for (const bool keyed : {true, false}) {
    const Tagger tagger(keyed ? std::optional(sampleKey()) : std::nullopt);
    for (const size_t payload : {0, 1, 128, 129, 1000}) {
      std::vector<uint8_t> bytes = datagram(payload);
      tagger.seal(bytes);
      ASSERT_TRUE(tagger.verify(bytes));
      for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        bytes[bit / 8] ^= uint8_t(1 << bit % 8);
        EXPECT_FALSE(tagger.verify(bytes)) << "bit " << bit << " of " << payload << " bytes";
        bytes[bit / 8] ^= uint8_t(1 << bit % 8);
      }
    }
  }
}

TEST(Tagger, ADigestServesManyDatagrams) {
  const Tagger one(sampleKey()), other(sampleKey());
  std::mt19937 random(1);
  for (const size_t payload : {5, 128, 129, 16'384}) {
    std::vector<uint8_t> bytes = datagram(payload);
    const Digest digest = one.digest(std::span(bytes).subspan(HeaderBytes));
    for (int i = 0; i < 4; ++i) {
      bytes[random() % (HeaderBytes - TagBytes)] = uint8_t(random());
      one.seal(bytes, digest);
      EXPECT_TRUE(other.verify(bytes));
    }
  }
}

// What was verified need not be digested again to go on with another header.
TEST(Tagger, VerifyingGivesTheDigest) {
  const Tagger tagger(sampleKey());
  for (const size_t payload : {5, 129, 16'384}) {
    std::vector<uint8_t> bytes = datagram(payload);
    tagger.seal(bytes);
    Digest digest{};
    ASSERT_TRUE(tagger.verify(bytes, &digest));
    EXPECT_EQ(digest, tagger.digest(std::span(bytes).subspan(HeaderBytes)));
    bytes[0] ^= 1;
    EXPECT_FALSE(tagger.verify(bytes));
    tagger.seal(bytes, digest);
    EXPECT_TRUE(tagger.verify(bytes));
  }
}

TEST(Tagger, AnotherKeyOrNone) {
  Key key = sampleKey();
  const Tagger right(key), none(std::nullopt);
  key[15] ^= 1;
  const Tagger wrong(key);
  for (const size_t payload : {0, 1000}) {
    std::vector<uint8_t> bytes = datagram(payload);
    right.seal(bytes);
    EXPECT_FALSE(wrong.verify(bytes));
    EXPECT_FALSE(none.verify(bytes));
    none.seal(bytes);
    EXPECT_TRUE(none.verify(bytes));
    EXPECT_FALSE(right.verify(bytes));
  }
}

} // namespace
