#include "runtime/engine/loader/VectorContext.h"

#include "runtime/engine/loader/Trace.h"

#include <algorithm>

namespace acis {

using isa::LoopContext;
using isa::Op;
using isa::PeContext;
using isa::Slot;
using isa::Source;
using isa::Type;
using Kind = VectorInstruction::Kind;

void setVectorType(uint32_t vtype, VectorState &state) {
  const uint32_t lmul = vtype & 7, sew = vtype >> 3 & 7;
  state.illegal = lmul > 4 || sew > 3 || vtype >> 8 != 0; // bits 6 and 7: agnostic, ignored
  state.lmul = state.illegal ? 1 : 1u << lmul;
  state.sewBits = state.illegal ? 32 : 8u << sew;
}

static unsigned laneBitsOf(const VectorState &state) { return state.sewBits == 64 ? 64 : 32; }

uint32_t maxVectorLength(const VectorState &state, const Overlay &overlay) {
  const unsigned vf = overlay.lanes * 32 / laneBitsOf(state);
  return state.illegal ? 0 : state.lmul * overlay.vregBeats() * vf;
}

namespace {

class Builder {
public:
  Builder(const VectorInstruction &instruction, const VectorState &state, const Overlay &overlay)
      : in(instruction), state(state), overlay(overlay),
        vf(overlay.lanes * 32 / laneBitsOf(state)) {}

  Result<std::vector<VectorLaunch>> build() {
    if (Status s = check(); !s)
      return s.error();
    std::vector<VectorLaunch> launches;
    std::vector<unsigned> pes;
    for (unsigned pe = 0; pe < std::min(overlay.numPes(), 32u); ++pe)
      if (state.vpemask >> pe & 1)
        pes.push_back(pe);
    if (state.vl == 0 || pes.empty())
      return launches;
    if (in.kind != Kind::StreamOut) {
      launches.push_back(start());
      for (unsigned pe : pes)
        if (Status s = addPe(launches.back().context, pe); !s)
          return s.error();
      finish(launches.back());
      return launches;
    }
    uint32_t position = in.scalar; // the VPEs send one after the other
    for (unsigned pe : pes) {
      launches.push_back(start());
      launches.back().args[0] = position;
      if (Status s = addPe(launches.back().context, pe); !s)
        return s.error();
      finish(launches.back());
      position += state.vl * (state.sewBits / 8);
    }
    return launches;
  }

private:
  static Error fail(std::string what) { return {"", std::move(what)}; }

  bool isSparse() const { return in.kind == Kind::SpvaccXv || in.kind == Kind::SpvaccVx; }

  Status check() const {
    if (state.illegal)
      return fail("a vector instruction without a valid vsetvli before it");
    if (state.vl > maxVectorLength(state, overlay))
      return fail("vl of " + std::to_string(state.vl) + "; a group holds " +
                  std::to_string(maxVectorLength(state, overlay)));
    if ((in.kind == Kind::Load || in.kind == Kind::Store) && in.eewBits > laneBitsOf(state))
      return fail("memory elements of 64 bits with SEW " + std::to_string(state.sewBits) +
                  "; set SEW 64");
    if (needsFloat() && state.sewBits < 32)
      return fail("floating point with SEW " + std::to_string(state.sewBits) +
                  "; 32 and 64 are allowed");
    if (isSparse() && overlay.operandDelay <= sparseDistance())
      return fail("spvacc needs an operand delay of " + std::to_string(sparseDistance()) +
                  " cycles; the overlay has " + std::to_string(overlay.operandDelay - 1));
    if (isSparse() && in.vd == in.vs2)
      return fail("spvacc adds to the registers that it reads its table from, v" +
                  std::to_string(in.vd) + "; name two groups");
    for (unsigned reg : registers())
      if (reg % state.lmul != 0 || reg + state.lmul > Overlay::NumVregs)
        return fail("vector register " + std::to_string(reg) + " with LMUL " +
                    std::to_string(state.lmul) + "; multiples of it are allowed");
    return {};
  }

