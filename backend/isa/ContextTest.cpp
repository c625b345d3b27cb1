// Contexts survive encode and decode; decode accepts any bytes.
#include "backend/isa/Context.h"

#include "backend/isa/ContextBits.h"
#include "backend/overlay/Overlay.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

using namespace acis;
using namespace acis::isa;

namespace {

Overlay overlay(const char *name) {
  const char *root = std::getenv("ACIS_SRC_ROOT");
  Result<Overlay> result = Overlay::load(std::string(root ? root : ".") +
                                         "/backend/overlay/descriptions/" + name + ".json");
  EXPECT_TRUE(result) << (result ? "" : result.error().str());
  return result ? *result : Overlay();
}

LoopContext emptyContext(const Overlay &o, unsigned ii) {
  LoopContext context;
  context.ii = static_cast<uint16_t>(ii);
  context.streamInSlots.resize(ii);
  context.pes.resize(o.numPes());
  for (PeContext &pe : context.pes)
    pe.slots.resize(ii);
  return context;
}

/// Legal values in every field, all different as far as the ranges go.
class Filler {
public:
  Filler(const Overlay &o, unsigned seed) : overlay(o), random(seed) {}

  LoopContext fill(unsigned ii) {
    LoopContext c = emptyContext(overlay, ii);
    c.stages = 256;
    c.innerCount = upTo(1, 65535);
    c.laneBits = flag() ? 32 : 64;
    laneBits = c.laneBits;
    c.scalar = scalar = flag();
    c.numArgs = MaxArgs;
    c.numResults = MaxResults;
    c.streamIn = {flag(), format(), arg()};
    c.streamOut = {flag(), format(), arg()};
    c.vregsRead = static_cast<uint32_t>(random());
    c.vregsWritten = static_cast<uint32_t>(random());
    for (PortRead &pop : c.streamInSlots)
      pop = {flag(), stage()};
    for (unsigned p = 0; p < overlay.numPes(); ++p)
      fillPe(c.pes[p], p);
    return c;
  }

private:
  const Overlay &overlay;
  std::mt19937_64 random;
  unsigned laneBits = 32;
  bool scalar = false;

