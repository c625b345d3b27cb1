// See Plan.h.
#include "runtime/engine/model/Plan.h"

#include "runtime/engine/device/Element.h"
#include "runtime/engine/loader/Trace.h"

#include <algorithm>
#include <bit>

namespace acis::model {
namespace {

using isa::LoopContext;
using isa::Op;
using isa::Operand;
using isa::PeContext;
using isa::Slot;
using isa::Source;

/// The inputs of a PE that have a delay line; Input is how a plan sees one.
using LineInput = isa::Input;
using enum isa::Input;

class Builder {
public:
  Builder(const Overlay &overlay, Plan &plan) : overlay(overlay), plan(plan), loop(plan.loop) {}

  void build(bool carries) {
    plan.vf = loop.scalar ? 1 : overlay.lanes * 32 / loop.laneBits;
    plan.slots.resize(loop.ii);
    interlocks.assign(loop.pes.size(), 0);
    lineOf.assign(size_t(overlay.numPes()) * isa::NumInputs, NoIndex);
    depthOf.assign(lineOf.size(), 0);
    forEachWord([&](unsigned pe, unsigned, const Slot &word) { measure(pe, word); });
    for (unsigned slot = 0; slot < loop.ii; ++slot) {
      plan.slots[slot].pops = loop.streamInSlots[slot].on;
      plan.slots[slot].popStage = loop.streamInSlots[slot].stage;
      plan.popsPerIteration += loop.streamInSlots[slot].on;
    }
    forEachWord([&](unsigned pe, unsigned slot, const Slot &word) { addWord(pe, slot, word); });
    addLinks();
    pairHazards();
    finish(carries);
  }

private:
  template <typename F> void forEachWord(F visit) {
    for (unsigned pe = 0; pe < loop.pes.size(); ++pe)
      for (unsigned slot = 0; slot < loop.pes[pe].slots.size(); ++slot)
        visit(pe, slot, loop.pes[pe].slots[slot]);
  }

  static bool isConstant(Source source) { return source == Source::Imm0 || source == Source::Imm1; }

  /// Cycles before its slot in which an input takes its operand.
  unsigned leadOf(LineInput input) const {
    const bool isIndex = input == ReadIndex0 || input == ReadIndex1 || input == WriteIndex;
    return isIndex ? overlay.indexLatency : 0;
  }

  // Pass 1: how deep each delay line is.
  void measure(unsigned pe, const Slot &word) {
    auto use = [&](LineInput input, const Operand &operand) {
      uint32_t &depth = depthOf[pe * isa::NumInputs + unsigned(input)];
      if (operand.source != Source::None && !isConstant(operand.source))
        depth = std::max<uint32_t>(depth, operand.delay + leadOf(input));
    };
    use(A, word.a);
    use(B, word.b);
    use(C, word.c);
    use(ReadIndex0, word.read[0].index);
    use(ReadIndex1, word.read[1].index);
    use(WriteIndex, word.write.index);
    use(WriteData, word.write.data);
    use(WritePredicate, word.write.predicate);
    use(MemData, word.memOut.data);
    use(MemPredicate, word.memOut.predicate);
    use(StreamData, word.streamOut.data);
    use(StreamPredicate, word.streamOut.predicate);
  }

  uint32_t line(unsigned pe, LineInput input) {
    uint32_t &index = lineOf[pe * isa::NumInputs + unsigned(input)];
    if (index == NoIndex) {
      index = uint32_t(plan.lines.size());
      const uint32_t ring = std::bit_ceil(depthOf[pe * isa::NumInputs + unsigned(input)] + 1);
      plan.lines.push_back({plan.lineBeats, ring - 1});
      plan.lineBeats += ring;
    }
    return index;
  }

  Input constant(const Slot &word, unsigned which) {
    const uint8_t arg = word.immArg[which];
    const bool wide = loop.laneBits == 64 && element::bits(word.type) == 64;
    plan.constants.push_back({word.imm[which], arg, wide});
    return {Input::Kind::Imm, 0, uint32_t(plan.constants.size() - 1)};
  }

