// See RandomContext.h.
#include "runtime/engine/programs/RandomContext.h"

#include "runtime/engine/device/Element.h"
#include "runtime/engine/loader/Trace.h"
#include "runtime/engine/programs/ContextBuilder.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace acis::model {
namespace {

using isa::LoopContext;
using isa::Op;
using isa::Operand;
using isa::PeContext;
using isa::Slot;
using isa::Source;
using isa::Type;

/// A value that is on a bus of `pe` at `time` of iteration 0.
struct Value {
  unsigned pe = 0, time = 0;
  Source source = Source::None;
};

class Generator {
public:
  Generator(const Overlay &overlay, std::mt19937 &random, const RandomOptions &options)
      : overlay(overlay), random(random), options(options) {}

  LoopContext generate() {
    const unsigned laneBits = chance(4) && overlay.isWide() ? 64 : 32;
    loop = cts::emptyContext(overlay, 1 + below(options.maxIi), laneBits);
    loop.scalar = options.scalar && below(5) < 2;
    // See argumentNumber().
    loop.numArgs = uint8_t(std::min(RandomArgs + below(RandomArgs), overlay.arguments));
    loop.innerCount = uint16_t(1 + below(7));
    bare = chance(12);
    if (!bare)
      addInputs();
    const bool sends = !bare && !chance(5);
    for (unsigned i = 0; i < options.elements; ++i)
      addSomething();
    for (unsigned i = 0; i < 4 && sends && !loop.streamOut.on; ++i)
      attempt([&] { return addStreamOut(); });
    cts::finishContext(loop, overlay);
    if (!usesArguments())
      loop.numArgs = uint8_t(below(2));
    return loop;
  }

private:
  unsigned below(unsigned n) { return unsigned(random() % n); }
  bool chance(unsigned oneIn) { return below(oneIn) == 0; }
  /// What a slot reads in array time `time` is a source.
  void haveRead(unsigned pe, unsigned time, Source source) {
    values.push_back({pe, time + overlay.inputLatency, source});
  }

  bool accepted() {
    LoopContext copy = loop;
    cts::finishContext(copy, overlay);
    return bool(traceContext(copy, overlay));
  }

  static bool isConstant(const Operand &operand) {
    return operand.source == Source::Imm0 || operand.source == Source::Imm1;
  }

  /// Keeps what `change` does if it says so and the loader accepts the result.
  template <typename F> bool attempt(F change) {
    const LoopContext before = loop;
    const std::vector<Value> valuesBefore = values;
    if (change() && accepted())
      return true;
    loop = before;
    values = valuesBefore;
    return false;
  }

  Slot &word(unsigned pe, unsigned time) { return loop.pes[pe].slots[time % loop.ii]; }
  unsigned randomTime() { return below(20); }

  isa::ElementFormat format() {
    static constexpr uint8_t sizes[] = {1, 2, 4, 8};
    return {sizes[below(loop.laneBits == 64 ? 4 : 3)], chance(2), chance(5)};
  }

  uint8_t argument(unsigned which) const { return uint8_t(argumentNumber(loop, which)); }

  bool usesArguments() const {
    bool uses = loop.streamIn.on || loop.streamOut.on;
    for (const PeContext &pe : loop.pes) {
      uses |= pe.memIn.on || pe.memOut.on;
      for (const isa::VrfAddress &address : pe.addresses)
        uses |= address.arg != isa::NoArg;
      for (const Slot &slot : pe.slots)
        uses |= slot.immArg[0] != isa::NoArg || slot.immArg[1] != isa::NoArg;
    }
    return uses;
  }

  /// From -n to n, often 0.
  int32_t stride(unsigned n) { return chance(4) ? 0 : int32_t(below(2 * n + 1)) - int32_t(n); }

  void addInputs() {
    if (!chance(5))
      addStreamIn();
    if (chance(2))
      addMemIn();
  }

  void addStreamIn() {
    attempt([&] {
      const unsigned time = below(4);
      loop.streamIn = {true, format(), argument(0)};
      isa::PortRead &pop = loop.streamInSlots[time % loop.ii];
      pop.on = true;
      pop.stage = uint8_t(time / loop.ii);
      for (unsigned pe = 0; pe < overlay.numPes(); ++pe)
        haveRead(pe, time, Source::StreamIn);
      return true;
    });
  }

