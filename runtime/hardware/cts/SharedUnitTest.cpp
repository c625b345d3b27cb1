// Units that lanes share (`every` of a description): results of all lanes, as often as the unit
// takes an operation, at the cycles of units that no lanes share; and what a unit has no time for
// is refused. Engine `rtl` has lean2, whose PEs share in pairs and fours.
#include "runtime/hardware/cts/Harness.h"

#include <cmath>

using namespace acis;
using namespace acis::cts;
using isa::Op;
using isa::Source;
using isa::Type;

namespace {

constexpr const char *lean2Text =
#include "runtime/hardware/cts/Lean2.inc"
    ;

struct Operation {
  Op op;
  Type type, from;
  unsigned laneBits;
  unsigned pe;
};

class SharedUnits : public Conformance {
protected:
  SharedUnits() : overlay(*Overlay::parse(lean2Text, "lean2.json")) {}

  unsigned every(const Operation &of) const {
    const UnitClass unit = of.op == Op::Sitofp ? UnitClass::Convert : UnitClass::Divide;
    return overlay.pes[of.pe].everyOf(unit);
  }

  /// Each beat of results takes two beats of operands, popped in slots 0 and 1.
  isa::LoopContext context(const Operation &of, unsigned ii) const {
    const unsigned bytes = of.laneBits / 8;
    isa::LoopContext loop = streamContext(overlay, ii, of.laneBits, bytes, bytes);
    loop.streamInSlots[0].on = loop.streamInSlots[1].on = true;
    addOperation(loop, of, 1 + overlay.inputLatency);
    finishContext(loop, overlay);
    return loop;
  }
  /// The operation at a time of its own, on the same operands, and its result to the output.
  void addOperation(isa::LoopContext &loop, const Operation &of, unsigned time) const {
    const unsigned waited = time - 1 - overlay.inputLatency;
    isa::Slot &word = loop.pes[of.pe].slots[time % loop.ii];
    word.stage = uint8_t(time / loop.ii);
    word.op = of.op;
    word.type = of.type;
    word.from = of.from;
    word.a = operand(Source::StreamIn, waited + 1);
    if (isa::numOperands(of.op) > 1)
      word.b = operand(Source::StreamIn, waited);
    const unsigned done = time + latencyOf(of.op, overlay);
    loop.pes[of.pe].slots[done % loop.ii].streamOut = {
        true, uint8_t(done / loop.ii), operand(Source::Res), {}};
  }
  Outcome run(const isa::LoopContext &loop, const Bytes &input, const Overlay &on) const {
    Job job(on);
    job.binary.contexts = {loop};
    job.binary.code = launchCode(Beats);
    job.packets = {input};
    return job.run(GetParam());
  }

  /// Operands of Beats iterations: positive, so that floats are no NaN.
  template <typename C> std::vector<C> operands(const Operation &of) const {
    std::mt19937_64 random(unsigned(of.op) + of.laneBits);
    std::vector<C> values(2 * Beats * overlay.lanes * 32 / of.laneBits);
    for (C &value : values)
      value = of.op == Op::Fdiv || of.op == Op::Fsqrt
                  ? C(std::bit_cast<uint32_t>(float(random() % 100000 + 1) / 7))
                  : C(random() % 5 == 0 ? random() : random() % 1000);
    return values;
  }
  template <typename C> static C reference(Op op, C a, C b) {
    const auto real = [](C bits) { return std::bit_cast<float>(uint32_t(bits)); };
    switch (op) {
    case Op::Udiv:
      return b == 0 ? C(~C(0)) : C(a / b);
    case Op::Urem:
      return b == 0 ? a : C(a % b);
    case Op::Fdiv:
      return std::bit_cast<uint32_t>(real(a) / real(b));
    case Op::Fsqrt:
      return std::bit_cast<uint32_t>(std::sqrt(real(a)));
    default: // Sitofp
      return std::bit_cast<uint32_t>(float(int32_t(a)));
    }
  }
  template <typename C>
  void expectResults(const Outcome &outcome, const std::vector<C> &in, const std::vector<Op> &ops) {
    ASSERT_EQ(outcome.error, "");
    ASSERT_FALSE(outcome.trap) << outcome.trap->what;
    ASSERT_EQ(outcome.packets.size(), 1u);
    const std::vector<C> got = valuesOf<C>(outcome.packets[0]);
    const unsigned vf = unsigned(in.size()) / 2 / Beats;
    ASSERT_EQ(got.size(), ops.size() * Beats * vf);
    for (size_t i = 0; i < got.size(); ++i) {
      const size_t beat = i / vf / ops.size(), lane = i % vf;
      const Op op = ops[i / vf % ops.size()];
      const C a = in[2 * beat * vf + lane], b = in[(2 * beat + 1) * vf + lane];
      ASSERT_EQ(got[i], reference(op, a, b))
          << isa::mnemonic(op) << ", beat " << beat << ", lane " << lane;
    }
  }
  template <typename C> void check(const Operation &of) {
    const std::vector<C> in = operands<C>(of);
    expectResults(run(context(of, every(of)), bytesOf(in), overlay), in, {of.op});
  }

