// Runs that would last for minutes, on both engines in software, ended by who asked for them.
#include "runtime/engine/fast/Fast.h"
#include "runtime/engine/model/Model.h"
#include "runtime/engine/programs/ContextBuilder.h"
#include "runtime/engine/programs/TestDevice.h"

namespace acis::model {
namespace {

class InterruptTest : public testing::TestWithParam<bool> {
protected:
  const Overlay overlay = cts::testOverlay();
  cts::TestBinary binary{overlay};
  unsigned asked = 0, most = 3;

  std::unique_ptr<Device> loaded(uint64_t packets) {
    Interrupt interrupt = [this] { return ++asked == most; };
    std::unique_ptr<Device> device;
    if (GetParam())
      device = makeModelDevice(overlay, {.interrupt = interrupt});
    else
      device = makeFastDevice(overlay, {.interrupt = interrupt});
    auto image = loadImage(binary.elf(), overlay);
    EXPECT_TRUE(bool(image)) << image.error().str();
    EXPECT_TRUE(bool(device->load(*image, "")));
    for (uint64_t i = 0; i < packets; ++i)
      device->push(Bytes(4));
    return device;
  }

  void expectInterrupted(Device &device) {
    const Status status = device.run();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().what, TrapInterrupted);
    ASSERT_TRUE(device.trap());
    EXPECT_EQ(asked, most);
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, InterruptTest, testing::Bool(),
                         [](const auto &one) { return std::string(one.param ? "Model" : "Fast"); });

TEST_P(InterruptTest, EndsAScalarLoop) {
  binary.code = {as::jal(as::zero, 0)};
  expectInterrupted(*loaded(1));
}

TEST_P(InterruptTest, EndsALoopOfTheArray) {
  using namespace as;
  isa::LoopContext loop = cts::emptyContext(overlay);
  cts::finishContext(loop, overlay);
  binary.contexts = {loop};
  binary.code = {lui(t0, 0x7ffff), launch(0, t0, zero), wfi};
  expectInterrupted(*loaded(1));
}

TEST_P(InterruptTest, EndsBetweenPackets) {
  binary.code = {as::wfi};
  expectInterrupted(*loaded(1 << 20));
}

TEST_P(InterruptTest, LeavesADeviceThatCanBeLoaded) {
  binary.code = {as::jal(as::zero, 0)};
  std::unique_ptr<Device> device = loaded(1);
  expectInterrupted(*device);
  binary.code = {as::wfi};
  auto image = loadImage(binary.elf(), overlay);
  ASSERT_TRUE(bool(image));
  ASSERT_TRUE(bool(device->load(*image, "")));
  device->push(Bytes(4));
  EXPECT_TRUE(bool(device->run()));
}

TEST_P(InterruptTest, IsNotAskedInAShortRun) {
  binary.code = {as::wfi};
  EXPECT_TRUE(bool(loaded(3)->run()));
  EXPECT_EQ(asked, 0u);
}

} // namespace
} // namespace acis::model