  void addMemIn() {
    attempt([&] {
      const unsigned pe = below(overlay.numPes()), time = below(6);
      PeContext &words = loop.pes[pe];
      words.memIn = {true, format(), argument(2), stride(64), stride(128), stride(300)};
      Slot &slot = word(pe, time);
      slot.memIn.on = true;
      slot.memIn.stage = uint8_t(time / loop.ii);
      haveRead(pe, time, Source::MemIn);
      return true;
    });
  }

  /// An operand for a use at `time`: a value, perhaps of an earlier iteration.
  Operand operand(unsigned pe, int time) {
    Operand made = value(pe, time);
    if (chance(5)) {
      made.first = chance(3) ? isa::FirstOfRow : uint8_t(1 + below(chance(3) ? isa::MaxFirst : 2));
      made.init = uint8_t(below(2));
    }
    return made;
  }

  static Source kindOf(Source source) {
    return source >= Source::Reg0 ? Source::Reg0 : source >= Source::Link0 ? Source::Link0 : source;
  }
  /// One of the values on a PE, every kind of source as often as every other.
  const Value *pick(unsigned pe) {
    std::map<Source, std::vector<const Value *>> kinds;
    for (const Value &value : values)
      if (value.pe == pe)
        kinds[kindOf(value.source)].push_back(&value);
    if (kinds.empty())
      return nullptr;
    const auto &chosen = std::next(kinds.begin(), below(unsigned(kinds.size())))->second;
    return chosen[below(unsigned(chosen.size()))];
  }

  /// The same without an initial value.
  Operand value(unsigned pe, int time) {
    const Value *from = chance(6) ? nullptr : pick(pe);
    if (!from)
      return {chance(2) ? Source::Imm0 : Source::Imm1, 0};
    int delay = time - int(from->time);
    if (chance(6))
      delay += int(loop.ii * below(3)); // of an earlier iteration
    while (delay < 0)
      delay += int(loop.ii);
    return {from->source, uint8_t(std::min(delay, int(overlay.operandDelay) - 1))};
  }

  /// An operand that is the index of an access at `time`, which takes it earlier.
  Operand indexOf(unsigned pe, unsigned time) {
    return operand(pe, int(time) - int(overlay.indexLatency));
  }

  /// What routing can move: a source, and a cycle in which it has a value.
  std::pair<Source, unsigned> present(unsigned pe) {
    const Value *from = chance(8) ? nullptr : pick(pe);
    if (!from)
      return {chance(2) ? Source::Imm0 : Source::Imm1, randomTime()};
    return {from->source, from->time};
  }

  /// Any operation; in a scalar loop none that moves between lanes.
  Op randomOp() {
    static constexpr Op ops[] = {
#define ACIS_OP(Name, Mnemonic, Class, Operands) Op::Name,
#include "backend/isa/Ops.def"
    };
    const bool three = chance(4); // there are few of three operands
    for (;;) {
      const Op op = ops[below(std::size(ops))];
      if (isa::numOperands(op) < 3 && three)
        continue;
      if (op != Op::Nop && !(loop.scalar && (op == Op::Lane || op == Op::Slide)))
        return op;
    }
  }

  /// Types that `op` has.
  void randomTypes(Slot &slot) {
    do {
      slot.type = Type(below(6));
      slot.from = Type(below(6));
    } while (!element::validTypes(slot.op, slot.type, slot.from, loop.laneBits));
  }

  bool addCompute() {
    const unsigned pe = below(overlay.numPes()), time = randomTime();
    Slot &slot = word(pe, time);
    if (slot.op != Op::Nop)
      return false;
    slot.op = randomOp();
    randomTypes(slot);
    slot.stage = uint8_t(time / loop.ii);
    slot.a = operand(pe, time);
    slot.b = operand(pe, time);
    slot.c = operand(pe, time);
    if (slot.op == Op::Lane || slot.op == Op::Slide) {
      slot.imm[0] = 1 + below(overlay.lanes * 32 / loop.laneBits - 1);
    } else {
      slot.imm[0] = random() & 0xff;
      if (!bare && chance(3))
        slot.immArg[0] = argument(4);
    }
    slot.imm[1] = chance(4) ? below(2) : random();
    if (!bare && chance(4)) // and the number after it, of 64 bits
      slot.immArg[1] = std::min(argument(4), uint8_t(loop.numArgs - 2));
    if (loop.scalar) {
      if (loop.numResults < 8 && chance(3))
        slot.result = loop.numResults++;
    } else if (chance(element::foldOp(slot.op) == Op::Nop ? 20 : 3)) {
      slot.accumulate = true;
      if (!options.identities)
        slot.imm[1] = 0;
      slot.immArg[1] = isa::NoArg;
      if (loop.numResults < 8 && chance(2))
        slot.result = loop.numResults++;
    }
    values.push_back({pe, time + latencyOf(slot.op, overlay), Source::Res});
    return true;
  }