  Input direct(unsigned pe, const Slot &word, Source source) {
    if (source == Source::None)
      return {};
    if (isConstant(source))
      return constant(word, source == Source::Imm1);
    return {Input::Kind::Bus, 0, busOf(pe, source)};
  }

  /// An operand; a delayed one, or one that is taken earlier, is sampled so many cycles before
  /// `slot`.
  Input input(unsigned pe, unsigned slot, const Slot &word, LineInput which,
              const Operand &operand) {
    Input made = sampled(pe, slot, word, which, operand);
    if (operand.first) {
      made.first = operand.first;
      made.initial = constant(word, operand.init).index;
    }
    return made;
  }

  Input sampled(unsigned pe, unsigned slot, const Slot &word, LineInput which,
                const Operand &operand) {
    const unsigned delay = operand.delay + leadOf(which);
    if (delay == 0 || isConstant(operand.source) || operand.source == Source::None)
      return direct(pe, word, operand.source);
    const uint32_t index = line(pe, which);
    const unsigned at = (slot + loop.ii - delay % loop.ii) % loop.ii;
    const SampleAction sample{busOf(pe, operand.source), index};
    auto &samples = plan.slots[at].samples;
    const bool known = std::any_of(samples.begin(), samples.end(), [&](const SampleAction &s) {
      return s.line == sample.line && s.bus == sample.bus;
    });
    if (!known)
      samples.push_back(sample);
    return {Input::Kind::Line, uint16_t(delay), index};
  }

  void addWord(unsigned pe, unsigned slot, const Slot &word) {
    SlotPlan &out = plan.slots[slot];
    if (word.op != Op::Nop)
      addUnit(pe, slot, word);
    addReads(pe, slot, word);
    const PeContext &words = loop.pes[pe];
    if (word.write.on) {
      WriteAction write;
      write.pe = uint16_t(pe);
      write.stage = word.write.stage;
      write.slot = uint16_t(slot);
      write.address = &words.addresses[word.write.address];
      if (write.address->indexed)
        write.index = input(pe, slot, word, WriteIndex, word.write.index);
      write.data = input(pe, slot, word, WriteData, word.write.data);
      write.predicate = input(pe, slot, word, WritePredicate, word.write.predicate);
      out.writes.push_back(write);
    }
    if (word.memIn.on) {
      out.memIns.push_back({uint16_t(pe), word.memIn.stage, {}, {}});
      plan.memInPes.push_back(uint16_t(pe));
    }
    if (word.memOut.on) {
      out.memOuts.push_back({uint16_t(pe), word.memOut.stage,
                             input(pe, slot, word, MemData, word.memOut.data),
                             input(pe, slot, word, MemPredicate, word.memOut.predicate)});
      plan.memOutPes.push_back(uint16_t(pe));
    }
    if (word.streamOut.on) {
      out.pushes.push_back({uint16_t(pe), word.streamOut.stage,
                            input(pe, slot, word, StreamData, word.streamOut.data),
                            input(pe, slot, word, StreamPredicate, word.streamOut.predicate)});
      plan.sendsConditionally |= word.streamOut.predicate.source != Source::None;
      ++plan.pushesPerIteration;
    }
    if (word.regWrite)
      out.regs.push_back({direct(pe, word, word.regData), busOf(pe, isa::regSource(word.reg))});
  }

