#include "runtime/engine/loader/ContextCheck.h"

#include "runtime/engine/device/Element.h"
#include "runtime/engine/device/KernelTable.h"
#include "runtime/engine/loader/Trace.h"

#include <algorithm>

namespace acis {

using isa::LoopContext;
using isa::NoArg;
using isa::Op;
using isa::PeContext;
using isa::Slot;
using isa::Source;

Error slotError(unsigned pe, unsigned slot, std::string what) {
  return {"pe " + std::to_string(pe) + ", slot " + std::to_string(slot), std::move(what)};
}

UnitClass unitOf(Op op) {
  using enum UnitClass;
  static constexpr UnitClass units[] = {
#define ACIS_OP(Name, Mnemonic, Class, Operands) Class,
#include "backend/isa/Ops.def"
  };
  return units[unsigned(op)];
}

Extras extrasOf(Op op, unsigned laneBits) {
  const bool moves = op == Op::Iota || op == Op::Lane || op == Op::Slide;
  return (laneBits == 64 ? extra::Wide : 0) | (op == Op::Fma ? extra::Fused : 0) |
         (moves ? extra::Moves : 0);
}

namespace {

std::string text(unsigned value) { return std::to_string(value); }

class Checker {
public:
  Checker(const LoopContext &loop, const Overlay &overlay) : loop(loop), overlay(overlay) {}

  Status check() {
    if (Status status = checkShape(); !status)
      return status;
    if (Status status = checkStreams(); !status)
      return status;
    results.assign(loop.numResults, false);
    for (pe = 0; pe < overlay.numPes(); ++pe) {
      if (Status status = checkPe(); !status)
        return status;
      for (slot = 0; slot < loop.ii; ++slot)
        if (Status status = checkSlot(loop.pes[pe].slots[slot]); !status)
          return status;
    }
    for (unsigned r = 0; r < loop.numResults; ++r)
      if (!results[r])
        return Error{"", "result " + text(r) + " of " + text(loop.numResults) +
                             " has no accumulation or operation that gives it"};
    if (stages != loop.stages)
      return Error{"", "the context says " + text(loop.stages) + " stages, its elements need " +
                           text(stages)};
    return checkOrderOfStream(pops, "pop");
  }

private:
  Error fail(std::string what) const { return slotError(pe, slot, std::move(what)); }

  void sawStage(unsigned stage) { stages = std::max(stages, stage + 1); }

  Status checkShape() const {
    if (loop.laneBits != 32 && loop.laneBits != 64)
      return Error{"", "lanes of " + text(loop.laneBits) + " bits; 32 and 64 are allowed"};
    if (loop.laneBits == 64 && !overlay.isWide())
      return Error{"", "lanes of 64 bits; no PE of the overlay has " + namesOf(extra::Wide)};
    if (loop.stages > overlay.stages)
      return Error{"", text(loop.stages) + " stages; the overlay has " + text(overlay.stages)};
    if (loop.ii < 1 || loop.ii > overlay.contextSlots)
      return Error{"", "an interval of " + text(loop.ii) + " slots; the overlay has " +
                           text(overlay.contextSlots)};
    if (loop.innerCount < 1)
      return Error{"", "an inner loop of 0 iterations; at least 1 is needed"};
    if (loop.numArgs > overlay.arguments || loop.numResults > isa::MaxResults)
      return Error{"", text(loop.numArgs) + " arguments and " + text(loop.numResults) +
                           " results; at most " + text(overlay.arguments) + " and " +
                           text(isa::MaxResults) + " are allowed"};
    if (loop.pes.size() != overlay.numPes() || loop.streamInSlots.size() != loop.ii)
      return Error{"", "words for " + std::to_string(loop.pes.size()) + " PEs; the overlay has " +
                           text(overlay.numPes())};
    return {};
  }

  Status checkFormat(const isa::ElementFormat &format, unsigned arg, const char *port) const {
    if (format.bytes != 1 && format.bytes != 2 && format.bytes != 4 && format.bytes != 8)
      return fail(std::string(port) + " elements of " + text(format.bytes) +
                  " bytes; 1, 2, 4 and 8 are allowed");
    if (format.bytes * 8u > loop.laneBits)
      return fail(std::string(port) + " elements of " + text(format.bytes) + " bytes in lanes of " +
                  text(loop.laneBits) + " bits");
    return checkArg(arg);
  }

  Status checkArg(unsigned arg) const {
    if (arg < loop.numArgs)
      return {};
    return fail("argument " + text(arg) + "; the context has " + text(loop.numArgs));
  }

