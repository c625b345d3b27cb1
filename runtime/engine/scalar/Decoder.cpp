// From the generated instruction table to what the scalar unit switches on.
#include "runtime/engine/scalar/Decoder.h"

#include "backend/isa/Decode.h"

#include <vector>

namespace acis::scalar {
namespace {

/// The opcode of each instruction of the table, by mnemonic.
const std::vector<Opcode> &opcodes() {
  static const std::vector<Opcode> table = [] {
    std::vector<Opcode> byInstr(isa::numInstrs(), Opcode::Undefined);
    for (unsigned id = 0; id < byInstr.size(); ++id)
      for (unsigned o = 0; o < NumOpcodes; ++o)
        if (isa::mnemonic(isa::Instr(id)) == mnemonic(Opcode(o)))
          byInstr[id] = Opcode(o);
    return byInstr;
  }();
  return table;
}

} // namespace

std::string_view mnemonic(Opcode opcode) {
  static constexpr std::string_view names[] = {
#define ACIS_SCALAR(Name, Mnemonic) Mnemonic,
#include "runtime/engine/scalar/Instructions.def"
      "undefined"};
  return names[unsigned(opcode)];
}

bool isVector(Opcode opcode) { return opcode >= Opcode::Vle8 && opcode <= Opcode::SpvaccVx; }

bool needsVectors(Opcode opcode) { return isVector(opcode) || opcode == Opcode::Vsetvli; }

Question questionOf(Opcode opcode) {
  if (opcode == Opcode::Launch || isVector(opcode))
    return Question::Launches;
  if ((opcode >= Opcode::Lb && opcode <= Opcode::Sw) ||
      (opcode >= Opcode::Csrrw && opcode < Opcode::Undefined && opcode != Opcode::Arg))
    return Question::Answered;
  return Question::None;
}

Decoded decode(uint32_t word) {
  Decoded d;
  d.word = word;
  const std::optional<isa::Decoded> known = isa::decodeInstruction(word);
  if (!known)
    return d;
  d.opcode = opcodes()[unsigned(known->id)];
  d.rd = known->rd;
  d.rs1 = known->rs1;
  d.rs2 = known->rs2;
  d.imm = known->imm;
  return d;
}

std::vector<Decoded> decodeAll(std::span<const uint32_t> words) {
  std::vector<Decoded> table;
  table.reserve(words.size());
  for (uint32_t word : words)
    table.push_back(decode(word));
  return table;
}

} // namespace acis::scalar
