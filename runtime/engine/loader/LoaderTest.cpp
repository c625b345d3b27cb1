// Binaries and contexts that the loader takes, and beside each the spoiled one that it
// has to refuse.
#include "runtime/engine/loader/Image.h"
#include "runtime/engine/loader/VectorContext.h"
#include "runtime/engine/programs/ContextBuilder.h"
#include "runtime/engine/programs/TestElf.h"

#include <functional>
#include <gtest/gtest.h>

using namespace acis;
using namespace acis::cts;
using isa::LoopContext;
using isa::Op;
using isa::Source;

namespace {

/// out[i] = in[i] + 5 on PE 0.
LoopContext addContext(const Overlay &overlay) {
  LoopContext loop = emptyContext(overlay);
  loop.numArgs = 2;
  loop.streamIn = {true, {4, false, false}, 0};
  loop.streamOut = {true, {4, false, false}, 1};
  loop.streamInSlots[0].on = true;
  isa::Slot &word = loop.pes[0].slots[0];
  word.op = Op::Add;
  word.a = operand(Source::StreamIn);
  word.b = operand(Source::Imm0);
  word.imm[0] = 5;
  word.streamOut = {true, 6, operand(Source::Res), {}};
  finishContext(loop, overlay);
  return loop;
}

TestBinary goodBinary(const Overlay &overlay) {
  TestBinary binary(overlay);
  binary.code = {as::addi(as::t0, 0, 4), as::launch(0, as::t0, 0), as::wfi};
  binary.contexts = {addContext(overlay)};
  binary.lines = {{0, 0, 7}, {LineEntry::Code, 0, 3}, {LineEntry::Code, 8, 5}};
  return binary;
}

std::string errorOf(const Bytes &elf, const Overlay &overlay) {
  auto image = loadImage(elf, overlay);
  return image ? "" : image.error().str();
}

TEST(Loader, ReadsWhatTheCompilerWrites) {
  const Overlay overlay = testOverlay();
  auto image = loadImage(goodBinary(overlay).elf(), overlay);
  ASSERT_TRUE(bool(image)) << image.error().str();
  const Image &i = **image;
  ASSERT_EQ(i.handlers.size(), 1u);
  EXPECT_EQ(i.handlers[0].name, "test");
  ASSERT_EQ(i.contexts.size(), 1u);
  EXPECT_EQ(i.contexts[0].loop, addContext(overlay));
  EXPECT_EQ(i.lineOfCode(4), "test.c:3");
  EXPECT_EQ(i.lineOfCode(8), "test.c:5");
  EXPECT_EQ(i.lineOfSlot(0, 0, 0), "test.c:7");
  EXPECT_EQ(i.lineOfSlot(1, 0, 0), "");

  const ContextGraph &graph = i.contexts[0].graph;
  ASSERT_EQ(graph.nodes.size(), 3u);
  EXPECT_EQ(graph.nodes[0].kind, ElementKind::StreamIn);
  EXPECT_EQ(graph.nodes[1].operands[0].node, 0u);
  EXPECT_EQ(graph.nodes[2].kind, ElementKind::StreamOut);
  EXPECT_EQ(graph.nodes[2].operands[0].node, 1u);
  EXPECT_EQ(graph.nodes[2].time, 6u);
}

TEST(Loader, RefusesVectorInstructionsThatTheScalarUnitHasNot) {
  Overlay overlay = testOverlay();
  overlay.scalarVector = false;
  for (const uint32_t word : {as::vsetvli(0, as::t0, 0x10), as::streamoutv(8, as::t0)}) {
    TestBinary binary(overlay);
    binary.code = {word, as::wfi};
    const auto image = loadImage(binary.elf(), overlay);
    ASSERT_FALSE(image);
    EXPECT_NE(image.error().str().find("; the scalar unit has no vector instructions"),
              std::string::npos)
        << image.error().str();
  }
}

TEST(Loader, RefusesSpoiledBinaries) {
  const Overlay overlay = testOverlay();
  struct Case {
    const char *message;
    std::function<void(TestBinary &)> spoil;
  };
  const Case cases[] = {
      {"compiled for overlay", [](TestBinary &b) { b.fingerprint ^= 1; }},
      {"ABI version 2", [](TestBinary &b) { b.abi = 2; }},
      {"is no instruction", [](TestBinary &b) { b.code[0] = 0; }},
      {"launch of context 1", [](TestBinary &b) { b.code[1] = as::launch(1, as::t0, 0); }},
      {"a jump to 0x10", [](TestBinary &b) { b.code[1] = as::jal(0, 12); }},
      {"a jump to 0x6", [](TestBinary &b) { b.code[1] = as::jal(0, 2); }},
      {"is no instruction", [](TestBinary &b) { b.code[0] = as::arg(32, 0); }},
      {"is no instruction", [](TestBinary &b) { b.code[0] = as::result(1, 16); }},
      {"CSR 0x123", [](TestBinary &b) { b.code[0] = as::csrr(1, 0x123); }},
      {"not in order", [](TestBinary &b) { std::swap(b.lines[0], b.lines[1]); }},
      {".text: 65540 bytes", [](TestBinary &b) { b.code.resize(16385, as::wfi); }},
      {"name is empty", [](TestBinary &b) { b.name = ""; }},
      {"table 0 is for handler 1", [](TestBinary &b) { b.initial = {1, 1, 0, 0, 4, 4}; }},
      {"table 0 is for PE 99", [](TestBinary &b) { b.initial = {1, 0, 99, 0, 4, 4}; }},
      {"table 0 has 4 bytes at", [](TestBinary &b) { b.initial = {1, 0, 0, 0xfffffffc, 4, 4}; }},
      {"table 0 has 2 bytes at", [](TestBinary &b) { b.initial = {1, 0, 0, 0, 4, 2}; }},
      {"table 0 has 4 bytes at 2", [](TestBinary &b) { b.initial = {1, 0, 0, 2, 4, 4}; }},
      {"table 0 lies outside", [](TestBinary &b) { b.initial = {1, 0, 0, 0, 24, 4}; }},
      {"table 0 lies outside", [](TestBinary &b) { b.initial = {1, 0, 0, 0, 0xfffffffc, 8}; }},
      {"2 tables in 24 bytes", [](TestBinary &b) { b.initial = {2, 0, 0, 0, 4, 4}; }},
      {"table 1 is not in order",
       [](TestBinary &b) { b.initial = {2, 0, 1, 0, 4, 4, 0, 0, 0, 4, 4}; }},
      {"table 1 is not in order",
       [](TestBinary &b) { b.initial = {2, 0, 0, 0, 4, 8, 0, 0, 4, 4, 4}; }},
  };
  for (const Case &c : cases) {
    TestBinary binary = goodBinary(overlay);
    ASSERT_EQ(errorOf(binary.elf(), overlay), "");
    c.spoil(binary);
    EXPECT_NE(errorOf(binary.elf(), overlay).find(c.message), std::string::npos)
        << c.message << "; got: " << errorOf(binary.elf(), overlay);
  }
}

TEST(Loader, RefusesSpoiledFiles) {
  const Overlay overlay = testOverlay();
  const Bytes good = goodBinary(overlay).elf();
  auto message = [&](size_t at, uint8_t value) {
    Bytes bad = good;
    bad[at] = value;
    return errorOf(bad, overlay);
  };
  EXPECT_NE(message(4, 2).find("32-bit"), std::string::npos);  // 64-bit class
  EXPECT_NE(message(16, 2).find("type 2"), std::string::npos); // executable
  EXPECT_NE(message(18, 62).find("machine 62"), std::string::npos);
  EXPECT_NE(message(0, 0).find("not an ELF file"), std::string::npos);
  EXPECT_NE(message(35, 0xff).find("outside the file"), std::string::npos); // e_shoff
  for (size_t size = 0; size < good.size(); size += 7)
    EXPECT_NE(errorOf(Bytes(good.begin(), good.begin() + long(size)), overlay), "");

  std::vector<TestSection> sections = goodBinary(overlay).sections();
  sections.push_back({".rela.text", 4, Bytes(12)});
  EXPECT_NE(errorOf(makeElf(sections), overlay).find("relocations"), std::string::npos);
  sections.back() = sections.front();
  EXPECT_NE(errorOf(makeElf(sections), overlay).find("more than one"), std::string::npos);
  sections.erase(sections.begin(), sections.begin() + 1);
  sections.erase(sections.begin());
  EXPECT_NE(errorOf(makeElf(sections), overlay).find("no such section"), std::string::npos);
}

std::string traceError(const LoopContext &loop, const Overlay &overlay) {
  auto graph = traceContext(loop, overlay);
  return graph ? "" : graph.error().str();
}

TEST(Trace, FollowsLinksRegistersAndDelays) {
  const Overlay overlay = testOverlay();
  // PE 0 sends the stream over its link; PE 1 keeps it in a register, then adds it to
  // the beat two cycles later, which is one iteration later.
  LoopContext loop = emptyContext(overlay, 2);
  loop.numArgs = 2;
  loop.streamIn = {true, {4, false, false}, 0};
  loop.streamOut = {true, {4, false, false}, 1};
  loop.streamInSlots[0].on = true;
  const Link *link = nullptr;
  for (const Link &l : overlay.links)
    if (l.from == 0 && l.to == 1)
      link = &l;
  ASSERT_NE(link, nullptr);
  loop.pes[0].slots[0].link[link->port] = Source::StreamIn;
  isa::Slot &first = loop.pes[1].slots[1], &second = loop.pes[1].slots[0];
  first.regWrite = true;
  first.reg = 3;
  first.regData = isa::linkSource(link->inPort); // iteration 0: time 1
  second.op = Op::Sub;
  second.stage = 1;                     // time 2
  second.a = operand(Source::StreamIn); // iteration 1's beat is popped at 2: too new
  second.b = operand(isa::regSource(3));
  second.streamOut = {true, 4, operand(Source::Res), {}};
  finishContext(loop, overlay);
  EXPECT_NE(traceError(loop, overlay).find("iterations old"), std::string::npos)
      << traceError(loop, overlay);
  second.a = operand(Source::StreamIn, 2);
  second.b = operand(isa::regSource(3), 2);
  auto graph = traceContext(loop, overlay);
  ASSERT_TRUE(bool(graph)) << graph.error().str();
  const GraphNode &node = graph->nodes[1];
  EXPECT_EQ(node.time, 2u);
  EXPECT_EQ(node.operands[0].distance, 0u);
  EXPECT_EQ(node.operands[1].distance, 1u);

  LoopContext unwritten = loop;
  unwritten.pes[1].slots[0].b = operand(isa::regSource(4));
  EXPECT_NE(traceError(unwritten, overlay).find("never written"), std::string::npos);
  LoopContext unsent = loop;
  unsent.pes[0].slots[0].link[link->port] = Source::None;
  EXPECT_NE(traceError(unsent, overlay).find("does not send"), std::string::npos);
  LoopContext round = loop;
  round.pes[1].slots[1].regData = isa::regSource(3);
  EXPECT_NE(traceError(round, overlay).find("no producer"), std::string::npos);
}

// With a register behind what is read, a slot's operands are what the slot before it read.
TEST(Trace, TakesTheInputLatency) {
  Overlay overlay = testOverlay();
  overlay.inputLatency = 1;
  LoopContext loop = addContext(overlay);
  auto distance = [&](unsigned stage) -> int {
    loop.pes[0].slots[0].stage = uint8_t(stage);
    loop.pes[0].slots[0].streamOut.stage = uint8_t(stage + 6);
    finishContext(loop, overlay);
    auto graph = traceContext(loop, overlay);
    EXPECT_TRUE(bool(graph)) << graph.error().str();
    return graph ? int(graph->nodes[1].operands[0].distance) : -1;
  };
  EXPECT_EQ(distance(0), 1); // the beat of the iteration before
  EXPECT_EQ(distance(1), 0);
  loop.pes[0].slots[0].a.delay = 1;
  EXPECT_EQ(distance(1), 1);
}

// With a register behind addresses, an index is what its operand gave a cycle before the access;
// what else the access takes is of its own cycle.
TEST(Trace, TakesTheIndexLatency) {
  Overlay overlay = testOverlay();
  overlay.inputLatency = overlay.indexLatency = 1;
  LoopContext loop = emptyContext(overlay);
  loop.numArgs = 1;
  loop.streamIn = {true, {4, false, false}, 0};
  loop.streamInSlots[0].on = true;
  loop.pes[0].addresses = {{.limit = 64, .indexed = true},
                           {.base = 64, .limit = 64, .indexed = true}};
  isa::Slot &word = loop.pes[0].slots[0];
  word.read[0] = {true, 0, 0, operand(Source::StreamIn)};
  word.write = {true, 0, 1, operand(Source::StreamIn), operand(Source::StreamIn), {}};
  auto distances = [&](unsigned stage) {
    word.read[0].stage = word.write.stage = uint8_t(stage);
    finishContext(loop, overlay);
    auto graph = traceContext(loop, overlay);
    EXPECT_TRUE(bool(graph)) << graph.error().str();
    std::vector<unsigned> found;
    for (const GraphNode &node : graph->nodes)
      for (const GraphOperand &from : node.operands)
        if (from.kind == GraphOperand::Kind::Node)
          found.push_back(from.distance);
    return found; // of the read's index, the data, the write's index
  };
  EXPECT_EQ(distances(1), (std::vector<unsigned>{1, 0, 1}));
  word.write.data.delay = 1;
  EXPECT_EQ(distances(2), (std::vector<unsigned>{0, 0, 0}));
  // Where the array follows the sequencer by two cycles, it is what it gave three cycles before.
  overlay.indexLatency = 3;
  overlay.stallLatency = 2;
  EXPECT_EQ(distances(2), (std::vector<unsigned>{2, 0, 2}));
  word.write.data.delay = 3;
  EXPECT_EQ(distances(4), (std::vector<unsigned>{0, 0, 0}));
  overlay.indexLatency = 1;
  overlay.stallLatency = 0;
  word.write.data.delay = 0;
  // A constant is that of the slot, whenever it is taken.
  word.read[0].index = operand(Source::Imm1);
  word.write.index = operand(Source::Imm0);
  EXPECT_EQ(distances(1), (std::vector<unsigned>{0}));
}

TEST(Trace, ReadsThatAreEachOthersIndexNeedARegister) {
  Overlay overlay = testOverlay();
  LoopContext loop = emptyContext(overlay);
  loop.pes[0].addresses = {{.limit = 64, .indexed = true},
                           {.base = 64, .limit = 64, .indexed = true}};
  isa::Slot &word = loop.pes[0].slots[0];
  word.read[0] = {true, 0, 0, operand(Source::Vrf1)};
  word.read[1] = {true, 0, 1, operand(Source::Vrf0)};
  finishContext(loop, overlay);
  EXPECT_NE(traceError(loop, overlay).find("each other's index"), std::string::npos);
  overlay.inputLatency = 1;
  auto graph = traceContext(loop, overlay);
  ASSERT_TRUE(bool(graph)) << graph.error().str();
  EXPECT_EQ(graph->nodes[0].operands[0].distance, 1u);
}

TEST(Trace, RefusesWhatTheDescriptionLeavesOut) {
  const Overlay full = testOverlay();
  const LoopContext loop = addContext(full);
  Overlay overlay = full;
  overlay.stages = loop.stages;
  overlay.arguments = loop.numArgs;
  EXPECT_EQ(traceError(loop, overlay), "");
  overlay.stages = loop.stages - 1u;
  EXPECT_NE(traceError(loop, overlay).find(" stages; the overlay has "), std::string::npos);
  overlay = full;
  overlay.arguments = loop.numArgs - 1u;
  EXPECT_NE(traceError(loop, overlay).find("arguments and"), std::string::npos);
  overlay = full;
  for (PeKind &pe : overlay.pes)
    pe.extras &= ~extra::Wide;
  EXPECT_EQ(traceError(loop, overlay), "");
  LoopContext wide = loop;
  wide.laneBits = 64;
  EXPECT_NE(traceError(wide, overlay).find("no PE of the overlay has elements of 64 bits"),
            std::string::npos);
}

TEST(Trace, RefusesWhatTheHardwareCannotDo) {
  const Overlay overlay = testOverlay();
  struct Case {
    const char *message;
    std::function<void(LoopContext &)> spoil;
  };
  const Case cases[] = {
      {"carries nothing",
       [](LoopContext &l) {
         l.pes[1].slots[0].streamOut = {};
         l.pes[0].slots[0].streamOut.data = operand(Source::Vrf0);
       }},
      {"with types", [](LoopContext &l) { l.pes[0].slots[0].type = isa::Type::F32; }},
      {"operand 1 is missing", [](LoopContext &l) { l.pes[0].slots[0].b = {}; }},
      {"constant with a delay", [](LoopContext &l) { l.pes[0].slots[0].b.delay = 1; }},
      {"stages", [](LoopContext &l) { l.stages = 9; }},
      {"argument 2", [](LoopContext &l) { l.pes[0].slots[0].immArg[0] = 2; }},
      {"elements of 3 bytes", [](LoopContext &l) { l.streamIn.format.bytes = 3; }},
      {"8 bytes in lanes of 32", [](LoopContext &l) { l.streamIn.format.bytes = 8; }},
      {"without an accumulation", [](LoopContext &l) { l.pes[0].slots[0].result = 0; }},
      {"has no accumulation", [](LoopContext &l) { l.numResults = 1; }},
      {"accumulation in a scalar loop",
       [](LoopContext &l) {
         l.scalar = true;
         l.pes[0].slots[0].accumulate = true;
       }},
      {"move between lanes in a scalar loop",
       [](LoopContext &l) {
         l.scalar = true;
         l.pes[0].slots[0].op = Op::Lane;
       }},
      {"initial value for 16 iterations",
       [](LoopContext &l) { l.pes[0].slots[0].a.first = isa::FirstOfRow + 1; }},
      {"interlocked write with an initial value", // early, it takes a delay line's value instead
       [](LoopContext &l) {
         l.pes[0].addresses = {{0, 1}};
         l.vregsRead = l.vregsWritten = 1;
         isa::Slot &word = l.pes[0].slots[0];
         word.read[0].on = true;
         word.write = {true, 5, 0, {}, operand(Source::Res), operand(Source::StreamIn), true};
         word.write.predicate.first = 2;
       }},
      {"an initial value without a source",
       [](LoopContext &l) {
         l.pes[0].addresses = {{0, 1}};
         l.vregsWritten = 1;
         l.pes[0].slots[0].write.on = true;
         l.pes[0].slots[0].write.data = {Source::Imm0, 0};
         l.pes[0].slots[0].write.predicate.first = 1;
       }},
      {"2 PEs send", [](LoopContext &l) { l.pes[1].slots[0] = l.pes[0].slots[0]; }},
      {"used without being on", [](LoopContext &l) { l.streamIn.on = false; }},
      {"lane number 16",
       [](LoopContext &l) {
         l.pes[0].slots[0].op = Op::Lane;
         l.pes[0].slots[0].imm[0] = 16;
       }},
      {"does not list",
       [](LoopContext &l) {
         l.pes[0].addresses = {{0, 200}};
         l.pes[0].slots[0].read[0].on = true;
         l.vregsRead = 1;
       }},
  };
  for (const Case &c : cases) {
    LoopContext loop = addContext(overlay);
    ASSERT_EQ(traceError(loop, overlay), "");
    c.spoil(loop);
    EXPECT_NE(traceError(loop, overlay).find(c.message), std::string::npos)
        << c.message << "; got: " << traceError(loop, overlay);
  }
}

/// acc[idx] += in on PE 0, the index being the stream's own element.
LoopContext scatterContext(const Overlay &overlay) {
  LoopContext loop = emptyContext(overlay);
  loop.numArgs = 1;
  loop.streamIn = {true, {4, false, false}, 0};
  loop.streamInSlots[0].on = true;
  isa::VrfAddress address;
  address.limit = 64;
  address.indexed = true;
  loop.pes[0].addresses = {address};
  isa::Slot &word = loop.pes[0].slots[0];
  word.read[0] = {true, 0, 0, operand(Source::StreamIn)};
  word.op = Op::Add;
  word.a = operand(Source::Vrf0);
  word.b = operand(Source::StreamIn);
  word.write = {true, 6, 0, operand(Source::StreamIn, 6), operand(Source::Res), {}, true};
  finishContext(loop, overlay);
  return loop;
}

TEST(Trace, RefusesWhatAPeCannotDo) {
  Overlay plain = testOverlay();
  plain.pes[0].extras = 0;
  const Overlay rich = testOverlay();
  LoopContext fma = addContext(rich), iota = fma, wide = fma, gather = scatterContext(rich);
  isa::Slot &word = fma.pes[0].slots[0];
  word.op = Op::Fma;
  word.type = isa::Type::F32;
  word.c = word.b;
  iota.pes[0].slots[0].op = Op::Iota;
  wide.laneBits = 64;
  const std::pair<const char *, const LoopContext *> cases[] = {
      {"the PE's unit has not fused multiply-add", &fma},
      {"the PE's unit has not moves between lanes", &iota},
      {"the PE's unit has not elements of 64 bits", &wide},
      {"the PE has not an index for each lane", &gather},
  };
  for (const auto &[message, loop] : cases) {
    EXPECT_NE(traceError(*loop, plain).find(message), std::string::npos)
        << message << "; got: " << traceError(*loop, plain);
    EXPECT_EQ(traceError(*loop, rich).find("has not"), std::string::npos);
  }
  gather.pes[0].addresses[0].uniform = true; // one index for all lanes, that of the first
  EXPECT_EQ(traceError(gather, plain).find("has not"), std::string::npos);
  gather.pes[0].addresses[0].lane = 2;
  EXPECT_NE(traceError(gather, plain)
                .find("with the index of lane 2; the PE has not an index for each lane"),
            std::string::npos)
      << traceError(gather, plain);
  EXPECT_EQ(traceError(gather, rich).find("has not"), std::string::npos);
}

TEST(Trace, RefusesWhatASharedUnitHasNoTimeFor) {
  Overlay plain = testOverlay();
  plain.pes[0].every[unsigned(UnitClass::Divide)] = 2;
  LoopContext loop = cts::emptyContext(plain, 4);
  auto divide = [&](unsigned slot) {
    isa::Slot &word = loop.pes[0].slots[slot];
    word.op = Op::Udiv;
    word.type = isa::Type::I32;
    word.a = word.b = {Source::Imm0, 0};
  };
  divide(0);
  divide(2);
  EXPECT_EQ(traceError(loop, plain), "");
  divide(3);
  EXPECT_NE(traceError(loop, plain).find("pe 0, slot 3: two operations fewer than 2 slots apart"),
            std::string::npos)
      << traceError(loop, plain);
  loop.pes[0].slots[2] = {};
  EXPECT_NE(traceError(loop, plain).find("slot 3: two operations"), std::string::npos); // and 0
  loop = cts::emptyContext(plain, 1);
  divide(0);
  EXPECT_NE(traceError(loop, plain)
                .find("an operation in each interval of 1 slots; the PE's unit "
                      "takes one in 2"),
            std::string::npos)
      << traceError(loop, plain);
  plain.pes[0].every[unsigned(UnitClass::Divide)] = 1;
  EXPECT_EQ(traceError(loop, plain), "");
}

TEST(Trace, OrdersRegisterFileAccesses) {
  const Overlay overlay = testOverlay();
  LoopContext loop = scatterContext(overlay);
  auto graph = traceContext(loop, overlay);
  ASSERT_TRUE(bool(graph)) << graph.error().str();
  EXPECT_TRUE(graph->sparseAccumulation);
  ASSERT_EQ(graph->orders.size(), 1u);
  EXPECT_EQ(graph->orders[0].distance, 1);
  EXPECT_TRUE(graph->orders[0].interlock);

  loop.pes[0].slots[0].write.interlock = false; // the read is 6 cycles too early now
  graph = traceContext(loop, overlay);
  ASSERT_TRUE(bool(graph));
  EXPECT_EQ(graph->orders[0].distance, 7);
  EXPECT_FALSE(graph->sparseAccumulation);

  loop = scatterContext(overlay);
  loop.pes[0].slots[0].write.index.delay = 7; // another iteration's index
  EXPECT_NE(traceError(loop, overlay).find("interlock"), std::string::npos);
}

static void everyInstructionTraces(const Overlay &overlay) {
  VectorState state;
  using Kind = VectorInstruction::Kind;
  VectorInstruction instruction;
  instruction.vd = 0;
  instruction.vs2 = 16;
  instruction.op = Op::Fadd;
  instruction.eewBits = 32;
  EXPECT_FALSE(bool(vectorLaunches(instruction, state, overlay))); // no vsetvli
  for (unsigned sew : {2u, 3u}) {
    setVectorType(sew << 3 | 4, state);
    EXPECT_EQ(state.lmul, 16u);
    EXPECT_EQ(maxVectorLength(state, overlay), 2048u * (sew == 2 ? 16 : 8));
    state.vl = 100;
    for (Kind kind : {Kind::Load, Kind::Store, Kind::Move, Kind::Binary, Kind::StreamOut,
                      Kind::SpvaccXv, Kind::SpvaccVx}) {
      instruction.kind = kind;
      instruction.vs1 = 16;
      auto launches = vectorLaunches(instruction, state, overlay);
      ASSERT_TRUE(bool(launches)) << launches.error().str();
      EXPECT_EQ(launches->size(), kind == Kind::StreamOut ? 2u : 1u);
      for (const VectorLaunch &launch : *launches)
        EXPECT_EQ(traceError(launch.context, overlay), "") << int(kind);
    }
  }
  instruction.kind = Kind::Load;
  instruction.vd = 8; // not a multiple of 16
  EXPECT_FALSE(bool(vectorLaunches(instruction, state, overlay)));
  instruction.vd = 0;
  setVectorType(0 << 3, state); // SEW 8
  instruction.eewBits = 64;
  EXPECT_FALSE(bool(vectorLaunches(instruction, state, overlay)));
}

TEST(VectorContext, EveryInstructionTraces) {
  Overlay overlay = testOverlay();
  everyInstructionTraces(overlay);
  overlay.inputLatency = 1;
  everyInstructionTraces(overlay);
  overlay.indexLatency = 1;
  everyInstructionTraces(overlay);
}

TEST(VectorContext, SparseAccumulationNeedsDelayLinesFromReadToWrite) {
  Overlay overlay = testOverlay(); // float 8
  VectorState state;
  setVectorType(2 << 3, state);
  state.vl = 4;
  VectorInstruction instruction;
  instruction.kind = VectorInstruction::Kind::SpvaccVx;
  instruction.vs2 = 1;
  for (unsigned inputLatency : {0u, 1u}) {
    overlay.inputLatency = inputLatency;
    overlay.operandDelay = 9 + inputLatency;
    EXPECT_TRUE(bool(vectorLaunches(instruction, state, overlay))) << inputLatency;
    overlay.operandDelay = 8 + inputLatency;
    EXPECT_FALSE(bool(vectorLaunches(instruction, state, overlay))) << inputLatency;
  }
  // An index that is taken earlier is so for the read and for the write.
  overlay.indexLatency = 1;
  overlay.operandDelay = 10;
  auto launches = vectorLaunches(instruction, state, overlay);
  ASSERT_TRUE(bool(launches)) << launches.error().str();
  EXPECT_TRUE(bool(traceContext(launches->front().context, overlay)));
  EXPECT_EQ(launches->front().context.pes[0].slots[0].write.stage, 2 + 1 + 8);
}

} // namespace