  template <typename T = uint16_t> T upTo(uint64_t least, uint64_t most) {
    return static_cast<T>(least + random() % (most - least + 1));
  }
  bool flag() { return random() & 1; }
  uint8_t stage() { return upTo<uint8_t>(0, 255); }
  uint8_t arg() { return upTo<uint8_t>(0, MaxArgs - 1); }
  ElementFormat format() { return {uint8_t(1 << upTo(0, 2)), flag(), flag()}; }
  MemAddress mem() {
    return {flag(), format(), arg(), int32_t(random()), int32_t(random()), int32_t(random())};
  }
  Source source(unsigned pe) {
    for (;;) {
      Source s = static_cast<Source>(upTo(0, 15 + overlay.routeRegs));
      if (s < Source::Link0 || s >= Source::Reg0)
        return s;
      for (const Link &l : overlay.links)
        if (l.to == pe && linkSource(l.inPort) == s)
          return s;
    }
  }
  Operand operand(unsigned pe) {
    return {source(pe), upTo<uint8_t>(0, overlay.operandDelay - 1), upTo<uint8_t>(0, MaxFirst),
            upTo<uint8_t>(0, 1)};
  }
  void fillPe(PeContext &pe, unsigned number) {
    pe.memIn = mem();
    pe.memOut = mem();
    pe.addresses.resize(upTo(1, 256));
    for (VrfAddress &a : pe.addresses) {
      a.base = upTo(0, overlay.vrfBeats);
      a.limit = upTo(0, overlay.vrfBeats - a.base);
      a.stride0 = static_cast<int16_t>(random());
      a.stride1 = static_cast<int16_t>(random());
      a.arg = flag() ? arg() : NoArg;
      a.indexed = flag();
      a.uniform = flag();
      a.zeroOutside = flag();
      a.lane = upTo<uint8_t>(0, overlay.lanes * 32 / laneBits - 1);
      a.shift = upTo<uint8_t>(0, laneBits - 1);
      a.bits = upTo<uint8_t>(0, laneBits);
    }
    for (Slot &slot : pe.slots)
      fillSlot(slot, number, upTo<unsigned>(0, pe.addresses.size() - 1));
  }
  void fillSlot(Slot &s, unsigned pe, unsigned address) {
    auto a = static_cast<uint8_t>(address);
    s.op = static_cast<Op>(upTo(0, unsigned(Op::Rotl)));
    s.type = static_cast<Type>(upTo(0, 5));
    s.from = static_cast<Type>(upTo(0, 5));
    s.stage = stage();
    s.a = operand(pe);
    s.b = operand(pe);
    s.c = operand(pe);
    s.imm = {random(), random()};
    s.immArg = {flag() ? arg() : NoArg, flag() ? arg() : NoArg};
    s.accumulate = flag();
    s.result = flag() ? upTo<uint8_t>(0, MaxResults - 1) : NoArg;
    s.read[0] = {flag(), stage(), a, operand(pe)};
    s.read[1] = {flag(), stage(), a, operand(pe)};
    s.write = {flag(), stage(), a, operand(pe), operand(pe), operand(pe), flag()};
    s.memIn = {flag(), stage()};
    s.memOut = {flag(), stage(), operand(pe), operand(pe)};
    s.streamOut = {flag(), stage(), operand(pe), scalar ? operand(pe) : Operand{}};
    s.regWrite = flag();
    s.reg = upTo<uint8_t>(0, overlay.routeRegs - 1);
    s.regData = source(pe);
    for (const Link &l : overlay.links)
      if (l.from == pe)
        s.link[l.port] = source(pe);
  }
};

TEST(Context, SourcesThatAreNumbered) {
  EXPECT_EQ(linkSource(7), Source(15));
  EXPECT_EQ(regSource(15), Source(31));
}

TEST(Context, RoundTripOfTheEmptyContext) {
  for (const char *name : {"tiny", "u280-full", "mesh4x4"}) {
    Overlay o = overlay(name);
    LoopContext context = emptyContext(o, 1);
    std::vector<uint8_t> bytes = encode(context);
    EXPECT_EQ(bytes.size() % 4, 0u);
    Result<LoopContext> back = decode(bytes, o);
    ASSERT_TRUE(back) << back.error().str();
    EXPECT_EQ(*back, context);
  }
}

TEST(Context, RoundTripOfEveryField) {
  for (const char *name : {"tiny", "u280-full", "mesh4x4"}) {
    Overlay o = overlay(name);
    for (unsigned seed = 0; seed < 20; ++seed) {
      LoopContext context = Filler(o, seed).fill(1 + seed % o.contextSlots);
      Result<LoopContext> back = decode(encode(context), o);
      ASSERT_TRUE(back) << back.error().str();
      EXPECT_EQ(*back, context) << name << " seed " << seed;
    }
  }
}

// Every bit that may be set changes the decoded context or is refused; none is lost.
TEST(Context, EveryBitCounts) {
  Overlay o = overlay("tiny");
  LoopContext context = Filler(o, 1).fill(2);
  for (PeContext &pe : context.pes)
    pe.addresses.resize(1);
  for (PeContext &pe : context.pes)
    for (Slot &slot : pe.slots)
      slot.read[0].address = slot.read[1].address = slot.write.address = 0;
  std::vector<uint8_t> bytes = encode(context);
  ASSERT_TRUE(decode(bytes, o));
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::vector<uint8_t> changed = bytes;
    changed[bit / 8] ^= 1 << bit % 8;
    Result<LoopContext> back = decode(changed, o);
    if (back)
      EXPECT_NE(*back, context) << "bit " << bit;
  }
}

TEST(Context, TruncatedAndLengthenedBytesAreErrors) {
  Overlay o = overlay("tiny");
  std::vector<uint8_t> bytes = encode(Filler(o, 3).fill(2));
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode(std::span(bytes).first(size), o)) << size;
  bytes.push_back(0);
  EXPECT_FALSE(decode(bytes, o));
}

