// Certificates as data: lookup, the rate that they hold at, and their words.
#include "runtime/engine/loader/Certificate.h"

#include <gtest/gtest.h>

using namespace acis;

namespace {

Certificate sample() { return {4, 1000, {{4, 20, 8, 10}, {260, 24, 8, 12}, {600, 0, 0, 0}}}; }

TEST(Certificate, StepOfALength) {
  const Certificate certificate = sample();
  EXPECT_EQ(certificate.at(3), nullptr);
  EXPECT_EQ(certificate.at(4)->latency, 20u);
  EXPECT_EQ(certificate.at(259)->latency, 20u);
  EXPECT_EQ(certificate.at(260)->period, 12u);
  EXPECT_EQ(certificate.at(1000)->latency, 0u);
  EXPECT_EQ(certificate.at(1001), nullptr);
}

TEST(Certificate, CyclesOnTheWire) {
  // 64 + 42 + 24 bytes are 1,040 bits: 10.4 ns at 100 Gb/s.
  EXPECT_DOUBLE_EQ(cyclesOnWire(64, 100, 42, 250), 2.6);
}

TEST(Certificate, SmallestLengthAtARate) {
  Certificate certificate{4, 1000, {{4, 20, 8, 10}, {804, 40, 8, 17}}};
  // At 100 Gb/s and 250 MHz a cycle is 50 bytes: 10 cycles are a frame of 500.
  EXPECT_EQ(smallestAtRate(certificate, 100, 42, 250), 436u);
  certificate.steps[1].period = 20; // a frame of 1,000: payloads from 936 on
  EXPECT_EQ(smallestAtRate(certificate, 100, 42, 250), 936u);
  certificate.steps[1].period = 30;
  EXPECT_EQ(smallestAtRate(certificate, 100, 42, 250), std::nullopt);
  EXPECT_EQ(smallestAtRate(sample(), 100, 42, 250), std::nullopt); // no bound at the end
}

TEST(Certificate, WordsRoundTrip) {
  std::vector<uint32_t> words = encodeCertificate(sample());
  const std::vector<uint32_t> second = encodeCertificate({1, 0, {}});
  words.insert(words.end(), second.begin(), second.end());
  std::span<const uint32_t> rest = words;
  auto first = decodeCertificate(rest);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->steps, sample().steps);
  EXPECT_EQ(first->longest, 1000u);
  auto empty = decodeCertificate(rest);
  ASSERT_TRUE(empty);
  EXPECT_TRUE(empty->steps.empty());
  EXPECT_TRUE(rest.empty());
}

TEST(Certificate, DamagedWords) {
  auto refusal = [](std::vector<uint32_t> words) {
    std::span<const uint32_t> rest = words;
    auto certificate = decodeCertificate(rest);
    return certificate ? "" : certificate.error().what;
  };
  EXPECT_EQ(refusal({}), "an entry that ends before its steps");
  EXPECT_EQ(refusal({4, 100, 1, 4, 1, 1}), "an entry that ends before its steps");
  EXPECT_EQ(refusal({4, 100, 0xffffffff}), "an entry that ends before its steps");
  EXPECT_EQ(refusal({4, 100, 2, 8, 1, 1, 1, 8, 1, 1, 1}), "steps that are not in order");
  EXPECT_EQ(refusal({4, 100, 1, 0, 1, 1, 1}), "steps that are not in order");
  EXPECT_EQ(refusal({4, 100, 1, 104, 1, 1, 1}), "steps that are not in order");
  EXPECT_EQ(refusal({0, 100, 0}), "elements of 0 bytes; 1 to 8 are allowed");
  EXPECT_EQ(refusal({4, 100, 1, 4, 1, 1, 1}), "");
}

} // namespace