  Status checkStreams() {
    for (slot = 0; slot < loop.ii; ++slot)
      if (loop.streamInSlots[slot].on) {
        pops.push_back(loop.streamInSlots[slot].stage * loop.ii + slot);
        sawStage(loop.streamInSlots[slot].stage);
      }
    slot = 0;
    if (loop.streamIn.on != !pops.empty())
      return Error{"", "the input stream is used without being on, or the other way round"};
    if (loop.streamIn.on)
      if (Status s = checkFormat(loop.streamIn.format, loop.streamIn.arg, "stream"); !s)
        return s;
    std::vector<unsigned> pushes;
    for (slot = 0; slot < loop.ii; ++slot) {
      unsigned users = 0;
      for (const PeContext &words : loop.pes) {
        if (words.slots.size() != loop.ii)
          return Error{"", "a PE with " + std::to_string(words.slots.size()) + " slots of " +
                               text(loop.ii)};
        if (words.slots[slot].streamOut.on) {
          ++users;
          pushes.push_back(words.slots[slot].streamOut.stage * loop.ii + slot);
        }
      }
      if (users > 1)
        return Error{"", text(users) + " PEs send in slot " + text(slot) + "; one may"};
    }
    slot = 0;
    if (loop.streamOut.on != !pushes.empty())
      return Error{"", "the output stream is used without being on, or the other way round"};
    if (loop.streamOut.on)
      if (Status s = checkFormat(loop.streamOut.format, loop.streamOut.arg, "stream"); !s)
        return s;
    return checkOrderOfStream(pushes, "push");
  }

  /// Accesses of one iteration within ii cycles, so that iterations do not mix.
  Status checkOrderOfStream(const std::vector<unsigned> &times, const char *what) const {
    if (times.empty())
      return {};
    const auto [first, last] = std::minmax_element(times.begin(), times.end());
    if (*last - *first < loop.ii)
      return {};
    return Error{"", std::string("an iteration's first and last ") + what + " are " +
                         text(*last - *first) + " cycles apart; fewer than the interval of " +
                         text(loop.ii) + " are allowed"};
  }

  Status checkPe() {
    const PeContext &words = loop.pes[pe];
    slot = 0;
    for (const isa::VrfAddress &address : words.addresses) {
      if (unsigned(address.base) + rangeBeats(address, loop, overlay) > overlay.vrfBeats)
        return fail("register file beats " + text(address.base) + " to " +
                    text(address.base + rangeBeats(address, loop, overlay)) + "; there are " +
                    text(overlay.vrfBeats));
      if (loop.scalar && address.uniform)
        return fail("a uniform index in a scalar loop");
      if (address.arg != NoArg)
        if (Status s = checkArg(address.arg); !s)
          return s;
      if (address.lane >= vf() || address.shift >= loop.laneBits || address.bits > loop.laneBits)
        return fail("an index field of lane " + text(address.lane) + ", shift " +
                    text(address.shift) + ", " + text(address.bits) + " bits");
    }
    unsigned reads = 0, writes = 0;
    for (const Slot &word : words.slots) {
      reads += word.memIn.on;
      writes += word.memOut.on;
    }
    if (reads != words.memIn.on || writes != words.memOut.on)
      return fail("memory ports used " + text(reads) + " and " + text(writes) +
                  " times an iteration; once if on");
    if ((reads || writes) && !overlay.pes[pe].memory)
      return fail("the PE has no memory port");
    if (reads)
      if (Status s = checkFormat(words.memIn.format, words.memIn.arg, "memory"); !s)
        return s;
    if (writes)
      if (Status s = checkFormat(words.memOut.format, words.memOut.arg, "memory"); !s)
        return s;
    inputs.assign(isa::NumInputs * loop.ii, Source::None);
    accumulations = 0;
    finish.assign(loop.ii, false);
    busy.assign(NumUnitClasses * loop.ii, false);
    return {};
  }

  Status checkSlot(const Slot &word) {
    if (Status s = checkUnit(word); !s)
      return s;
    for (unsigned port = 0; port < 2; ++port) {
      const isa::VrfRead &read = word.read[port];
      if (!read.on)
        continue;
      if (port >= overlay.vrfReadPorts)
        return fail("read port " + text(port) + "; there are " + text(overlay.vrfReadPorts));
      if (Status s = checkVrf(read.stage, read.address, read.index, 3 + port); !s)
        return s;
    }
    if (word.write.on) {
      if (loop.scalar && word.write.interlock)
        return fail("an interlocked write in a scalar loop");
      if (word.write.interlock &&
          (word.write.index.first || word.write.data.first || word.write.predicate.first))
        return fail("an interlocked write with an initial value");
      if (Status s = checkVrf(word.write.stage, word.write.address, word.write.index, 5); !s)
        return s;
      if (Status s = checkOperands(word.write.data, 6, word.write.predicate, 7); !s)
        return s;
    }
    if (word.memIn.on)
      sawStage(word.memIn.stage);
    if (word.memOut.on) {
      sawStage(word.memOut.stage);
      if (Status s = checkOperands(word.memOut.data, 8, word.memOut.predicate, 9); !s)
        return s;
    }
    if (word.streamOut.on) {
      sawStage(word.streamOut.stage);
      if (word.streamOut.predicate.source != Source::None && !loop.scalar)
        return fail("a stream output with a predicate in a loop of lanes");
      if (Status s = checkOperands(word.streamOut.data, 10, word.streamOut.predicate, 11); !s)
        return s;
    }
    if (Status s = checkRouting(word); !s)
      return s;
    for (unsigned i = 0; i < 2; ++i)
      if (word.immArg[i] != NoArg) {
        const bool wide = loop.laneBits == 64 && element::bits(word.type) == 64;
        if (Status s = checkArg(word.immArg[i] + (wide ? 1u : 0u)); !s)
          return s;
      }
    return {};
  }