TEST(Context, AnyBytesAreAccepted) {
  Overlay o = overlay("tiny");
  std::mt19937 random(7);
  std::vector<uint8_t> good = encode(Filler(o, 4).fill(3));
  for (unsigned round = 0; round < 3000; ++round) {
    std::vector<uint8_t> bytes = good;
    for (unsigned change = 1 + random() % 8; change; --change)
      bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
    if (Result<LoopContext> back = decode(bytes, o))
      EXPECT_EQ(encode(*back), bytes); // what is accepted is understood
  }
  for (unsigned round = 0; round < 3000; ++round) {
    std::vector<uint8_t> bytes(random() % 400);
    for (uint8_t &byte : bytes)
      byte = static_cast<uint8_t>(random());
    (void)decode(bytes, o);
  }
}

/// The error of a small context after one change.
template <typename Fn> std::string errorAfter(Fn change) {
  Overlay o = overlay("tiny");
  LoopContext context = emptyContext(o, 2);
  context.pes[1].addresses.resize(1);
  change(context);
  Result<LoopContext> back = decode(encode(context), o);
  return back ? "no error" : back.error().str();
}

TEST(Context, ValuesOutOfRangeAreNamed) {
  using C = LoopContext &;
  EXPECT_EQ(errorAfter([](C) {}), "no error");
  EXPECT_EQ(errorAfter([](C c) { c.pes[1].slots[1].stage = 1; }),
            "context PE 1 slot 1: stage is 1, allowed is at most 0");
  EXPECT_EQ(errorAfter([](C c) { c.pes[0].slots[0].op = Op(100); }),
            "context PE 0 slot 0: operation is 100, allowed is at most 49");
  EXPECT_EQ(errorAfter([](C c) { c.pes[0].slots[0].a = {regSource(4)}; }),
            "context PE 0 slot 0: operand a register is 4, allowed is at most 3");
  EXPECT_EQ(errorAfter([](C c) { c.pes[0].slots[0].b = {linkSource(1)}; }),
            "context PE 0 slot 0: operand b in-link is 1, allowed is a link that ends at the PE");
  EXPECT_EQ(errorAfter([](C c) { c.pes[0].slots[0].c.delay = 16; }),
            "context PE 0 slot 0: operand c delay is 16, allowed is at most 15");
  EXPECT_EQ(errorAfter([](C c) { c.pes[1].slots[0].link[0] = Source::Res; }),
            "context PE 1 slot 0: out-link is 0, allowed is a link that starts at the PE");
  EXPECT_EQ(errorAfter([](C c) { c.pes[1].slots[0].read[1] = {true, 0, 1, {}}; }),
            "context PE 1 slot 0: read address is 1, allowed is below the address count 1");
  EXPECT_EQ(errorAfter([](C c) { c.pes[1].addresses[0].limit = 257; }),
            "context PE 1: address 0 base + limit is 257, allowed is at most 256");
  EXPECT_EQ(errorAfter([](C c) { c.pes[1].addresses[0].lane = 4; }),
            "context PE 1: address 0 lane is 4, allowed is at most 3");
  EXPECT_EQ(errorAfter([](C c) { c.streamIn.on = true; }),
            "context: stream input argument is 0, allowed is below the argument count 0");
  EXPECT_EQ(errorAfter([](C c) {
              c.numArgs = 1;
              c.pes[0].memOut.on = true;
              c.pes[0].memOut.format.bytes = 3;
            }),
            "context PE 0: memory output element size is 3, allowed is 1, 2, 4 or 8");
  EXPECT_EQ(errorAfter([](C c) { c.laneBits = 16; }),
            "context: lane bits is 16, allowed is 32 or 64");
  EXPECT_EQ(errorAfter([](C c) { c.pes[0].slots[1].result = 0; }),
            "context PE 0 slot 1: result is 0, allowed is below the result count 0");
}

TEST(Context, SlotsHoldAtMostTheOverlaysWords) {
  Overlay o = overlay("tiny");
  EXPECT_TRUE(decode(encode(emptyContext(o, o.contextSlots)), o));
  EXPECT_EQ(decode(encode(emptyContext(o, o.contextSlots + 1)), o).error().str(),
            "context: ii is 17, allowed is at most 16");
}

} // namespace
