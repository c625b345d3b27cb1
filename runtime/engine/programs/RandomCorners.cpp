// See RandomCorners.h.
#include "runtime/engine/programs/RandomCorners.h"

#include "runtime/engine/loader/Trace.h"
#include "runtime/engine/programs/ContextBuilder.h"
#include "runtime/engine/programs/RandomContext.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace acis::model {
namespace {

using isa::LoopContext;
using isa::Op;
using isa::Slot;
using isa::Source;
using isa::Type;

class Corner {
public:
  Corner(const Overlay &overlay, std::mt19937 &random) : overlay(overlay), random(random) {}

  std::optional<LoopContext> any() {
    if (const auto units = sharedUnits(); !units.empty() && chance(3))
      return made([&] { return shared(units[below(unsigned(units.size()))]); });
    switch (below(5)) {
    case 0:
      return made([&] { return updates(); });
    case 1:
      return made([&] { return partials(); });
    case 2:
      return made([&] { return chains(); });
    case 3:
      return made([&] { return early(); });
    default:
      return made([&] { return lasts(); });
    }
  }

  std::optional<LoopContext> hasty() {
    return chance(2) ? made([&] { return identities(); }) : made([&] { return before(); });
  }

  std::optional<LoopContext> crossing() {
    return made([&] { return crossingOnce(); });
  }

private:
  unsigned below(unsigned n) { return unsigned(random() % n); }
  bool chance(unsigned oneIn) { return below(oneIn) == 0; }

  /// What `make` leaves in `loop` when the loader accepts it; it may throw badly.
  template <typename F> std::optional<LoopContext> made(F make) {
    for (unsigned i = 0; i < 20; ++i) {
      if (!make())
        continue;
      cts::finishContext(loop, overlay);
      if (traceContext(loop, overlay))
        return loop;
    }
    return std::nullopt;
  }

  void start(unsigned ii, bool scalar, unsigned laneBits = 32) {
    loop = cts::emptyContext(overlay, std::min(ii, overlay.contextSlots), laneBits);
    loop.scalar = scalar;
    loop.numArgs = uint8_t(std::min(RandomArgs + below(RandomArgs), overlay.arguments));
    loop.innerCount = uint16_t(1 + below(7));
  }

  /// The PEs with all of these units, and a register file if asked for.
  std::vector<unsigned> pesWith(std::initializer_list<UnitClass> units, bool vrf) const {
    std::vector<unsigned> able;
    for (unsigned p = 0; p < overlay.numPes(); ++p)
      if ((!vrf || overlay.pes[p].vrf) && std::all_of(units.begin(), units.end(), [&](UnitClass u) {
            return overlay.pes[p].units[unsigned(u)];
          }))
        able.push_back(p);
    return able;
  }
  bool choosePe(std::initializer_list<UnitClass> units, bool vrf) {
    const std::vector<unsigned> able = pesWith(units, vrf);
    if (able.empty())
      return false;
    pe = able[below(unsigned(able.size()))];
    return true;
  }

  Slot &word(unsigned time) { return loop.pes[pe].slots[time % loop.ii]; }
  uint8_t stage(unsigned time) const { return uint8_t(time / loop.ii); }

  void pop(unsigned time, uint8_t bytes) {
    loop.streamIn = {true, {bytes, chance(2), false}, uint8_t(argumentNumber(loop, 0))};
    loop.streamInSlots[time % loop.ii] = {true, stage(time)};
  }

  // Interlocked updates, of both ports and several PEs at once, whose lanes meet different earlier
  // iterations; results wait in the delay line before they are written.
  bool updates() {
    start(1 + below(3), false);
    if (!choosePe({UnitClass::Integer, UnitClass::Float}, true))
      return false;
    pop(0, chance(2) ? 1 : 2);
    std::vector<unsigned> users = {pe};
    if (chance(2))
      users = pesWith({UnitClass::Integer, UnitClass::Float}, true);
    for (const unsigned user : users) {
      pe = user;
      const unsigned count = 1 + below(2);
      for (unsigned port = 0; port < count; ++port)
        if (!update(port))
          return false;
    }
    return true;
  }

