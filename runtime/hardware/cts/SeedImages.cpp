#include "runtime/hardware/cts/SeedImages.h"

#include "runtime/hardware/cts/Harness.h"

namespace acis::cts {

using isa::LoopContext;
using isa::Op;
using isa::Source;
using isa::Type;

namespace {

/// Stream, operation on PE 0, link to PE 1, register, second operation, stream.
LoopContext routedContext(const Overlay &overlay) {
  LoopContext loop = streamContext(overlay, 2, 32, 4, 4);
  loop.numArgs = 3;
  loop.streamInSlots[0].on = true;
  const Link *link = nullptr;
  for (const Link &l : overlay.links)
    if (l.from == 0 && l.to == 1)
      link = &l;
  isa::Slot &first = loop.pes[0].slots[0], &second = loop.pes[1].slots[0];
  first.op = Op::Mul;
  first.a = operand(Source::StreamIn);
  first.b = operand(Source::Imm0);
  first.immArg[0] = 2;
  first.link[link->port] = Source::Res; // time 6, at the neighbour at 7
  loop.pes[1].slots[1].regWrite = true;
  loop.pes[1].slots[1].reg = 2;
  loop.pes[1].slots[1].regData = isa::linkSource(link->inPort); // held from 8 on
  second.op = Op::Add;
  second.stage = 5; // time 10
  second.a = operand(isa::regSource(2), 1);
  second.b = operand(Source::StreamIn, 10);
  second.streamOut = {true, 8, operand(Source::Res), {}};
  finishContext(loop, overlay);
  return loop;
}

LoopContext sumContext(const Overlay &overlay) {
  LoopContext loop = streamContext(overlay, 1, 32, 2, 0);
  loop.streamIn.format.isSigned = true;
  loop.numResults = 1;
  loop.streamInSlots[0].on = true;
  isa::Slot &word = loop.pes[0].slots[0];
  word.op = Op::Add;
  word.a = operand(Source::StreamIn);
  word.accumulate = true;
  word.result = 0;
  finishContext(loop, overlay);
  return loop;
}

LoopContext updateContext(const Overlay &overlay) {
  LoopContext loop = streamContext(overlay, 1, 32, 4, 4);
  loop.streamInSlots[0].on = true;
  isa::VrfAddress address;
  address.limit = 32;
  address.indexed = true;
  address.uniform = true;
  address.lane = 3;
  address.bits = 5;
  loop.pes[0].addresses = {address};
  isa::Slot &word = loop.pes[0].slots[0];
  word.read[0] = {true, 0, 0, operand(Source::StreamIn)};
  word.op = Op::Fadd;
  word.type = Type::F32;
  word.a = operand(Source::Vrf0);
  word.b = operand(Source::StreamIn);
  word.write = {true, 8, 0, operand(Source::StreamIn, 8), operand(Source::Res), {}, true};
  word.streamOut = {true, 8, operand(Source::Res), {}};
  finishContext(loop, overlay);
  return loop;
}

LoopContext fileContext(const Overlay &overlay) {
  LoopContext loop = streamContext(overlay, 2, 32, 4, 4);
  loop.streamInSlots[0].on = true;
  loop.innerCount = 3;
  isa::VrfAddress address;
  address.limit = 64;
  address.stride0 = 1;
  address.stride1 = 4;
  loop.pes[1].addresses = {address, address};
  loop.pes[1].addresses[1].base = 8;
  isa::Slot &first = loop.pes[1].slots[0], &second = loop.pes[0].slots[1];
  first.read[0] = {true, 0, 0, {}};
  first.op = Op::Smax;
  first.a = operand(Source::StreamIn);
  first.b = operand(Source::Vrf0);
  second.op = Op::Slide;
  second.a = operand(Source::StreamIn, 1);
  second.b = operand(Source::StreamIn, 3);
  second.imm[0] = 2;
  first.write = {true, 3, 1, {}, operand(Source::Res), operand(Source::StreamIn, 6), false};
  second.streamOut = {true, 3, operand(Source::Res), {}};
  finishContext(loop, overlay);
  return loop;
}

LoopContext memoryContext(const Overlay &overlay) {
  LoopContext loop = emptyContext(overlay, 1, 64);
  loop.numArgs = 2;
  loop.pes[1].memIn = {true, {4, false, false}, 0, 0, 0, 32};
  loop.pes[1].memOut = {true, {8, false, false}, 1, 8, 0, 64};
  isa::Slot &word = loop.pes[1].slots[0];
  word.memIn.on = true;
  word.op = Op::Uitofp;
  word.type = Type::F64;
  word.from = Type::I32;
  word.a = operand(Source::MemIn);
  word.memOut = {true, 4, operand(Source::Res), operand(Source::MemIn, 4)};
  finishContext(loop, overlay);
  return loop;
}

Words vectorCode() {
  Words code;
  as::li(code, as::t0, 8);
  code.push_back(as::vsetvli(0, as::t0, 2 << 3));
  code.push_back(as::vle(32, 2, as::a2));
  code.push_back(as::opV(0, 1, 3, 2, 2));
  code.push_back(as::streamin(as::a4, as::zero, 2));
  code.push_back(as::spvaccXv(3, 2));
  code.push_back(as::streamoutv(3, as::zero));
  code.push_back(as::vse(32, 3, as::a2));
  code.push_back(as::wfi);
  return code;
}

} // namespace

std::vector<Bytes> seedImages() {
  const Overlay overlay = testOverlay();
  std::vector<Bytes> images;
  auto add = [&](const LoopContext &loop, const Words &code) {
    TestBinary binary(overlay);
    binary.contexts = {loop};
    binary.code = code;
    binary.lines = {{0, 0, 7}, {LineEntry::Code, 0, 3}};
    if (loop.pes[1].addresses.size() == 2) // reads a register file that it has not filled
      binary.initial = {2, 0, 1, 64, 44, 8, 0, 1, 512, 48, 4, 0x12345678, 0x9abcdef0};
    images.push_back(binary.elf());
  };
  add(routedContext(overlay), launchCode(5, 3, {0, 0, 77}));
  Words sum = launchCode(7, 2);
  sum.insert(sum.end() - 1, {as::result(as::a4, 0), as::streamout(as::a4, as::zero, 2)});
  add(sumContext(overlay), sum);
  add(updateContext(overlay), launchCode(9));
  add(fileContext(overlay), launchCode(9, 15));
  Words memory = launchCode(3, 5, {0x80000000, 0x80000400});
  memory.insert(memory.end() - 1, as::sync);
  add(memoryContext(overlay), memory);
  add(emptyContext(overlay), vectorCode());
  return images;
}

/// A loop that reads memory that it writes finds old or new content (MemAddress).
static bool mayRace(const Image &image) {
  for (const ImageContext &context : image.contexts) {
    bool reads = false, writes = false;
    for (const isa::PeContext &pe : context.loop.pes) {
      reads |= pe.memIn.on;
      writes |= pe.memOut.on;
    }
    if (reads && writes)
      return true;
  }
  return false;
}

MutantResult runMutant(const Bytes &elf, bool racesDiffer) {
  static const Overlay overlay = testOverlay();
  MutantResult result;
  auto image = loadImage(elf, overlay);
  if (!image) {
    result.refusal = image.error().str();
    return result;
  }
  result.loaded = true;
  std::optional<Outcome> first;
  for (const Engine &engine : engines()) {
    if (engine.slow) // thousands of mutants
      continue;
    Outcome outcome;
    std::unique_ptr<Device> device = engine.make(overlay);
    if (!device->load(*image, (*image)->handlers[0].name) || !device->resizeMemory(4096))
      return result;
    for (size_t i = 0; i < 4096; ++i)
      device->memory()[i] = uint8_t(i * 7);
    device->setDeadline(2000);
    for (unsigned k = 0; k < 3; ++k) {
      Bytes packet(700 + 100 * k);
      for (size_t i = 0; i < packet.size(); ++i)
        packet[i] = uint8_t(i * i + k);
      device->push(packet);
    }
    (void)device->run();
    if (device->trap())
      outcome.trap = *device->trap();
    if (outcome.trap)
      result.refusal = outcome.trap->what;
    result.trapped |= outcome.trap.has_value();
    for (Bytes packet; device->pop(packet);)
      outcome.packets.push_back(packet);
    outcome.memory.assign(device->memory().begin(), device->memory().end());
    if (!first) {
      first = std::move(outcome);
      continue;
    }
    // Which of several traps comes first depends on how far control runs ahead.
    if (outcome.trap.has_value() != first->trap.has_value())
      result.difference =
          "only one engine traps: " + (outcome.trap ? *outcome.trap : *first->trap).what;
    else if (racesDiffer && mayRace(**image))
      continue;
    else if (!outcome.trap && outcome.packets != first->packets)
      result.difference = "the packets differ";
    else if (!outcome.trap && outcome.memory != first->memory)
      result.difference = "the memories differ";
  }
  return result;
}

} // namespace acis::cts
