// The functional units against the kernels of the other engines, which compute with the
// host's integer and floating-point units. ACIS_FU_PAIRS sets how many random operands each
// operation and pair of types gets (a tenth of it where a narrow element is in a wide
// container); 10 million of them are the long run of docs/rtl-verification.md.
#include "runtime/device/Element.h"
#include "runtime/rtl/vector/Operands.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace acis::rtl {
namespace {

struct Case {
  FuClass unit;
  const char *className;
  const char *overlay;
};

class FuTest : public testing::TestWithParam<Case> {};

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
  const auto fu = makeFu(GetParam().unit, GetParam().overlay);
  FuCheck check(*fu);
  for (const Operation &operation : operationsOf(GetParam().unit))
    check.run(operation, specialOperands(operation));
  check.drain();
  expectNoMismatch(check);
}

TEST_P(FuTest, RandomOperands) {
  const auto fu = makeFu(GetParam().unit, GetParam().overlay);
  for (const Operation &operation : operationsOf(GetParam().unit)) {
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
  const auto fu = makeFu(GetParam().unit, GetParam().overlay);
  FuCheck check(*fu);
  RandomOperands random(7);
  const std::vector<Operation> all = operationsOf(GetParam().unit);
  for (unsigned i = 0; i < 3000; ++i) {
    const Operation &operation = all[(i * 7919 + i / 11) % all.size()];
    check.run(operation, random.take(operation, 1), /*gaps=*/true);
  }
  check.drain();
  expectNoMismatch(check);
}

INSTANTIATE_TEST_SUITE_P(Units, FuTest,
                         testing::Values(Case{FuClass::Integer, "Integer", "tiny"},
                                         Case{FuClass::Integer, "Integer", "u280"},
                                         Case{FuClass::Convert, "Convert", "tiny"},
                                         Case{FuClass::Convert, "Convert", "u280"},
                                         Case{FuClass::Float, "Float", "tiny"},
                                         Case{FuClass::Float, "Float", "u280"},
                                         Case{FuClass::Divide, "Divide", "tiny"},
                                         Case{FuClass::Divide, "Divide", "u280"}),
                         [](const testing::TestParamInfo<Case> &info) {
                           return std::string(info.param.className) + "_" + info.param.overlay;
                         });

} // namespace
} // namespace acis::rtl