  bool update(unsigned port) {
    const unsigned pause = below(loop.ii), hold = below(4);
    const unsigned at = overlay.inputLatency + overlay.indexLatency; // what is popped is an index
    const unsigned begin = at + overlay.inputLatency + pause; // what is read is there, and waits
    Slot &middle = word(begin);
    if (middle.op != Op::Nop)
      return false;
    auto &addresses = loop.pes[pe].addresses;
    const uint8_t number = uint8_t(addresses.size());
    addresses.push_back(indexedAddress(port));
    const uint8_t shown = uint8_t(below(2)); // the index is the beat of this cycle, or older
    word(at).read[port] = {true, stage(at), number, {Source::StreamIn, uint8_t(shown * loop.ii)}};
    middle.op = chance(3) ? Op::Xor : Op::Fadd;
    middle.type = middle.op == Op::Fadd ? Type::F32 : Type::I32;
    middle.stage = stage(begin);
    middle.a = {port == 0 ? Source::Vrf0 : Source::Vrf1, uint8_t(pause)};
    middle.b = {Source::Imm1};
    middle.imm[1] = 0x3f800000 | below(256);
    const unsigned end = begin + latencyOf(middle.op, overlay) + hold, late = end - at;
    Slot &last = word(end);
    if (last.write.on || shown * loop.ii + late >= overlay.operandDelay)
      return false;
    last.write.on = last.write.interlock = true;
    last.write.stage = stage(end);
    last.write.address = number;
    last.write.index = {Source::StreamIn, uint8_t(shown * loop.ii + late)};
    last.write.data = {Source::Res, uint8_t(hold)};
    return true;
  }

  isa::VrfAddress indexedAddress(unsigned part) {
    isa::VrfAddress address;
    address.base = uint16_t(part * (overlay.vrfBeats / 2) + below(8));
    address.bits = uint8_t(2 + below(3));
    address.limit = uint16_t(1u << address.bits);
    address.indexed = address.zeroOutside = true;
    address.uniform = chance(5);
    return address;
  }

  // An interlocked write of a slow operation, made early, while the results of a fast one come to
  // the same bus, the last of them in the slot of the write.
  bool early() {
    start(2 + below(4), false);
    if (!choosePe({UnitClass::Integer, UnitClass::Float}, true))
      return false;
    const unsigned begin = 1, late = begin + latencyOf(Op::Fadd, overlay), port = below(2);
    const Source found = port == 0 ? Source::Vrf0 : Source::Vrf1;
    isa::VrfAddress address;
    address.limit = 1;
    loop.pes[pe].addresses = {address};
    word(0).read[port] = {true, 0, 0, {}};
    Slot &sum = word(begin), &other = word(begin + 1), &last = word(late);
    sum.op = Op::Fadd;
    sum.type = Type::F32;
    sum.stage = stage(begin);
    sum.a = {found, uint8_t(begin - overlay.inputLatency)};
    sum.b = {Source::Imm0};
    sum.imm[0] = 0x3f800000;
    other.op = Op::Add;
    other.type = Type::I32;
    other.stage = stage(begin + 1);
    other.a = other.b = {Source::Imm0};
    other.imm[0] = 1 + below(1000);
    last.write.on = last.write.interlock = true;
    last.write.stage = stage(late);
    last.write.data = {Source::Res};
    loop.streamOut = {true, {4, false, false}, uint8_t(argumentNumber(loop, 1))};
    word(overlay.inputLatency).streamOut = {true, stage(overlay.inputLatency), {found}, {}};
    return true;
  }

  // A read whose index is what another one found. Many lanes of the first are outside of its array,
  // where the file holds something, too: their index is 0 all the same.
  bool chains() {
    start(1 + below(3), false);
    if (!choosePe({}, true))
      return false;
    pop(0, 1);
    loop.innerCount = uint16_t(4 + below(4));
    isa::VrfAddress filled = indexedAddress(0), found = filled, inside = filled;
    filled.indexed = filled.uniform = false;
    filled.stride0 = 1;
    inside.limit = uint16_t(1 + below(2));
    found.limit = uint16_t(1 + below(found.limit));
    loop.pes[pe].addresses = {filled, inside, found};
    const unsigned first = below(2);
    const Source given = first == 0 ? Source::Vrf0 : Source::Vrf1;
    const unsigned late = overlay.inputLatency; // of the pop, and of each read
    const unsigned step = late + overlay.indexLatency, end = 2 * step + late;
    Slot &slot = word(late);
    slot.write.on = true;
    slot.write.stage = stage(late);
    slot.write.address = 0;
    slot.write.data = {Source::StreamIn};
    word(step).read[first] = {true, stage(step), 1, {Source::StreamIn}};
    word(2 * step).read[1 - first] = {true, stage(2 * step), 2, {given}};
    loop.streamOut = {true, {4, false, false}, uint8_t(argumentNumber(loop, 1))};
    word(end).streamOut = {true, stage(end), {first == 0 ? Source::Vrf1 : Source::Vrf0}, {}};
    return true;
  }

