// The comparison notices what differs: contents of memory, code, and timing are changed for one
// of the two engines, and the first difference is named with its place in the source.
#include "runtime/engine/model/Model.h"
#include "runtime/engine/programs/TestElf.h"
#include "runtime/hardware/lockstep/Coverage.h"
#include "runtime/hardware/lockstep/Lockstep.h"
#include "runtime/hardware/lockstep/RandomMix.h"
#include "runtime/hardware/verilated/Verilated.h"

#include <gtest/gtest.h>

namespace acis {
namespace {

namespace as = cts::as;
using cts::Bytes;

/// A handler on both engines, as given to each.
class Comparison : public testing::Test {
protected:
  std::shared_ptr<const Image> imageOf(const cts::Words &code) {
    cts::TestBinary binary(overlay);
    binary.code = code;
    for (uint32_t i = 0; i < code.size(); ++i)
      binary.lines.push_back({0xffffffff, i * 4, 10 + i});
    auto image = loadImage(binary.elf(), overlay);
    EXPECT_TRUE(bool(image)) << image.error().str();
    return image ? *image : nullptr;
  }

  void load(SteppedDevice &device, std::shared_ptr<const Image> image, uint8_t memoryByte = 1) {
    ASSERT_TRUE(bool(device.load(std::move(image), "")));
    ASSERT_TRUE(bool(device.resizeMemory(4096)));
    device.memory()[32] = memoryByte;
    device.push(Bytes(100));
  }

  LockstepResult compare(const Image &image) {
    return runLockstep(*model, *rtl, "model", "rtl", image);
  }

  /// Loads a word of memory and then works on.
  cts::Words loads() {
    cts::Words code;
    as::li(code, as::t0, 0x80000020);
    code.push_back(as::lw(as::a5, as::t0, 0));
    code.push_back(as::addi(as::a4, as::a5, 1));
    code.push_back(as::wfi);
    return code;
  }

  const Overlay overlay = *Overlay::load("tiny.json");
  std::unique_ptr<SteppedDevice> model = makeModelDevice(overlay, {});
  std::unique_ptr<SteppedDevice> rtl = std::move(*makeRtlDevice(overlay, {}));
};

TEST_F(Comparison, EqualRunsAreEqual) {
  const auto image = imageOf(loads());
  load(*model, image);
  load(*rtl, image);
  const LockstepResult result = compare(*image);
  EXPECT_TRUE(result.same) << result.difference;
  EXPECT_GT(result.cycles, overlay.memReadLatency);
  EXPECT_EQ(result.difference, "");
}

TEST_F(Comparison, NamesTheRegisterAndTheLine) {
  const auto image = imageOf(loads());
  load(*model, image);
  load(*rtl, image, 0x21);
  const LockstepResult result = compare(*image);
  ASSERT_FALSE(result.same);
  EXPECT_NE(result.difference.find("x15: model 0x1, rtl 0x21"), std::string::npos)
      << result.difference;
  // The load is the third instruction.
  EXPECT_NE(result.report.find("at pc 0x8, test.c:12"), std::string::npos) << result.report;
  EXPECT_NE(result.report.find("pc                                    0xc                0xc"),
            std::string::npos)
      << result.report;
}

TEST_F(Comparison, NamesTheProgramCounter) {
  cts::Words code = loads(), other = loads();
  code[3] = as::jal(as::zero, 4);
  other[3] = as::jal(as::zero, 8);
  code.push_back(as::wfi);
  other.push_back(as::wfi);
  const auto image = imageOf(code);
  load(*model, image);
  load(*rtl, imageOf(other));
  const LockstepResult result = compare(*image);
  ASSERT_FALSE(result.same);
  EXPECT_NE(result.difference.find("pc: model 0x10, rtl 0x14"), std::string::npos)
      << result.difference;
}

TEST_F(Comparison, NamesTheWordOfTheRegisterFile) {
  cts::Words code;
  as::li(code, as::t0, 4);
  code.push_back(as::vsetvli(as::zero, as::t0, 2 << 3));
  as::li(code, as::t0, 0x80000020);
  code.push_back(as::vle(32, 2, as::t0));
  code.push_back(as::wfi);
  const auto image = imageOf(code);
  load(*model, image);
  load(*rtl, image, 0x21);
  const LockstepResult result = compare(*image);
  ASSERT_FALSE(result.same);
  const std::string expected = "register file of pe 0, beat " +
                               std::to_string(2 * overlay.vregBeats()) +
                               ", word 0: model 0x00000001, rtl 0x00000021";
  EXPECT_NE(result.difference.find(expected), std::string::npos) << result.difference;
}

TEST_F(Comparison, NoticesARunThatIsLonger) {
  cts::Words code = loads(), longer = loads();
  longer.insert(longer.end() - 1, 3, as::nop);
  const auto image = imageOf(code);
  load(*model, image);
  load(*rtl, imageOf(longer));
  EXPECT_FALSE(compare(*image).same);
}

TEST(CoverageTest, SaysWhatIsMissing) {
  const Overlay overlay = *Overlay::load("tiny.json");
  Coverage coverage(overlay);
  const unsigned all = coverage.missed();
  EXPECT_EQ(all, coverage.classes());
  EXPECT_NE(coverage.report().find("not hit: instruction: mulhsu"), std::string::npos);
  Counters counters;
  counters.instructions = {{"mulhsu", 1}, {"add", 0}};
  counters.stalls[unsigned(Stall::Drain)] = 7;
  coverage.addCounters(counters);
  EXPECT_EQ(coverage.missed(), all - 2);
  EXPECT_EQ(coverage.report().find("instruction: mulhsu"), std::string::npos);
  EXPECT_NE(coverage.report().find("instruction: add\n"), std::string::npos);

  std::mt19937 random(3);
  coverage.addContext(model::randomContext(overlay, random, {}));
  EXPECT_LT(coverage.missed(), all - 50);
}

/// The same seed gives the same program, and nearly all are accepted by the loader.
TEST(RandomMixTest, ProgramsAreReproducibleAndValid) {
  const Overlay overlay = *Overlay::load("tiny.json");
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 first(seed), second(seed);
    const RandomMix one = randomMix(overlay, first), two = randomMix(overlay, second);
    EXPECT_EQ(one.program.binary.elf(), two.program.binary.elf());
    EXPECT_EQ(one.program.packets, two.program.packets);
    auto image = loadImage(one.program.binary.elf(), overlay);
    EXPECT_TRUE(bool(image)) << "seed " << seed << ": " << image.error().str();
  }
}

} // namespace
} // namespace acis