  bool addLink() {
    if (overlay.links.empty())
      return false;
    const Link &link = overlay.links[below(unsigned(overlay.links.size()))];
    const auto [source, time] = present(link.from);
    Slot &slot = word(link.from, time);
    if (slot.link[link.port] != Source::None)
      return false;
    slot.link[link.port] = source;
    values.push_back({link.to, time + 1, isa::linkSource(link.inPort)});
    return true;
  }

  bool addRegister() {
    const unsigned pe = below(overlay.numPes());
    const auto [source, time] = present(pe);
    Slot &slot = word(pe, time);
    if (slot.regWrite)
      return false;
    slot.regWrite = true;
    slot.reg = uint8_t(below(overlay.routeRegs));
    slot.regData = source;
    for (unsigned wait = 1; wait <= loop.ii; ++wait)
      values.push_back({pe, time + wait, isa::regSource(slot.reg)});
    return true;
  }

  uint8_t addAddress(unsigned pe) {
    PeContext &words = loop.pes[pe];
    isa::VrfAddress address;
    address.base = uint16_t(below(4) * (overlay.vrfBeats / 8) + chance(6));
    address.limit = uint16_t(64 + below(63));
    if (loop.scalar)
      address.lane = uint8_t(below(overlay.lanes * 32 / loop.laneBits));
    address.stride0 = int16_t(below(3));
    address.stride1 = int16_t(below(3));
    if (!bare && chance(4))
      address.arg = argument(5);
    if (options.indexed && chance(2)) {
      address.indexed = true;
      address.stride0 = address.stride1 = 0;
      address.zeroOutside = true;
      const bool gathers = !overlay.pes[pe].lacks(extra::Gather);
      if (!loop.scalar && (!gathers || chance(2))) {
        address.uniform = true;
        address.lane = gathers ? uint8_t(below(overlay.lanes * 32 / loop.laneBits)) : 0;
      }
      address.shift = uint8_t(below(8));
      address.bits = uint8_t(chance(4) ? 0 : 1 + below(7));
    } else {
      address.zeroOutside = chance(2);
      if (address.zeroOutside && chance(2)) {
        address.stride0 = int16_t(stride(2));
        address.stride1 = int16_t(stride(2));
      }
      address.limit = uint16_t(std::min(512u, overlay.vrfBeats / 2));
    }
    if (address.zeroOutside && chance(10))
      address.limit = uint16_t(below(2));
    if (options.outside && chance(20)) {
      address.zeroOutside = false;
      address.limit = uint16_t(1 + below(64));
    }
    words.addresses.push_back(address);
    return uint8_t(words.addresses.size() - 1);
  }

  bool addRead() {
    const unsigned pe = below(overlay.numPes()), time = randomTime(), port = below(2);
    isa::VrfRead &read = word(pe, time).read[port];
    if (read.on)
      return false;
    read.on = true;
    read.stage = uint8_t(time / loop.ii);
    read.address = addAddress(pe);
    read.index = indexOf(pe, time);
    haveRead(pe, time, port == 0 ? Source::Vrf0 : Source::Vrf1);
    return true;
  }

  /// Two reads, of which one gives the other's index as soon as it is there.
  bool addChain() {
    const unsigned pe = below(overlay.numPes()), time = randomTime(), port = below(2);
    const unsigned times[] = {time, time + overlay.inputLatency + overlay.indexLatency};
    const unsigned ports[] = {port, 1 - port};
    if (!options.indexed || word(pe, times[0]).read[0].on || word(pe, times[0]).read[1].on ||
        word(pe, times[1]).read[ports[1]].on)
      return false;
    const Source given[] = {Source::Vrf0, Source::Vrf1};
    for (unsigned i = 0; i < 2; ++i) {
      isa::VrfRead &read = word(pe, times[i]).read[ports[i]];
      read.on = true;
      read.stage = uint8_t(times[i] / loop.ii);
      read.address = addAddress(pe);
      read.index = indexOf(pe, times[i]);
      haveRead(pe, times[i], given[ports[i]]);
    }
    word(pe, times[1]).read[ports[1]].index.source = given[port];
    word(pe, times[1]).read[ports[1]].index.delay = 0;
    loop.pes[pe].addresses.back().indexed = true;
    return true;
  }