  // Accumulations of integers, which no special value hides: with a tail, lanes behind it keep
  // what the partial result had.
  bool partials() {
    start(1 + below(3), false);
    if (!choosePe({UnitClass::Integer}, false))
      return false;
    pop(0, chance(2) ? 4 : 1);
    const unsigned count = 1 + below(std::min<unsigned>(loop.ii, 2));
    for (unsigned k = 0; k < count; ++k) {
      Slot &slot = word(overlay.inputLatency + k);
      slot.op = chance(2) ? Op::Add : Op::Xor;
      slot.type = Type::I32;
      slot.stage = stage(overlay.inputLatency + k);
      slot.a = {Source::StreamIn, uint8_t(k)};
      slot.accumulate = true;
      slot.result = loop.numResults++;
    }
    return true;
  }

  // Accumulations from any number, of operations of which it is not the identity: what a lane
  // without an element would give is none.
  bool identities() {
    static constexpr Op ops[] = {Op::Add,  Op::Mul,  Op::And,  Op::Or,  Op::Xor,
                                 Op::Smin, Op::Smax, Op::Umin, Op::Umax};
    start(1 + below(3), false);
    if (!choosePe({UnitClass::Integer}, false))
      return false;
    pop(0, chance(2) ? 4 : 1);
    Slot &slot = word(overlay.inputLatency);
    slot.op = ops[below(std::size(ops))];
    slot.type = Type::I32;
    slot.stage = stage(overlay.inputLatency);
    slot.a = {chance(3) ? Source::Imm0 : Source::StreamIn};
    slot.imm = {below(100), chance(2) ? below(100) : uint32_t(random())};
    slot.accumulate = true;
    slot.result = loop.numResults++;
    return true;
  }

  // A read in the first cycles of a loop, or in later ones, by what was popped that long before: by
  // 0, as nothing was.
  bool before() {
    start(1 + below(3), false);
    if (!choosePe({}, true))
      return false;
    const unsigned popped = below(2), filled = popped + overlay.inputLatency, at = below(4);
    pop(popped, 1);
    loop.innerCount = uint16_t(4 + below(4));
    isa::VrfAddress index = indexedAddress(0), fill = index;
    fill.indexed = fill.uniform = false;
    fill.stride0 = 1;
    loop.pes[pe].addresses = {fill, index};
    Slot &slot = word(filled);
    slot.write.on = true;
    slot.write.stage = stage(filled);
    slot.write.address = 0;
    slot.write.data = {Source::StreamIn};
    const unsigned port = below(2);
    word(at).read[port] = {true, stage(at), 1, {Source::StreamIn, uint8_t(below(3))}};
    loop.streamOut = {true, {4, false, false}, uint8_t(argumentNumber(loop, 1))};
    const unsigned end = at + overlay.inputLatency;
    word(end).streamOut = {true, stage(end), {port == 0 ? Source::Vrf0 : Source::Vrf1}, {}};
    return true;
  }

  // Single elements, with results of operations that start in different cycles. The stream
  // delays the later ones, so that their units end together now and then.
  bool lasts() {
    start(2 + below(4), true);
    if (!choosePe({UnitClass::Integer, UnitClass::Convert, UnitClass::Float}, false))
      return false;
    const unsigned begin = below(2), popped = begin + 1 + below(3);
    pop(popped, 4);
    if (!last(begin, Op::Fadd, Type::F32, Source::Imm0))
      return false;
    const bool converts = chance(3);
    return last(popped + below(2), converts ? Op::Sitofp : Op::Add,
                converts ? Type::F32 : Type::I32, Source::StreamIn);
  }

  bool last(unsigned time, Op op, Type type, Source source) {
    Slot &slot = word(time);
    if (slot.op != Op::Nop)
      return false;
    slot.op = op;
    slot.type = type;
    slot.from = Type::I32;
    slot.stage = stage(time);
    slot.a = {source};
    if (source == Source::StreamIn)
      while ((time + 2 * loop.ii - overlay.inputLatency - slot.a.delay) % loop.ii != poppedSlot())
        ++slot.a.delay;
    slot.b = {Source::Imm1};
    slot.imm = {0x40400000 | below(256), 0x3f800000 | below(256)};
    slot.result = loop.numResults++;
    return true;
  }

  /// Units that lanes share, with their PE.
  std::vector<std::pair<unsigned, UnitClass>> sharedUnits() const {
    std::vector<std::pair<unsigned, UnitClass>> units;
    for (unsigned p = 0; p < overlay.numPes(); ++p)
      for (UnitClass unit : {UnitClass::Convert, UnitClass::Divide})
        if (overlay.pes[p].has(unit) && overlay.pes[p].everyOf(unit) > 1)
          units.push_back({p, unit});
    return units;
  }

