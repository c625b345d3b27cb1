// Checksums are the same by all vectors that this machine has.
#include "runtime/switch/wire/Checksum.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

using namespace acis::wire;

namespace {

bool operator==(const Checksum &a, const Checksum &b) { return a.low == b.low && a.high == b.high; }

/// The ways that this machine can go, the plain one and the chosen one among them.
std::vector<detail::ChecksumWay> ways() {
  std::vector<detail::ChecksumWay> all = {detail::checksumPlain, checksum};
#ifdef ACIS_WIDE_CHECKSUMS
  if (__builtin_cpu_supports("avx2"))
    all.push_back(detail::checksumAvx2);
  if (__builtin_cpu_supports("avx512f"))
    all.push_back(detail::checksumAvx512);
#endif
  return all;
}

TEST(Checksum, IsTheSameByAllVectors) {
  std::mt19937_64 random(1);
  std::vector<uint8_t> bytes(70'000);
  for (uint8_t &byte : bytes)
    byte = uint8_t(random());
  std::vector<size_t> sizes = {16'384, 65'427};
  for (size_t size = 0; size < 1100; ++size) // all that are short, and over the first blocks
    sizes.push_back(size);
  for (const size_t size : sizes)
    for (const size_t from : {0, 1, 40}) { // in place, and not at a multiple of anything
      const Checksum expected = detail::checksumPlain(bytes.data() + from, size);
      for (const detail::ChecksumWay way : ways())
        ASSERT_TRUE(way(bytes.data() + from, size) == expected) << size << " bytes from " << from;
    }
}

TEST(Checksum, EveryByteCounts) {
  std::vector<uint8_t> bytes(5000, 7);
  const Checksum before = checksum(bytes.data(), bytes.size());
  for (uint8_t &byte : bytes) {
    byte ^= 1;
    ASSERT_FALSE(checksum(bytes.data(), bytes.size()) == before) << &byte - bytes.data();
    byte ^= 1;
  }
}

TEST(Checksum, SaysWhatItUses) {
  const std::string vectors = checksumVectors();
  EXPECT_TRUE(vectors == "AVX-512" || vectors == "AVX2" || vectors == "plain") << vectors;
}

} // namespace
