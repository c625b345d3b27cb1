// A forward data-flow analysis over the handler's instructions: of each register, whether
// data may be in it, and whether it is an address in the scalar unit's own memory.
#include "runtime/engine/certify/LengthOnly.h"

#include "runtime/engine/scalar/Decoder.h"
#include "runtime/engine/scalar/ScalarUnit.h"

#include <array>
#include <optional>

namespace acis {
namespace {

using scalar::Decoded;
using scalar::Opcode;

constexpr unsigned StackPointer = 2;

/// What may be true at an instruction, of any way there.
struct State {
  bool reached = false;
  uint32_t data = 0;    ///< registers that may hold data
  uint32_t outside = 0; ///< registers that may be no address of the scratch memory
  uint32_t args = 0;    ///< launch arguments that may hold data
  bool scratch = false; ///< scratch memory may hold data

  bool join(const State &other) {
    const State before = *this;
    reached = true;
    data |= other.data;
    outside |= other.outside;
    args |= other.args;
    scratch |= other.scratch;
    return reached != before.reached || data != before.data || outside != before.outside ||
           args != before.args || scratch != before.scratch;
  }
  bool holds(unsigned reg) const { return data >> reg & 1; }
  void set(unsigned reg, bool isData, bool isOutside) {
    if (reg == 0)
      return;
    const uint32_t bit = uint32_t(1) << reg;
    data = isData ? data | bit : data & ~bit;
    outside = isOutside ? outside | bit : outside & ~bit;
  }
};

class Analysis {
public:
  Analysis(const Image &image, const Handler &handler)
      : image(image), handler(handler), states(handler.codeBytes / 4) {}

  Status run() {
    State entry;
    entry.outside = ~(uint32_t(1) << StackPointer);
    enter(handler.entry, entry);
    while (!pending.empty() && !wrong) {
      const uint32_t pc = pending.back();
      pending.pop_back();
      step(pc);
    }
    if (wrong)
      return *wrong;
    return {};
  }

private:
  void enter(uint32_t pc, const State &state) {
    const uint32_t index = (pc - handler.entry) / 4;
    if (index < states.size() && states[index].join(state))
      pending.push_back(pc);
  }

  void refuse(uint32_t pc, const std::string &what) {
    if (!wrong)
      wrong = Error{image.lineOfCode(pc), what + " depends on data, not on the packet's length"};
  }

  void step(uint32_t pc);
  void checkLaunch(uint32_t pc, const Decoded &d, const State &state);
  bool sink(uint32_t pc, const Decoded &d, State &state);
  void value(const Decoded &d, State &state);