  /// What is routed need not be a live value, but its places have to exist.
  Status checkRouting(const Slot &word) const {
    if (word.regWrite && word.reg >= overlay.routeRegs)
      return fail("routing register " + text(word.reg) + "; there are " + text(overlay.routeRegs));
    if (word.regWrite && word.regData == Source::None)
      return fail("routing register " + text(word.reg) + " written without a source");
    if (word.regWrite)
      if (Status s = checkSource(word.regData); !s)
        return s;
    for (unsigned port = 0; port < word.link.size(); ++port) {
      if (word.link[port] == Source::None)
        continue;
      const bool exists =
          std::any_of(overlay.links.begin(), overlay.links.end(),
                      [&](const Link &l) { return l.from == pe && l.port == port; });
      if (!exists)
        return fail("out-link " + text(port) + " does not exist");
      if (Status s = checkSource(word.link[port]); !s)
        return s;
    }
    return {};
  }

  Status checkSource(Source source) const {
    const unsigned number = unsigned(source);
    if (source >= Source::Reg0) {
      if (number - unsigned(Source::Reg0) >= overlay.routeRegs)
        return fail("routing register " + text(number - unsigned(Source::Reg0)) + "; there are " +
                    text(overlay.routeRegs));
      return {};
    }
    if (source < Source::Link0)
      return {};
    const unsigned port = number - unsigned(Source::Link0);
    for (const Link &link : overlay.links)
      if (link.to == pe && link.inPort == port)
        return {};
    return fail("in-link " + text(port) + " does not exist");
  }

  Status checkVrf(unsigned stage, unsigned address, const isa::Operand &index, unsigned input) {
    sawStage(stage);
    const PeContext &words = loop.pes[pe];
    if (!overlay.pes[pe].vrf)
      return fail("the PE has no register file");
    if (address >= words.addresses.size())
      return fail("address " + text(address) + "; the PE has " +
                  std::to_string(words.addresses.size()));
    if (!words.addresses[address].indexed)
      return {};
    if (index.source == Source::None)
      return fail("an indexed address without an index");
    const isa::VrfAddress &from = words.addresses[address];
    if (!loop.scalar && !(from.uniform && from.lane == 0) && overlay.pes[pe].lacks(extra::Gather))
      return fail("address " + text(address) +
                  (from.uniform ? " with the index of lane " + text(from.lane) : "") +
                  "; the PE has not " + namesOf(extra::Gather));
    return useInput(index, input);
  }

  Status checkOperands(const isa::Operand &data, unsigned input, const isa::Operand &predicate,
                       unsigned predicateInput) {
    if (data.source == Source::None)
      return fail("a write without data");
    if (Status s = useInput(data, input); !s)
      return s;
    const bool always = predicate.source == Source::None && predicate.first == 0;
    return always ? Status() : useInput(predicate, predicateInput);
  }

  Status checkUnit(const Slot &word) {
    if (word.op == Op::Nop)
      return {};
    sawStage(word.stage);
    const UnitClass unit = unitOf(word.op);
    if (!overlay.pes[pe].units[unsigned(unit)])
      return fail("operation " + text(unsigned(word.op)) + "; the PE has no unit for it");
    if (const Extras missing = overlay.pes[pe].lacks(extrasOf(word.op, loop.laneBits)))
      return fail("operation " + text(unsigned(word.op)) + "; the PE's unit has not " +
                  namesOf(missing));
    if (!element::validTypes(word.op, word.type, word.from, loop.laneBits))
      return fail("operation " + text(unsigned(word.op)) + " with types " +
                  text(unsigned(word.type)) + " and " + text(unsigned(word.from)) +
                  ", not defined in lanes of " + text(loop.laneBits) + " bits");
    if (Status s = checkConstants(word); !s)
      return s;
    const unsigned latency = overlay.latencyOf(unit), done = (slot + latency) % loop.ii;
    if (finish[done])
      return fail("two results on the bus in slot " + text(done));
    finish[done] = true;
    if (Status s = checkShared(unit); !s)
      return s;
    const isa::Operand operands[] = {word.a, word.b, word.c};
    const unsigned count = element::operandsOf(word.op);
    for (unsigned i = 0; i < count; ++i) {
      if (word.accumulate && i == count - 1)
        continue; // the partial result
      if (operands[i].source == Source::None)
        return fail("operand " + text(i) + " is missing");
      if (Status s = useInput(operands[i], i); !s)
        return s;
    }
    return checkAccumulation(word, latency);
  }

