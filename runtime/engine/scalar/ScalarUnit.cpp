// One step of the scalar unit.
#include "runtime/engine/scalar/ScalarUnit.h"

#include "backend/isa/Numbers.h"
#include "backend/isa/Traps.h"

#include <algorithm>

namespace acis::scalar {
namespace {

uint32_t divide(Opcode opcode, uint32_t a, uint32_t b) {
  const bool overflow = a == 0x80000000 && b == 0xffffffff;
  switch (opcode) {
  case Opcode::Div:
    return b == 0 ? 0xffffffff : overflow ? a : uint32_t(int32_t(a) / int32_t(b));
  case Opcode::Divu:
    return b == 0 ? 0xffffffff : a / b;
  case Opcode::Rem:
    return b == 0 ? a : overflow ? 0 : uint32_t(int32_t(a) % int32_t(b));
  default:
    return b == 0 ? a : a % b;
  }
}

uint32_t multiplyHigh(uint64_t a, uint64_t b) { return uint32_t((a * b) >> 32); }
uint64_t signExtend(uint32_t value) { return uint64_t(int64_t(int32_t(value))); }

bool branchTaken(Opcode opcode, uint32_t a, uint32_t b) {
  switch (opcode) {
  case Opcode::Beq:
    return a == b;
  case Opcode::Bne:
    return a != b;
  case Opcode::Blt:
    return int32_t(a) < int32_t(b);
  case Opcode::Bge:
    return int32_t(a) >= int32_t(b);
  case Opcode::Bltu:
    return a < b;
  default:
    return a >= b;
  }
}

} // namespace

void ScalarUnit::load(std::span<const uint32_t> code, uint32_t wordsOfVector, bool wide) {
  table = decodeAll(code);
  if (wordsOfVector == 0)
    for (Decoded &d : table)
      if (needsVectors(d.opcode))
        d.opcode = Opcode::Undefined;
  vectorWords = wordsOfVector;
  widest = wide ? 3 : 2;
  counts = {};
  reason.clear();
}

void ScalarUnit::start(uint32_t entry, uint32_t scratchBytes) {
  x = {};
  x[2] = isa::ScratchBase + scratchBytes;
  x[12] = isa::MemoryBase;
  programCounter = entry;
  vl = 0;
  vectorValid = false;
  lastCost = 1;
}

Step ScalarUnit::trap(std::string why) {
  reason = std::move(why);
  return Step::Trapped;
}

Step ScalarUnit::finish(Answer answer, ScalarPort &port) { return finish(answer, port, 0, 0); }

Step ScalarUnit::finish(Answer answer, ScalarPort &port, unsigned rd, uint32_t value) {
  switch (answer) {
  case Answer::Done:
    return retire(rd, value);
  case Answer::Wait:
    return Step::Waiting;
  case Answer::Trap:
    break;
  }
  return trap(port.reason);
}

Step ScalarUnit::jump(uint32_t target, unsigned rd) {
  if (target % 4 != 0)
    return trap(isa::trapJump(target));
  lastCost = costs.jump;
  setReg(rd, programCounter + 4);
  programCounter = target;
  return Step::Retired;
}

[[gnu::always_inline]] inline Step ScalarUnit::execute(const Decoded &d, ScalarPort &port) {
  const uint32_t a = x[d.rs1], b = x[d.rs2], imm = uint32_t(d.imm);
  switch (d.opcode) {
  case Opcode::Lui:
    return retire(d.rd, imm);
  case Opcode::Auipc:
    return retire(d.rd, programCounter + imm);
  case Opcode::Jal:
    return jump(programCounter + imm, d.rd);
  case Opcode::Jalr:
    return jump((a + imm) & ~1u, d.rd);
  case Opcode::Beq:
  case Opcode::Bne:
  case Opcode::Blt:
  case Opcode::Bge:
  case Opcode::Bltu:
  case Opcode::Bgeu:
    return branchTaken(d.opcode, a, b) ? jump(programCounter + imm, 0) : retire(0, 0);
  case Opcode::Addi:
    return retire(d.rd, a + imm);
  case Opcode::Slti:
    return retire(d.rd, int32_t(a) < d.imm);
  case Opcode::Sltiu:
    return retire(d.rd, a < imm);
  case Opcode::Xori:
    return retire(d.rd, a ^ imm);
  case Opcode::Ori:
    return retire(d.rd, a | imm);
  case Opcode::Andi:
    return retire(d.rd, a & imm);
  case Opcode::Slli:
    return retire(d.rd, a << imm);
  case Opcode::Srli:
    return retire(d.rd, a >> imm);
  case Opcode::Srai:
    return retire(d.rd, uint32_t(int32_t(a) >> imm));
  case Opcode::Add:
    return retire(d.rd, a + b);
  case Opcode::Sub:
    return retire(d.rd, a - b);
  case Opcode::Sll:
    return retire(d.rd, a << (b & 31));
  case Opcode::Slt:
    return retire(d.rd, int32_t(a) < int32_t(b));
  case Opcode::Sltu:
    return retire(d.rd, a < b);
  case Opcode::Xor:
    return retire(d.rd, a ^ b);
  case Opcode::Srl:
    return retire(d.rd, a >> (b & 31));
  case Opcode::Sra:
    return retire(d.rd, uint32_t(int32_t(a) >> (b & 31)));
  case Opcode::Or:
    return retire(d.rd, a | b);
  case Opcode::And:
    return retire(d.rd, a & b);
  case Opcode::Mul:
    lastCost = costs.product;
    return retire(d.rd, a * b);
  case Opcode::Mulh:
    lastCost = costs.product;
    return retire(d.rd, multiplyHigh(signExtend(a), signExtend(b)));
  case Opcode::Mulhsu:
    lastCost = costs.product;
    return retire(d.rd, multiplyHigh(signExtend(a), b));
  case Opcode::Mulhu:
    lastCost = costs.product;
    return retire(d.rd, multiplyHigh(a, b));
  case Opcode::Div:
  case Opcode::Divu:
  case Opcode::Rem:
  case Opcode::Remu:
    lastCost = isa::DivideCycles;
    return retire(d.rd, divide(d.opcode, a, b));
  case Opcode::Fence: // memory is in order
    return retire(0, 0);
  case Opcode::Undefined:
    return trap(isa::trapUndefined(d.word));
  default:
    return outside(d, port);
  }
}

// One body for step() and run(), which are the inner loops of the engines.
[[gnu::always_inline]] inline Step ScalarUnit::next(ScalarPort &port) {
  lastCost = 1;
  if (programCounter / 4 >= table.size())
    return trap(isa::trapNoCode(programCounter, table.size() * 4));
  const Decoded &d = table[programCounter / 4];
  const Step step = execute(d, port);
  if (step == Step::Retired || step == Step::Ended)
    ++counts[unsigned(d.opcode)];
  return step;
}

Step ScalarUnit::step(ScalarPort &port) { return next(port); }

Step ScalarUnit::run(ScalarPort &port, uint64_t &steps, uint64_t limit) {
  while (++steps <= limit)
    if (const Step step = next(port); step != Step::Retired)
      return step;
  return Step::Retired;
}

/// Everything that needs the port.
Step ScalarUnit::outside(const Decoded &d, ScalarPort &port) {
  const uint32_t a = x[d.rs1], b = x[d.rs2], imm = uint32_t(d.imm);
  uint32_t value = 0;
  switch (d.opcode) {
  case Opcode::Arg:
    return finish(port.argument(imm, a), port);
  case Opcode::Launch:
    return finish(port.launch(imm, a, b, programCounter), port);
  case Opcode::Result: {
    const Answer answer = port.result(imm, value);
    return finish(answer, port, d.rd, value);
  }
  case Opcode::Sync:
    return finish(port.sync(), port);
  case Opcode::Tile: {
    const Answer answer = port.tile(a, b, value);
    return finish(answer, port, d.rd, value);
  }
  case Opcode::StreamIn: {
    const Answer answer = port.streamIn(a, 1u << (imm & 3), (imm & 4) != 0, value);
    return finish(answer, port, d.rd, value);
  }
  case Opcode::StreamOut: {
    const unsigned bytes = 1u << imm;
    return finish(port.streamOut(a, bytes, bytes == 4 ? b : b & ((1u << 8 * bytes) - 1)), port);
  }
  case Opcode::Wfi: {
    const Step step = finish(port.endInvocation(), port);
    return step == Step::Retired ? Step::Ended : step;
  }
  case Opcode::Vsetvli:
    return setVector(d);
  default:
    break;
  }
  if (d.opcode >= Opcode::Lb && d.opcode <= Opcode::Sw)
    return memory(d, port);
  if (d.opcode >= Opcode::Csrrw && d.opcode <= Opcode::Csrrci)
    return csr(d, port);
  if (!vectorValid)
    return trap(isa::trapNoVtype(mnemonic(d.opcode)));
  return finish(port.vector({d.word, a, vl, sewBytes, lmul, programCounter}), port);
}

Step ScalarUnit::memory(const Decoded &d, ScalarPort &port) {
  static constexpr unsigned bytesOf[] = {1, 2, 4, 1, 2, 1, 2, 4}; // lb lh lw lbu lhu sb sh sw
  const unsigned bytes = bytesOf[unsigned(d.opcode) - unsigned(Opcode::Lb)];
  const uint32_t address = x[d.rs1] + uint32_t(d.imm);
  if (address % bytes != 0)
    return trap(isa::trapMisaligned(mnemonic(d.opcode), address));
  if (d.opcode >= Opcode::Sb)
    return finish(port.store(address, bytes, x[d.rs2] & (0xffffffffu >> (32 - 8 * bytes))), port);
  uint32_t value = 0;
  const Answer answer = port.load(address, bytes, value);
  if (d.opcode == Opcode::Lb)
    value = uint32_t(int32_t(int8_t(value)));
  else if (d.opcode == Opcode::Lh)
    value = uint32_t(int32_t(int16_t(value)));
  return finish(answer, port, d.rd, value);
}

Step ScalarUnit::csr(const Decoded &d, ScalarPort &port) {
  const bool immediate = d.opcode >= Opcode::Csrrwi;
  const Opcode kind = immediate ? Opcode(unsigned(d.opcode) - 3) : d.opcode;
  const uint32_t operand = immediate ? d.rs1 : x[d.rs1];
  // As the standard has it: csrrw with rd = x0 does not read; csrrs and csrrc with
  // x0 or 0 do not write.
  const bool reads = kind != Opcode::Csrrw || d.rd != 0;
  const bool writes = kind == Opcode::Csrrw || d.rs1 != 0;
  uint32_t old = 0;
  if (reads)
    if (const Answer answer = port.readCsr(uint32_t(d.imm), old); answer != Answer::Done)
      return finish(answer, port);
  if (!writes)
    return retire(d.rd, old);
  const uint32_t value = kind == Opcode::Csrrw   ? operand
                         : kind == Opcode::Csrrs ? old | operand
                                                 : old & ~operand;
  const Answer answer = port.writeCsr(uint32_t(d.imm), value);
  return finish(answer, port, d.rd, old);
}

Step ScalarUnit::setVector(const Decoded &d) {
  const uint32_t vtype = uint32_t(d.imm), group = vtype & 7, width = (vtype >> 3) & 7;
  if (group > 4 || width > widest || vtype >> 8 != 0)
    return trap(isa::trapVtype(vtype));
  lmul = uint8_t(1 << group);
  sewBytes = uint8_t(1 << width);
  const uint32_t most = lmul * (sewBytes == 8 ? vectorWords / 2 : vectorWords);
  const uint32_t wanted = d.rs1 != 0 ? x[d.rs1] : d.rd != 0 ? most : vl;
  vl = std::min(wanted, most);
  vectorValid = true;
  return retire(d.rd, vl);
}

} // namespace acis::scalar
