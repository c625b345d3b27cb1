// The codec: every field comes back, and what is not a header is refused with a reason.
#include "runtime/switch/wire/Header.h"
#include "runtime/io/Bytes.h"

#include <gtest/gtest.h>

#include <random>

using namespace acis;
using namespace acis::wire;

namespace {

Header sample() {
  Header h;
  h.type = PacketType::Contribute;
  h.flags = flag::Again;
  h.job = 0x01020304;
  h.session = 0x11121314;
  h.part = 2;
  h.parts = 3;
  h.number = 0x2122232425262728;
  h.context = 0x31323334;
  h.length = 5;
  h.slot = 0x4142434445464748;
  h.window = 0x5152535455565758;
  h.sequence = 0x61626364;
  h.fragment = 0x71727374;
  h.count = 0x81828384;
  h.root = 0x91929394;
  h.kind = Kind::Scan;
  h.op = ReduceOp::BitXor;
  h.element = ElementType::Float64;
  h.shape = Shape::Scan;
  h.handle = 0xa1a2a3a4;
  return h;
}

std::vector<uint8_t> datagram(const Header &header) {
  std::vector<uint8_t> bytes(HeaderBytes + header.length);
  encode(header, bytes);
  return bytes;
}

std::string whyRefused(const std::vector<uint8_t> &bytes) {
  Result<Header> header = decode(bytes);
  return header ? "" : header.error().str();
}

TEST(Header, EveryFieldComesBack) {
  const std::vector<uint8_t> bytes = datagram(sample());
  Result<Header> back = decode(bytes);
  ASSERT_TRUE(back) << back.error().str();
  EXPECT_EQ(datagram(*back), bytes);
  EXPECT_EQ(back->slot, sample().slot);
  EXPECT_EQ(back->handle, sample().handle);
  // Little-endian, at the offsets of the specification.
  EXPECT_EQ(bytes[4], 0x04);
  EXPECT_EQ(bytes[32], 0x48);
  EXPECT_EQ(bytes[71], 0xa1);
}

TEST(Header, RefusesWhatIsNotOne) {
  std::vector<uint8_t> good = datagram(sample());
  auto with = [&](size_t at, uint8_t value) {
    std::vector<uint8_t> bytes = good;
    bytes[at] = value;
    return whyRefused(bytes);
  };
  EXPECT_EQ(whyRefused({}), "datagram: has 0 bytes; a header has 80");
  EXPECT_EQ(with(0, 1), "datagram: first byte is 1; allowed: 172");
  EXPECT_EQ(with(1, 9), "datagram: version is 9; allowed: 14");
  EXPECT_EQ(with(2, 0), "datagram: type is 0; allowed: 1 to 32 but 28, 40 to 42");
  EXPECT_EQ(with(2, 28), "datagram: type is 28; allowed: 1 to 32 but 28, 40 to 42");
  EXPECT_EQ(with(2, 43), "datagram: type is 43; allowed: 1 to 32 but 28, 40 to 42");
  EXPECT_EQ(with(3, 64), "datagram: flags is 64; allowed: 6 bits");
  EXPECT_EQ(with(12, 3), "datagram: part is 3; allowed: less than parts, which is 1 to 64");
  EXPECT_EQ(with(28, 6), "datagram: length is 6; allowed: the bytes after the header, 5");
  EXPECT_EQ(with(64, 13), "datagram: kind is 13; allowed: 0 to 11");
  EXPECT_EQ(with(65, 15), "datagram: op is 15; allowed: 0 to 14");
  EXPECT_EQ(with(66, 17), "datagram: element is 17; allowed: 0 to 16");
  EXPECT_EQ(with(67, 11), "datagram: shape is 11; allowed: 0 to 9");
  good.pop_back();
  EXPECT_EQ(whyRefused(good), "datagram: length is 5; allowed: the bytes after the header, 4");
}

TEST(Header, RandomBytesDecodeOrSayWhy) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::vector<uint8_t> bytes = datagram(sample());
    for (int flips = random() % 8; flips >= 0; --flips)
      bytes[random() % HeaderBytes] = uint8_t(random());
    Result<Header> header = decode(bytes);
    if (!header) {
      EXPECT_FALSE(header.error().what.empty());
      continue;
    }
    std::vector<uint8_t> back = datagram(*header);
    // Only the tag's and the reserved bytes are not fields.
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.begin() + HeaderBytes - TagBytes, back.begin()));
  }
}

TEST(Reader, StopsAtTheEnd) {
  const std::vector<uint8_t> bytes = io::Writer().put(uint16_t(0x0201)).text("ab").take();
  io::Reader reader(bytes);
  EXPECT_EQ(reader.get<uint16_t>(), 0x0201);
  EXPECT_EQ(reader.text(), "ab");
  EXPECT_TRUE(reader.complete());
  EXPECT_EQ(reader.get<uint32_t>(), 0u);
  EXPECT_TRUE(reader.ranOut());
}

} // namespace
