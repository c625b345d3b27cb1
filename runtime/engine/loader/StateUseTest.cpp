// What a handler can leave for the next packet, and beside each the one that leaves nothing.
#include "runtime/engine/loader/StateUse.h"
#include "runtime/engine/programs/ContextBuilder.h"
#include "runtime/engine/programs/TestElf.h"

#include <gtest/gtest.h>

using namespace acis;
using namespace acis::cts;
using isa::LoopContext;
using isa::Source;

namespace {

LoopContext streamLoop(const Overlay &overlay, bool in, bool out) {
  LoopContext loop = emptyContext(overlay);
  loop.numArgs = 2;
  if (in) {
    loop.streamIn = {true, {4, false, false}, 0};
    loop.streamInSlots[0].on = true;
  }
  if (out)
    loop.streamOut = {true, {4, false, false}, 1};
  return loop;
}

/// Copies the stream into beats 8 to 15 of the register file of PE 0.
LoopContext fill(const Overlay &overlay) {
  LoopContext loop = streamLoop(overlay, true, false);
  isa::VrfAddress address;
  address.base = 8;
  address.limit = 8;
  loop.pes[0].addresses = {address};
  loop.pes[0].slots[0].write = {true, 0, 0, {}, operand(Source::StreamIn), {}, false};
  finishContext(loop, overlay);
  return loop;
}

/// Sends `beats` beats of PE 0 from `base` on.
LoopContext drain(const Overlay &overlay, unsigned base, unsigned beats) {
  LoopContext loop = streamLoop(overlay, false, true);
  isa::VrfAddress address;
  address.base = uint16_t(base);
  address.limit = uint16_t(beats);
  loop.pes[0].addresses = {address};
  loop.pes[0].slots[0].read[0].on = true;
  loop.pes[0].slots[0].streamOut = {true, 0, operand(Source::Vrf0), {}};
  finishContext(loop, overlay);
  return loop;
}

LoopContext store(const Overlay &overlay) {
  LoopContext loop = streamLoop(overlay, true, false);
  loop.pes[1].memOut = {true, {4, false, false}, 1, 0, 64, 0};
  loop.pes[1].slots[0].memOut = {true, 0, operand(Source::StreamIn), {}};
  finishContext(loop, overlay);
  return loop;
}

std::string why(const Overlay &overlay, Words code, std::vector<LoopContext> contexts = {}) {
  TestBinary binary(overlay);
  binary.code = std::move(code);
  binary.code.push_back(as::wfi);
  binary.contexts = std::move(contexts);
  for (uint32_t context = 0; context < binary.contexts.size(); ++context) {
    binary.lines.push_back({context, 0, 40 + context});
    binary.lines.push_back({context, 1u << 16, 40 + context});
  }
  binary.lines.push_back({LineEntry::Code, 0, 7});
  auto image = loadImage(binary.elf(), overlay);
  return image ? whyKeepsState(**image, (*image)->handlers[0], overlay) : image.error().str();
}

TEST(StateUse, CodeThatStores) {
  const Overlay overlay = testOverlay();
  EXPECT_EQ(why(overlay, {as::addi(as::t0, 0, 4), as::lw(as::t1, as::t0, 0)}), "");
  EXPECT_EQ(why(overlay, {as::sw(as::t0, as::sp, 8)}), ""); // the stack
  EXPECT_EQ(why(overlay, {as::sw(as::t0, as::a0, 8)}), "test.c:7: memory is written");
  EXPECT_EQ(why(overlay, {as::vsetvli(as::t0, as::t1, 0x10), as::vle(32, 1, as::a0)}),
            "test.c:7: vector registers are used");
}

TEST(StateUse, LoopsThatStore) {
  const Overlay overlay = testOverlay();
  EXPECT_EQ(why(overlay, {as::nop}, {drain(overlay, 0, 64)}), ""); // of constants
  EXPECT_EQ(why(overlay, {as::nop}, {store(overlay)}), "test.c:40: memory is written");
}

TEST(StateUse, ArraysThatAreReadAndWritten) {
  const Overlay overlay = testOverlay();
  const char *both = "test.c:40: an array is written and read";
  EXPECT_EQ(why(overlay, {as::nop}, {fill(overlay)}), ""); // nobody reads it
  EXPECT_EQ(why(overlay, {as::nop}, {fill(overlay), drain(overlay, 0, 8)}), "");
  EXPECT_EQ(why(overlay, {as::nop}, {fill(overlay), drain(overlay, 0, 9)}), both);
  EXPECT_EQ(why(overlay, {as::nop}, {fill(overlay), drain(overlay, 15, 4)}), both);
  EXPECT_EQ(why(overlay, {as::nop}, {fill(overlay), drain(overlay, 16, 4)}), "");
  LoopContext other = drain(overlay, 8, 8);
  std::swap(other.pes[0], other.pes[1]); // the register file of another PE
  finishContext(other, overlay);
  EXPECT_EQ(why(overlay, {as::nop}, {fill(overlay), other}), "");
}

} // namespace
