// The functional units against the kernels of the other engines, which compute with the
// host's integer and floating-point units. Compiled once per class. ACIS_FU_PAIRS sets how many
// random operands each operation and pair of types gets (a tenth of it where a narrow element is in
// a wide container), ACIS_FU_ONLY names one operation; 10 million are the long run of
// docs/rtl-verification.md.
#include "backend/overlay/Overlay.h"
#include "runtime/engine/device/Element.h"
#include "runtime/hardware/rtl/vector/Operands.h"

// The simulations of the class, named by runtime/hardware/rtl/vector/CMakeLists.txt.
#include ACIS_FU_TINY_H
#include ACIS_FU_U280_H

#include <gtest/gtest.h>

#include <cstdlib>

namespace acis::rtl {
namespace {

constexpr FuClass Unit = FuClass::ACIS_FU_CLASS;

/// The parameter is the name of an overlay.
class FuTest : public testing::TestWithParam<std::string> {
protected:
  FuTest() {
    const Result<Overlay> sizes = Overlay::load(GetParam() + ".json");
    const unsigned latency = sizes->latency[unsigned(Unit)];
    if (GetParam() == "tiny")
      fu = std::make_unique<SimulatedFu<ACIS_FU_TINY>>(latency);
    else
      fu = std::make_unique<SimulatedFu<ACIS_FU_U280>>(latency);
  }
  std::unique_ptr<Fu> fu;
};

uint64_t randomPairs(uint64_t otherwise) {
  const char *text = std::getenv("ACIS_FU_PAIRS");
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

bool fillsContainer(const Operation &operation) {
  return std::max(element::bits(operation.type), element::bits(operation.from)) ==
         operation.laneBits;
}

void expectNoMismatch(const FuCheck &check) {
  EXPECT_GT(check.count(), 0u);
  for (const Mismatch &mismatch : check.mismatches())
    ADD_FAILURE() << describe(mismatch);
}

TEST_P(FuTest, SpecialValues) {
  FuCheck check(*fu);
  for (const Operation &operation : operationsOf(Unit))
    check.run(operation, specialOperands(operation));
  check.drain();
  expectNoMismatch(check);
}

TEST_P(FuTest, RandomOperands) {
  const char *only = std::getenv("ACIS_FU_ONLY");
  for (const Operation &operation : operationsOf(Unit)) {
    if (only && isa::mnemonic(operation.op) != only)
      continue;
    // Elements as wide as their container count in full.
    const uint64_t pairs = randomPairs(4000) / (fillsContainer(operation) ? 1 : 10);
    FuCheck check(*fu);
    RandomOperands random(uint64_t(operation.op) * 0x10001 + operation.laneBits);
    const uint64_t beats = operation.laneBits == 32 ? (pairs + 1) / 2 : pairs;
    for (uint64_t done = 0; done < beats; done += 4096)
      check.run(operation, random.take(operation, std::min<uint64_t>(4096, beats - done)));
    check.drain();
    expectNoMismatch(check);
    if (std::getenv("ACIS_FU_PAIRS"))
      std::printf("%-24s %12llu pairs\n", describe(operation).c_str(),
                  static_cast<unsigned long long>(2 * ((pairs + 1) / 2)));
    std::fflush(stdout);
  }
}

// Operations follow each other in every order, with cycles in which the unit stands still.
TEST_P(FuTest, MixedOperationsAndStalls) {
  FuCheck check(*fu);
  RandomOperands random(7);
  const std::vector<Operation> all = operationsOf(Unit);
  for (unsigned i = 0; i < 3000; ++i) {
    const Operation &operation = all[(i * 7919 + i / 11) % all.size()];
    check.run(operation, random.take(operation, 1), /*gaps=*/true);
  }
  check.drain();
  expectNoMismatch(check);
}

INSTANTIATE_TEST_SUITE_P(ACIS_FU_CLASS, FuTest, testing::Values("tiny", "u280"),
                         [](const auto &info) { return info.param; });

} // namespace
} // namespace acis::rtl