  bool needsFloat() const {
    return isSparse() || (in.kind == Kind::Binary && unitOf(in.op) == UnitClass::Float);
  }

  std::vector<unsigned> registers() const {
    switch (in.kind) {
    case Kind::Load:
    case Kind::Store:
    case Kind::Move:
      return {in.vd};
    case Kind::Binary:
      if (!in.scalarOperand)
        return {in.vd, in.vs1, in.vs2};
      return {in.vd, in.vs2};
    case Kind::StreamOut:
      return {in.vs2};
    default:
      return {in.vd, in.vs2};
    }
  }

  unsigned latency(Op op) const { return latencyOf(op, overlay); }
  /// Cycles until what a slot reads is a source.
  unsigned inputs() const { return overlay.inputLatency; }
  /// Cycles until what a slot reads is the index of an access.
  unsigned indices() const { return inputs() + overlay.indexLatency; }
  /// From the reads of spvacc to its write.
  unsigned sparseDistance() const { return inputs() + latency(Op::Fadd); }

  VectorLaunch start() const {
    VectorLaunch launch;
    LoopContext &loop = launch.context;
    loop.laneBits = uint8_t(laneBitsOf(state));
    loop.numArgs = 1;
    launch.args = {in.scalar};
    loop.streamInSlots.resize(1);
    loop.pes.resize(overlay.numPes());
    for (PeContext &pe : loop.pes)
      pe.slots.resize(1);
    if (isSparse()) { // one beat of indices an iteration
      launch.iterations = state.vl;
      loop.numArgs = 2;
      launch.args.push_back(state.streamPosition);
      loop.streamIn = {true, {uint8_t(laneBitsOf(state) / 8), false, false}, 1};
      loop.streamInSlots[0].on = true;
    } else {
      launch.iterations = (state.vl + vf - 1) / vf;
      launch.tail = state.vl % vf;
    }
    return launch;
  }

  void finish(VectorLaunch &launch) const {
    LoopContext &loop = launch.context;
    loop.stages = 1;
    for (const PeContext &pe : loop.pes)
      for (const Slot &word = pe.slots[0];
           unsigned stage : {word.stage, word.write.stage, word.memOut.stage, word.streamOut.stage})
        loop.stages = std::max<uint16_t>(loop.stages, uint16_t(stage + 1));
    vregMasks(loop, overlay, loop.vregsRead, loop.vregsWritten);
  }

  /// Address number of the register group at `vreg`, walked beat by beat as far as vl
  /// reaches: registers of the group behind it are not touched, and nothing waits for them.
  uint8_t group(PeContext &words, unsigned vreg) const {
    isa::VrfAddress address;
    address.base = uint16_t(vreg * overlay.vregBeats());
    address.limit = uint16_t((state.vl + vf - 1) / vf);
    address.stride1 = 1;
    words.addresses.push_back(address);
    return uint8_t(words.addresses.size() - 1);
  }
  /// The whole group, addressed by an index or, at a fixed beat, by nothing.
  isa::VrfAddress &wholeGroup(PeContext &words, unsigned vreg) const {
    isa::VrfAddress &address = words.addresses[group(words, vreg)];
    address.limit = uint16_t(state.lmul * overlay.vregBeats());
    address.stride1 = 0;
    return address;
  }

  static void read(Slot &word, unsigned port, uint8_t address, unsigned stage = 0) {
    word.read[port].on = true;
    word.read[port].address = address;
    word.read[port].stage = uint8_t(stage);
  }
  isa::PortWrite whatPort0Reads() const { return {true, uint8_t(inputs()), {Source::Vrf0}, {}}; }
  static void write(Slot &word, uint8_t address, unsigned stage, Source data) {
    word.write.on = true;
    word.write.address = address;
    word.write.stage = uint8_t(stage);
    word.write.data.source = data;
  }

  void operation(Slot &word, Op op, unsigned stage, Source a, Source b) const {
    const bool wide = state.sewBits == 64, isFloat = unitOf(op) == UnitClass::Float;
    word.op = op;
    word.stage = uint8_t(stage);
    word.type = isFloat               ? (wide ? Type::F64 : Type::F32)
                : wide                ? Type::I64
                : state.sewBits == 32 ? Type::I32
                : state.sewBits == 16 ? Type::I16
                                      : Type::I8;
    word.a.source = a;
    word.b.source = b;
  }