  void addUnit(unsigned pe, unsigned slot, const Slot &word) {
    FuAction unit;
    unit.pe = uint16_t(pe);
    unit.stage = word.stage;
    unit.slot = &word;
    if (loop.laneBits == 32)
      unit.kernel32 = element::kernel<uint32_t>(word.op, word.type, word.from);
    else
      unit.kernel64 = element::kernel<uint64_t>(word.op, word.type, word.from);
    unit.latency = latencyOf(word.op, overlay);
    const Operand operands[] = {word.a, word.b, word.c};
    const unsigned count = isa::numOperands(word.op);
    if (word.accumulate) {
      unit.partialOperand = uint8_t(count - 1);
      unit.accumulation = uint32_t(plan.accumulations.size());
      plan.accumulations.push_back({constant(word, 1).index, word.op, word.type, word.result});
    } else {
      unit.last = word.result;
    }
    for (unsigned i = 0; i < count; ++i)
      if (!word.accumulate || i != unit.partialOperand)
        unit.in[i] = input(pe, slot, word, LineInput(unsigned(A) + i), operands[i]);
    plan.slots[slot].units.push_back(unit);
  }

  void addReads(unsigned pe, unsigned slot, const Slot &word) {
    // Port 0 after port 1 when port 1's value is its index in the same cycle.
    const bool swapped = word.read[0].on && word.read[0].index.source == Source::Vrf1 &&
                         word.read[0].index.delay == 0;
    for (unsigned i = 0; i < 2; ++i) {
      const unsigned port = swapped ? 1 - i : i;
      if (!word.read[port].on)
        continue;
      ReadAction read;
      read.pe = uint16_t(pe);
      read.stage = word.read[port].stage;
      read.slot = uint16_t(slot);
      read.port = uint8_t(port);
      read.address = &loop.pes[pe].addresses[word.read[port].address];
      if (read.address->indexed)
        read.index =
            input(pe, slot, word, port == 0 ? ReadIndex0 : ReadIndex1, word.read[port].index);
      plan.slots[slot].reads.push_back(read);
    }
  }

  void addLinks() {
    for (const Link &link : overlay.links)
      for (unsigned slot = 0; slot < loop.ii; ++slot) {
        const Slot &word = loop.pes[link.from].slots[slot];
        if (word.link[link.port] != Source::None)
          plan.slots[slot].links.push_back({direct(link.from, word, word.link[link.port]),
                                            link.to * Overlay::MaxLinks + link.inPort});
      }
  }

  uint32_t timeOf(unsigned stage, unsigned slot) const { return stage * loop.ii + slot; }

  /// Whether the hardware can complete a write during the stall of the next iteration's
  /// read: its data is the result of an operation that has started by then, and its predicate is
  /// in the delay line. With an input latency units start in the first cycle of the stall.
  bool completesEarly(unsigned pe, const Slot &word, uint32_t read, uint32_t write) const {
    const Operand &data = word.write.data, &predicate = word.write.predicate;
    if (data.source != Source::Res)
      return false;
    if (predicate.source != Source::None && (isConstant(predicate.source) || predicate.delay == 0 ||
                                             write - predicate.delay >= read + loop.ii))
      return false;
    for (unsigned slot = 0; slot < loop.ii; ++slot) {
      const Slot &unit = loop.pes[pe].slots[slot];
      if (unit.op == Op::Nop)
        continue;
      const uint32_t issue = timeOf(unit.stage, slot);
      if (issue + latencyOf(unit.op, overlay) + data.delay == write)
        return issue < read + loop.ii + overlay.inputLatency;
    }
    return false;
  }

  void pairHazards() {
    for (SlotPlan &slot : plan.slots)
      for (WriteAction &write : slot.writes) {
        const Slot &word = loop.pes[write.pe].slots[write.slot];
        if (word.write.interlock)
          pairHazard(write, word);
      }
  }

  void pairHazard(WriteAction &write, const Slot &word) {
    for (SlotPlan &slot : plan.slots)
      for (ReadAction &read : slot.reads) {
        if (read.pe != write.pe || *read.address != *write.address || read.hazard != NoIndex)
          continue;
        const uint32_t readTime = timeOf(read.stage, read.slot);
        const uint32_t writeTime = timeOf(write.stage, write.slot);
        const unsigned onTheWay = (writeTime - readTime) / loop.ii + 1;
        if (!completesEarly(write.pe, word, readTime, writeTime) ||
            interlocks[write.pe] + onTheWay > overlay.interlocks) {
          // Iterations far enough apart that the write has always happened.
          plan.interval = std::max(plan.interval, (writeTime - readTime) / loop.ii + 1);
          continue;
        }
        interlocks[write.pe] += onTheWay;
        read.hazard = write.hazard = uint32_t(plan.hazards.size());
        plan.hazards.push_back({writeTime - readTime, write.data, write.predicate});
        return;
      }
  }