  static constexpr unsigned Beats = 24;
  const Overlay overlay;
};

TEST_P(SharedUnits, GiveResultsOfAllLanes) {
  for (unsigned pe : {0u, 1u}) {
    ASSERT_GT(every({Op::Udiv, Type::I32, Type::I8, 32, pe}), 1u);
    for (Op op : {Op::Udiv, Op::Urem, Op::Fdiv, Op::Fsqrt})
      check<uint32_t>(
          {op, op == Op::Fdiv || op == Op::Fsqrt ? Type::F32 : Type::I32, Type::I8, 32, pe});
  }
  check<uint32_t>({Op::Sitofp, Type::F32, Type::I32, 32, 0});
  check<uint64_t>({Op::Udiv, Type::I64, Type::I8, 64, 0}); // pairs of lanes
}

TEST_P(SharedUnits, TakeAnOperationAsSoonAsTheOneBeforeIsIn) {
  for (unsigned pe : {0u, 1u}) {
    const Operation divide{Op::Udiv, Type::I32, Type::I8, 32, pe};
    const unsigned apart = every(divide);
    isa::LoopContext loop = context(divide, 2 * apart);
    addOperation(loop, {Op::Urem, Type::I32, Type::I8, 32, pe}, 1 + overlay.inputLatency + apart);
    finishContext(loop, overlay);
    const std::vector<uint32_t> in = operands<uint32_t>(divide);
    expectResults(run(loop, bytesOf(in), overlay), in, {Op::Udiv, Op::Urem});
  }
}

TEST_P(SharedUnits, TakeNoCyclesMore) {
  if (GetParam().slow)
    return; // of one overlay, and held against `model` above
  const Operation divide{Op::Udiv, Type::I32, Type::I8, 32, 1};
  Overlay plain = overlay;
  for (PeKind &pe : plain.pes)
    pe.every = {1, 1, 1, 1};
  const Bytes in = bytesOf(operands<uint32_t>(divide));
  const Outcome shared = run(context(divide, 4), in, overlay);
  const Outcome alone = run(context(divide, 4), in, plain);
  EXPECT_EQ(shared.error, "");
  EXPECT_EQ(shared.packets, alone.packets);
  EXPECT_EQ(shared.counters.cycles, alone.counters.cycles);
}

TEST_P(SharedUnits, RefuseWhatTheyHaveNoTimeFor) {
  const Operation divide{Op::Udiv, Type::I32, Type::I8, 32, 1};
  const Bytes in = bytesOf(operands<uint32_t>(divide));
  const unsigned apart = every(divide);
  EXPECT_NE(
      run(context(divide, apart - 1), in, overlay)
          .error.find("an operation in each interval of 3 slots; the PE's unit takes one in 4"),
      std::string::npos);
  isa::LoopContext loop = context(divide, 2 * apart);
  addOperation(loop, {Op::Urem, Type::I32, Type::I8, 32, 1}, overlay.inputLatency + apart);
  finishContext(loop, overlay);
  const Outcome outcome = run(loop, in, overlay);
  EXPECT_NE(outcome.error.find("two operations fewer than 4 slots apart"), std::string::npos)
      << outcome.error;
  EXPECT_TRUE(outcome.packets.empty());
}

ACIS_CONFORMANCE(SharedUnits);

} // namespace