  bool addWrite() {
    const unsigned pe = below(overlay.numPes()), time = randomTime();
    isa::VrfWrite &write = word(pe, time).write;
    if (write.on)
      return false;
    write.on = true;
    write.stage = uint8_t(time / loop.ii);
    write.address = addAddress(pe);
    write.index = indexOf(pe, time);
    write.data = operand(pe, time);
    if (chance(2))
      write.predicate = operand(pe, time);
    return true;
  }

  /// vd[index] = op(vd[index], x), ordered by the interlock. The operation may start
  /// some cycles after the read, and may have a predicate.
  bool addUpdate() {
    const unsigned pe = below(overlay.numPes()), time = randomTime(), port = below(2);
    const unsigned pause = overlay.inputLatency + (chance(4) ? below(6) : 0);
    Slot &first = word(pe, time), &middle = word(pe, time + pause);
    const Operand index = value(pe, int(time) - int(overlay.indexLatency));
    if (loop.scalar || first.read[port].on || middle.op != Op::Nop || isConstant(index))
      return false;
    const uint8_t address = addAddress(pe);
    first.read[port] = {true, uint8_t(time / loop.ii), address, index};
    middle.op = loop.laneBits == 64 || chance(2) ? Op::Xor : Op::Fadd;
    middle.type = middle.op == Op::Fadd ? Type::F32 : loop.laneBits == 64 ? Type::I64 : Type::I32;
    middle.stage = uint8_t((time + pause) / loop.ii);
    middle.a = {port == 0 ? Source::Vrf0 : Source::Vrf1, uint8_t(pause - overlay.inputLatency)};
    middle.b = operand(pe, time + pause);
    const unsigned hold = chance(4) ? below(4) : 0; // result to write
    const unsigned late = pause + latencyOf(middle.op, overlay) + hold;
    Slot &last = word(pe, time + late);
    if (last.write.on || index.delay + late >= overlay.operandDelay)
      return false;
    last.write.on = true;
    last.write.interlock = true;
    last.write.stage = uint8_t((time + late) / loop.ii);
    last.write.address = address;
    last.write.index = {index.source, uint8_t(index.delay + late)};
    last.write.data = {Source::Res, uint8_t(hold)};
    if (chance(3))
      last.write.predicate = value(pe, time + late);
    return true;
  }

  bool addStreamOut() {
    const unsigned pe = below(overlay.numPes()), time = randomTime();
    isa::PortWrite &push = word(pe, time).streamOut;
    if (push.on)
      return false;
    if (!loop.streamOut.on)
      loop.streamOut = {true, format(), argument(1)};
    push = {true, uint8_t(time / loop.ii), operand(pe, time), {}};
    if (loop.scalar && !chance(3))
      push.predicate = operand(pe, time);
    return true;
  }

  bool addMemOut() {
    const unsigned pe = below(overlay.numPes()), time = randomTime();
    PeContext &words = loop.pes[pe];
    if (words.memOut.on)
      return false;
    // Far from what other PEs write: the engines need not agree on who is last.
    words.memOut = {true,        format(),   argument(3), int32_t(pe * 65536) + stride(64),
                    stride(100), stride(150)};
    isa::PortWrite &push = word(pe, time).memOut;
    push = {true, uint8_t(time / loop.ii), operand(pe, time), {}};
    if (chance(2))
      push.predicate = operand(pe, time);
    return true;
  }

  void addSomething() {
    attempt([&] {
      switch (below(17)) {
      case 0:
        return addRead();
      case 1:
        return addWrite();
      case 2:
      case 3:
        return addUpdate();
      case 4:
        return !bare && addStreamOut();
      case 5:
        return !bare && addMemOut();
      case 6:
      case 7:
        return addLink();
      case 8:
        return addRegister();
      case 9:
        return addChain();
      default:
        return addCompute();
      }
    });
  }

  const Overlay &overlay;
  std::mt19937 &random;
  const RandomOptions &options;
  LoopContext loop;
  std::vector<Value> values;
  bool bare = false; ///< nothing that needs an argument
};

} // namespace

unsigned argumentNumber(const LoopContext &loop, unsigned which) {
  return (which + loop.numArgs) % RandomArgs;
}

bool sendsConditionally(const LoopContext &loop) {
  for (const PeContext &pe : loop.pes)
    for (const Slot &slot : pe.slots)
      if (slot.streamOut.on && slot.streamOut.predicate.source != Source::None)
        return true;
  return false;
}

LoopContext randomContext(const Overlay &overlay, std::mt19937 &random,
                          const RandomOptions &options) {
  return Generator(overlay, random, options).generate();
}

} // namespace acis::model