  const Image &image;
  const Handler &handler;
  std::vector<State> states; ///< in front of each instruction
  std::vector<uint32_t> pending;
  std::optional<Error> wrong;
};

/// The arguments of a launch that take part in timing: positions and addresses.
void Analysis::checkLaunch(uint32_t pc, const Decoded &d, const State &state) {
  if (state.holds(d.rs1) || state.holds(d.rs2))
    refuse(pc, "the number of iterations of a loop");
  const isa::LoopContext &loop = image.contexts[uint32_t(d.imm)].loop;
  auto hasData = [&](unsigned arg) { return arg < isa::MaxArgs && (state.args >> arg & 1); };
  if ((loop.streamIn.on && hasData(loop.streamIn.arg)) ||
      (loop.streamOut.on && hasData(loop.streamOut.arg)))
    refuse(pc, "a position in a stream");
  for (const isa::PeContext &pe : loop.pes)
    for (const isa::Slot &slot : pe.slots)
      if (slot.streamOut.on && slot.streamOut.predicate.source != isa::Source::None)
        refuse(pc, "how much is sent");
  for (const isa::PeContext &pe : loop.pes)
    if ((pe.memIn.on && hasData(pe.memIn.arg)) || (pe.memOut.on && hasData(pe.memOut.arg)))
      refuse(pc, "an address in off-chip memory");
}

/// Instructions with operands that decide about time; true if nothing else is to be done.
bool Analysis::sink(uint32_t pc, const Decoded &d, State &state) {
  const bool first = state.holds(d.rs1), second = state.holds(d.rs2);
  switch (d.opcode) {
  case Opcode::Launch:
    checkLaunch(pc, d, state);
    return true;
  case Opcode::Arg: {
    const uint32_t bit = uint32_t(1) << (unsigned(d.imm) % isa::MaxArgs);
    state.args = first ? state.args | bit : state.args & ~bit;
    return true;
  }
  case Opcode::StreamOut:
    if (first)
      refuse(pc, "a position in a stream");
    return true;
  case Opcode::StreamIn:
    if (first)
      refuse(pc, "a position in a stream");
    state.set(d.rd, true, true);
    return true;
  case Opcode::Tile:
    if (second)
      refuse(pc, "a position in a stream");
    state.set(d.rd, true, true);
    return true;
  case Opcode::Result:
    state.set(d.rd, true, true);
    return true;
  case Opcode::Vsetvli:
    if (d.rs1 != 0 && first)
      refuse(pc, "the length of a vector");
    state.set(d.rd, false, true);
    return true;
  default:
    break;
  }
  if (d.opcode >= Opcode::Csrrw && d.opcode <= Opcode::Csrrci) {
    const uint32_t csr = uint32_t(d.imm) & 0xfff;
    const bool isRegister = d.opcode <= Opcode::Csrrc;
    if (isRegister && first && (csr == isa::CsrVpeMask || csr == isa::CsrVpeStride))
      refuse(pc, "where a vector instruction works");
    state.set(d.rd, csr == isa::CsrCycle || csr == isa::CsrCycleH, true);
    return true;
  }
  if (scalar::isVector(d.opcode)) {
    const bool isMemory = d.opcode < Opcode::VmvVi || d.opcode == Opcode::StreamOutV;
    if (isMemory && first)
      refuse(pc, "an address in off-chip memory or a stream");
    return true;
  }
  if (d.opcode >= Opcode::Lb && d.opcode <= Opcode::Lhu) {
    if (first)
      refuse(pc, "an address in memory");
    const bool isScratch = !(state.outside >> d.rs1 & 1);
    state.set(d.rd, isScratch ? state.scratch : true, true);
    return true;
  }
  if (d.opcode >= Opcode::Sb && d.opcode <= Opcode::Sw) {
    if (first)
      refuse(pc, "an address in memory");
    state.scratch |= second; // even if it goes elsewhere
    return true;
  }
  return false;
}

/// Arithmetic: data goes in, data comes out; sums with the stack pointer stay addresses.
void Analysis::value(const Decoded &d, State &state) {
  const bool isImmediate = (d.opcode >= Opcode::Addi && d.opcode <= Opcode::Srai) ||
                           d.opcode == Opcode::Lui || d.opcode == Opcode::Auipc;
  const bool constant = d.opcode == Opcode::Lui || d.opcode == Opcode::Auipc;
  const bool isData = !constant && (state.holds(d.rs1) || (!isImmediate && state.holds(d.rs2)));
  const bool keepsAddress = d.opcode == Opcode::Addi || d.opcode == Opcode::Add;
  const bool inScratch = keepsAddress && (!(state.outside >> d.rs1 & 1) ||
                                          (!isImmediate && !(state.outside >> d.rs2 & 1)));
  state.set(d.rd, isData, !inScratch);
}

void Analysis::step(uint32_t pc) {
  const Decoded d = scalar::decode(image.code[pc / 4]);
  State state = states[(pc - handler.entry) / 4];
  switch (d.opcode) {
  case Opcode::Wfi:
    return;
  case Opcode::Jal:
    state.set(d.rd, false, true);
    return enter(pc + uint32_t(d.imm), state);
  case Opcode::Jalr:
    return refuse(pc, "where an indirect jump goes");
  case Opcode::Beq:
  case Opcode::Bne:
  case Opcode::Blt:
  case Opcode::Bge:
  case Opcode::Bltu:
  case Opcode::Bgeu:
    if (state.holds(d.rs1) || state.holds(d.rs2))
      return refuse(pc, "a branch of the control code");
    enter(pc + uint32_t(d.imm), state);
    return enter(pc + 4, state);
  default:
    break;
  }
  if (!sink(pc, d, state))
    value(d, state);
  enter(pc + 4, state);
}

} // namespace

Status dependsOnLengthOnly(const Image &image, const Handler &handler) {
  return Analysis(image, handler).run();
}

} // namespace acis