  /// The integer operand in the element's width, sign-extended as RVV has it.
  uint64_t scalarElement() const {
    const uint64_t value = uint64_t(int64_t(int32_t(in.scalar)));
    return state.sewBits == 64 ? value : value & ((uint64_t(1) << state.sewBits) - 1);
  }

  Status addPe(LoopContext &loop, unsigned pe) const {
    PeContext &words = loop.pes[pe];
    Slot &word = words.slots[0];
    switch (in.kind) {
    case Kind::Load:
      if (Status s = memory(words.memIn, pe); !s)
        return s;
      word.memIn.on = true;
      write(word, group(words, in.vd), inputs(), Source::MemIn);
      break;
    case Kind::Store:
      if (Status s = memory(words.memOut, pe); !s)
        return s;
      read(word, 0, group(words, in.vd));
      word.memOut = whatPort0Reads();
      break;
    case Kind::Move:
      word.imm[0] = scalarElement();
      write(word, group(words, in.vd), 0, Source::Imm0);
      break;
    case Kind::Binary:
      read(word, 0, group(words, in.vs2));
      operation(word, in.op, inputs(), Source::Vrf0,
                in.scalarOperand ? Source::Imm0 : Source::Vrf1);
      if (in.scalarOperand)
        word.imm[0] = scalarElement();
      else
        read(word, 1, group(words, in.vs1));
      write(word, group(words, in.vd), inputs() + latency(in.op), Source::Res);
      break;
    case Kind::StreamOut:
      read(word, 0, group(words, in.vs2));
      word.streamOut = whatPort0Reads();
      loop.streamOut = {true, {uint8_t(state.sewBits / 8), false, false}, 0};
      break;
    case Kind::SpvaccXv:
    case Kind::SpvaccVx:
      sparse(words);
    }
    if (!overlay.pes[pe].vrf)
      return fail("VPE " + std::to_string(pe) + " of the mask has no register file");
    return {};
  }

  Status memory(isa::MemAddress &address, unsigned pe) const {
    if (!overlay.pes[pe].memory)
      return fail("VPE " + std::to_string(pe) + " of the mask has no memory port");
    const unsigned bytes = in.eewBits / 8;
    address.on = true;
    address.format.bytes = uint8_t(bytes);
    address.arg = 0;
    address.format.splat = in.broadcast;
    address.offset = int32_t(pe * uint32_t(state.vpestride));
    address.stride1 = int32_t(in.broadcast ? bytes : vf * bytes);
    return {};
  }

  /// Read port 0: vs2, read port 1: vd, both when the index is there; the sum goes to vd.
  void sparse(PeContext &words) const {
    Slot &word = words.slots[0];
    const unsigned start = indices();
    wholeGroup(words, in.vs2);
    wholeGroup(words, in.vd);
    const unsigned indexed = in.kind == Kind::SpvaccXv ? 0 : 1;
    read(word, 0, 0, start);
    read(word, 1, 1, start);
    words.addresses[indexed].indexed = true;
    words.addresses[indexed].zeroOutside = true;
    word.read[indexed].index.source = Source::StreamIn;
    operation(word, Op::Fadd, start + inputs(), Source::Vrf1, Source::Vrf0);
    write(word, 1, start + sparseDistance(), Source::Res);
    word.write.interlock = true;
    if (in.kind == Kind::SpvaccVx) {
      words.addresses[0].arg = 0;
      word.write.index = {Source::StreamIn, uint8_t(sparseDistance())};
    }
  }

  const VectorInstruction &in;
  const VectorState &state;
  const Overlay &overlay;
  const unsigned vf;
};

} // namespace

Result<std::vector<VectorLaunch>> vectorLaunches(const VectorInstruction &instruction,
                                                 const VectorState &state, const Overlay &overlay) {
  return Builder(instruction, state, overlay).build();
}

} // namespace acis
