#include "runtime/engine/loader/CodeCheck.h"

#include "backend/isa/Numbers.h"
#include "backend/isa/Traps.h"
#include "runtime/engine/scalar/Decoder.h"

#include <cstdio>

namespace acis {

using scalar::Decoded;
using scalar::Opcode;

static std::string hex(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%x", value);
  return text;
}

static Status checkCsr(uint32_t csr) {
  switch (csr) {
  case isa::CsrCycle:
  case isa::CsrCycleH:
  case isa::CsrPktLen:
  case isa::CsrVpeMask:
  case isa::CsrVpeStride:
  case isa::CsrVpeNum:
    return {};
  default:
    return Error{"", isa::trapCsrRead(csr)};
  }
}

static Status checkTarget(uint32_t target, const Handler &handler) {
  if (target % 4 == 0 && target - handler.entry < handler.codeBytes)
    return {};
  return Error{"", "a jump to " + hex(target) + "; the handler is " + hex(handler.entry) + " to " +
                       hex(handler.entry + handler.codeBytes)};
}

static Status checkInstruction(const Decoded &d, uint32_t pc, const Handler &handler,
                               const Overlay &overlay) {
  const uint32_t imm = uint32_t(d.imm);
  if (!overlay.scalarVector && scalar::needsVectors(d.opcode))
    return Error{"", std::string(scalar::mnemonic(d.opcode)) +
                         "; the scalar unit has no vector instructions"};
  switch (d.opcode) {
  case Opcode::Undefined:
    return Error{"", "the word " + hex(d.word) + " is no instruction"};
  case Opcode::Jal:
  case Opcode::Beq:
  case Opcode::Bne:
  case Opcode::Blt:
  case Opcode::Bge:
  case Opcode::Bltu:
  case Opcode::Bgeu:
    return checkTarget(pc + imm, handler);
  case Opcode::Csrrw:
  case Opcode::Csrrs:
  case Opcode::Csrrc:
  case Opcode::Csrrwi:
  case Opcode::Csrrsi:
  case Opcode::Csrrci:
    return checkCsr(imm & 0xfff);
  case Opcode::Launch:
    if (imm - handler.firstContext >= handler.contextCount)
      return Error{"", "launch of context " + std::to_string(imm) + "; the handler has " +
                           std::to_string(handler.contextCount) + " from " +
                           std::to_string(handler.firstContext)};
    return {};
  default:
    return {};
  }
}

Status checkCode(std::span<const uint32_t> code, const Handler &handler, const Overlay &overlay) {
  for (uint32_t pc = handler.entry; pc < handler.entry + handler.codeBytes; pc += 4)
    if (Status s = checkInstruction(scalar::decode(code[pc / 4]), pc, handler, overlay); !s)
      return Error{"handler " + handler.name + ", pc " + hex(pc), s.error().what};
  return {};
}

} // namespace acis