  /// The PE with the most to fold decides. A level of m operations takes m + L cycles: 4, 2
  /// and 1 of partial results, then 1 per halving of the lanes; the result is there one
  /// cycle later.
  void countFold() {
    const unsigned halvings = std::bit_width(plan.vf - 1u);
    unsigned longest = 0;
    for (const isa::PeContext &pe : loop.pes) {
      unsigned cycles = 0;
      for (const Slot &word : pe.slots) {
        if (word.op == Op::Nop || !word.accumulate)
          continue;
        plan.foldDrain = std::max(plan.foldDrain, latencyOf(word.op, overlay));
        const unsigned latency = latencyOf(element::foldOp(word.op), overlay);
        cycles += isa::AccPartials - 1 + halvings +
                  latency * (std::bit_width(isa::AccPartials - 1u) + halvings);
      }
      longest = std::max(longest, cycles);
    }
    if (longest != 0)
      plan.foldCycles = plan.foldDrain + longest + 1;
  }

  void finish(bool carries) {
    plan.readsMemory = !plan.memInPes.empty();
    plan.writesMemory = !plan.memOutPes.empty();
    countFold();
    bool lasts = false;
    for (const SlotPlan &slot : plan.slots)
      for (const FuAction &unit : slot.units)
        if (unit.last != isa::NoArg) {
          lasts = true;
          plan.foldCycles = std::max(plan.foldCycles, unit.latency + 1);
        }
    std::vector<unsigned> writesOf(loop.pes.size(), 0);
    bool routedArgument = false;
    for (const SlotPlan &slot : plan.slots) {
      for (const WriteAction &write : slot.writes)
        ++writesOf[write.pe];
      auto isArgument = [&](const Input &in) {
        return in.kind == Input::Kind::Imm && plan.constants[in.index].arg != isa::NoArg;
      };
      for (const LinkAction &link : slot.links)
        routedArgument |= isArgument(link.from);
      for (const RegAction &reg : slot.regs)
        routedArgument |= isArgument(reg.from);
    }
    const bool severalWrites =
        std::any_of(writesOf.begin(), writesOf.end(), [](unsigned n) { return n > 1; }) ||
        plan.memOutPes.size() > 1;
    plan.overlaps = plan.accumulations.empty() && !lasts &&
                    (loop.vregsRead & loop.vregsWritten) == 0 && !carries && !severalWrites &&
                    !routedArgument && !(plan.readsMemory && plan.writesMemory) &&
                    plan.hazards.empty() && plan.interval == 1;
  }

  const Overlay &overlay;
  Plan &plan;
  const LoopContext &loop;
  std::vector<uint32_t> lineOf, depthOf;
  std::vector<unsigned> interlocks; ///< by PE
};

} // namespace

bool carriesValues(const ContextGraph &graph) {
  for (const GraphNode &node : graph.nodes)
    for (const GraphOperand &operand : node.operands)
      if (operand.kind == GraphOperand::Kind::Node && operand.distance != 0)
        return true;
  return false;
}

Status buildPlan(const LoopContext &loop, const Overlay &overlay, bool carries, Plan &plan) {
  plan.loop = loop;
  Builder(overlay, plan).build(carries);
  if (carries && plan.interval > 1)
    return Error{"", "an interlocked write whose operation starts " +
                         std::to_string(plan.interval - 1) +
                         " iterations after its read, in a loop that passes values from one "
                         "iteration to the next; the operation has to start before the next "
                         "iteration's read"};
  return {};
}

} // namespace acis::model