  // Operations of such a unit as close behind one another as it takes them, in the next iteration,
  // too, and what comes out of each.
  bool shared(std::pair<unsigned, UnitClass> of) {
    pe = of.first;
    const unsigned every = overlay.pes[pe].everyOf(of.second);
    const bool wide = !overlay.pes[pe].lacks(extra::Wide) && chance(3);
    start(every * (1 + below(3)), chance(3), wide ? 64 : 32);
    pop(0, uint8_t(loop.laneBits / 8));
    loop.streamOut = {
        true, {uint8_t(loop.laneBits / 8), false, false}, uint8_t(argumentNumber(loop, 1))};
    const unsigned begin = overlay.inputLatency + below(3);
    for (unsigned time = begin; time + every <= begin + loop.ii; time += every) {
      const unsigned delay = time - overlay.inputLatency, before = delay + loop.ii;
      if (delay >= overlay.operandDelay)
        break;
      Slot &slot = word(time);
      slowOperation(slot, of.second, wide);
      slot.stage = stage(time);
      slot.a = {Source::StreamIn, uint8_t(delay)};
      slot.b = chance(2) || before >= overlay.operandDelay
                   ? isa::Operand{Source::Imm1}
                   : isa::Operand{Source::StreamIn, uint8_t(before)};
      slot.imm[1] = chance(4) ? below(3) : random();
      if (loop.scalar && chance(2))
        slot.result = loop.numResults++;
      const unsigned end = time + latencyOf(slot.op, overlay);
      word(end).streamOut = {true, stage(end), {Source::Res}, {}};
    }
    return true;
  }

  void slowOperation(Slot &slot, UnitClass unit, bool wide) {
    static constexpr Op conversions[] = {Op::Sitofp, Op::Uitofp, Op::Fptosi, Op::Fptoui};
    static constexpr Op divisions[] = {Op::Sdiv, Op::Udiv, Op::Srem, Op::Urem, Op::Fdiv, Op::Fsqrt};
    const Type whole = wide ? Type::I64 : Type::I32, real = wide ? Type::F64 : Type::F32;
    if (unit == UnitClass::Convert) {
      const unsigned which = below(std::size(conversions));
      slot.op = conversions[which];
      slot.type = which < 2 ? real : whole;
      slot.from = which < 2 ? whole : real;
      return;
    }
    const unsigned which = below(std::size(divisions));
    slot.op = divisions[which];
    slot.type = which < 4 ? whole : real;
  }

  unsigned poppedSlot() const {
    const auto on = [](const isa::PortRead &read) { return read.on; };
    return unsigned(std::find_if(loop.streamInSlots.begin(), loop.streamInSlots.end(), on) -
                    loop.streamInSlots.begin());
  }

  bool crossingOnce() {
    start(1 + below(2), false);
    if (!choosePe({}, true))
      return false;
    loop.innerCount = UINT16_MAX; // beats count iterations
    // Deep ones have more launches on their way than the machine holds; the queues of the streams
    // hold no more than it, so these send nothing.
    const unsigned deep = chance(3) ? 60 + below(60) : 0;
    const unsigned slot = below(loop.ii), older = below(2), young = deep + below(3);
    for (unsigned port = 0; port < 2; ++port) {
      isa::VrfAddress address;
      address.base = uint16_t(port * (overlay.vrfBeats / 2) + below(8));
      address.limit = CrossingLimit;
      address.stride0 = 1;
      address.arg = uint8_t(argumentNumber(loop, RandomArgs - 1));
      loop.pes[pe].addresses.push_back(address);
      const unsigned at = port == older ? young + 1 + below(3) : young;
      word(slot).read[port] = {true, uint8_t(at), uint8_t(port), {}};
    }
    if (deep != 0)
      return true;
    loop.streamOut = {true, {4, false, false}, uint8_t(argumentNumber(loop, 1))};
    const unsigned late = word(slot).read[older].stage * loop.ii + slot + overlay.inputLatency;
    word(late).streamOut = {true, stage(late), {older == 0 ? Source::Vrf0 : Source::Vrf1, 0}, {}};
    return true;
  }

  const Overlay &overlay;
  std::mt19937 &random;
  LoopContext loop;
  unsigned pe = 0;
};

} // namespace

std::optional<LoopContext> randomCorner(const Overlay &overlay, std::mt19937 &random) {
  return Corner(overlay, random).any();
}

std::optional<LoopContext> hastyCorner(const Overlay &overlay, std::mt19937 &random) {
  return Corner(overlay, random).hasty();
}

std::optional<LoopContext> crossingReads(const Overlay &overlay, std::mt19937 &random) {
  return Corner(overlay, random).crossing();
}

} // namespace acis::model