  /// A unit that lanes share is busy with an operation for several slots.
  Status checkShared(UnitClass unit) {
    const unsigned every = overlay.pes[pe].everyOf(unit);
    if (every > loop.ii)
      return fail("an operation in each interval of " + text(loop.ii) +
                  " slots; the PE's unit takes one in " + text(every));
    for (unsigned k = 0; k < every && every > 1; ++k) {
      const unsigned at = unsigned(unit) * loop.ii + (slot + k) % loop.ii;
      if (busy[at])
        return fail("two operations fewer than " + text(every) +
                    " slots apart, which the PE's unit takes for one");
      busy[at] = true;
    }
    return {};
  }

  Status checkConstants(const Slot &word) const {
    if (word.op != Op::Lane && word.op != Op::Slide)
      return {};
    if (loop.scalar)
      return fail("a move between lanes in a scalar loop");
    if (word.immArg[0] != NoArg)
      return fail("a lane number that is an argument; it has to be a constant");
    const uint64_t least = word.op == Op::Slide, most = vf() - (word.op == Op::Lane);
    if (word.imm[0] < least || word.imm[0] > most)
      return fail("lane number " + std::to_string(word.imm[0]) + "; " + std::to_string(least) +
                  " to " + std::to_string(most) + " are allowed");
    return {};
  }

  Status checkAccumulation(const Slot &word, unsigned latency) {
    if (loop.scalar) {
      if (word.accumulate)
        return fail("an accumulation in a scalar loop");
      return checkResult(word);
    }
    if (!word.accumulate) {
      if (word.result != NoArg)
        return fail("a result without an accumulation");
      return {};
    }
    if (++accumulations > isa::MaxResults)
      return fail("more than " + text(isa::MaxResults) + " accumulations on one PE");
    if (element::foldOp(word.op) == Op::Nop)
      return fail("operation " + text(unsigned(word.op)) + " cannot accumulate");
    if (latency > isa::AccPartials * loop.ii)
      return fail("a partial result is needed " + text(isa::AccPartials * loop.ii) +
                  " cycles after its start and takes " + text(latency));
    return checkResult(word);
  }

  Status checkResult(const Slot &word) {
    if (word.result == NoArg)
      return {};
    if (word.result >= loop.numResults || results[word.result])
      return fail("result " + text(word.result) + " twice or past the context's " +
                  text(loop.numResults));
    results[word.result] = true;
    return {};
  }

  /// One source per cycle and delay line.
  Status useInput(const isa::Operand &operand, unsigned input) {
    const bool constant = operand.source == Source::Imm0 || operand.source == Source::Imm1;
    if ((operand.first > isa::MaxFirst && operand.first != isa::FirstOfRow) || operand.init > 1)
      return fail("an initial value for " + text(operand.first) + " iterations from constant " +
                  text(operand.init));
    if (operand.first != 0 && operand.source == Source::None)
      return fail("an initial value without a source");
    if (constant && operand.delay != 0)
      return fail("a constant with a delay");
    if (constant)
      return {};
    if (operand.delay >= overlay.operandDelay)
      return fail("a delay of " + text(operand.delay) + " cycles; fewer than " +
                  text(overlay.operandDelay) + " are possible");
    const unsigned sampled = (slot + loop.ii - operand.delay % loop.ii) % loop.ii;
    Source &line = inputs[input * loop.ii + sampled];
    if (line != Source::None && line != operand.source)
      return fail("input " + text(input) + " takes two sources in slot " + text(sampled));
    line = operand.source;
    return {};
  }

  unsigned vf() const { return overlay.lanes * 32 / loop.laneBits; }

  const LoopContext &loop;
  const Overlay &overlay;
  unsigned pe = 0, slot = 0, stages = 1, accumulations = 0;
  std::vector<unsigned> pops;
  std::vector<bool> results, finish;
  std::vector<bool> busy; ///< by class and slot: a unit that lanes share
  std::vector<Source> inputs;
};

} // namespace

Status checkContext(const LoopContext &context, const Overlay &overlay) {
  return Checker(context, overlay).check();
}

} // namespace acis
