// Table-driven decoder and encoder of instruction words.
#include "backend/isa/Decode.h"

#include <array>

namespace acis::isa {

namespace {

#define ACIS_GET_INSTR_TABLE
#include "backend/isa/Instructions.inc"

constexpr unsigned tableSize = std::size(instrTable);

/// Instructions by the lowest seven bits, so that few masks are tried. `last` is one
/// past the end of the run of candidates in `order`.
struct OpcodeIndex {
  std::array<uint8_t, tableSize> order{};
  std::array<uint8_t, 129> first{};
};

constexpr OpcodeIndex makeIndex() {
  static_assert(tableSize <= 255);
  OpcodeIndex index;
  unsigned used = 0;
  for (unsigned opcode = 0; opcode < 128; ++opcode) {
    index.first[opcode] = static_cast<uint8_t>(used);
    for (unsigned i = 0; i < tableSize; ++i)
      if ((instrTable[i].match & 0x7f) == opcode)
        index.order[used++] = static_cast<uint8_t>(i);
  }
  index.first[128] = static_cast<uint8_t>(used);
  return index;
}

constexpr OpcodeIndex opcodeIndex = makeIndex();

/// 64 bits wide, as an operand of 32 bits is shifted.
uint32_t lowMask(unsigned width) { return static_cast<uint32_t>((uint64_t(1) << width) - 1); }

int32_t extract(uint32_t word, const OperandInfo &operand) {
  uint32_t value = 0;
  for (const Segment &s : operand.segments)
    value |= (word >> s.instrBit & lowMask(s.width)) << s.operandBit;
  if (operand.isSigned && operand.bits < 32 && value >> (operand.bits - 1) & 1)
    value |= ~lowMask(operand.bits);
  return static_cast<int32_t>(value);
}

bool isAllowed(int32_t value, const OperandInfo &operand) {
  return !operand.allowed || (value >= 0 && value < 64 && operand.allowed >> value & 1);
}

int32_t valueOf(const Decoded &decoded, OperandRole role) {
  switch (role) {
  case OperandRole::Rd:
    return decoded.rd;
  case OperandRole::Rs1:
    return decoded.rs1;
  case OperandRole::Rs2:
    return decoded.rs2;
  case OperandRole::Imm:
    return decoded.imm;
  }
  return 0;
}

} // namespace

void setOperand(Decoded &decoded, OperandRole role, int32_t value) {
  switch (role) {
  case OperandRole::Rd:
    decoded.rd = static_cast<uint8_t>(value);
    break;
  case OperandRole::Rs1:
    decoded.rs1 = static_cast<uint8_t>(value);
    break;
  case OperandRole::Rs2:
    decoded.rs2 = static_cast<uint8_t>(value);
    break;
  case OperandRole::Imm:
    decoded.imm = value;
    break;
  }
}

unsigned numInstrs() { return tableSize; }

const InstrInfo &info(Instr id) { return instrTable[static_cast<unsigned>(id)]; }

std::optional<Decoded> decodeInstruction(uint32_t word) {
  unsigned opcode = word & 0x7f;
  for (unsigned i = opcodeIndex.first[opcode]; i < opcodeIndex.first[opcode + 1]; ++i) {
    const InstrInfo &instr = instrTable[opcodeIndex.order[i]];
    if ((word & instr.mask) != instr.match)
      continue;
    Decoded decoded;
    decoded.id = static_cast<Instr>(opcodeIndex.order[i]);
    for (const OperandInfo &operand : instr.operands) {
      int32_t value = extract(word, operand);
      if (!isAllowed(value, operand))
        return std::nullopt;
      setOperand(decoded, operand.role, value);
    }
    return decoded;
  }
  return std::nullopt;
}

std::optional<uint32_t> encodeInstruction(const Decoded &decoded) {
  if (static_cast<unsigned>(decoded.id) >= tableSize)
    return std::nullopt;
  const InstrInfo &instr = info(decoded.id);
  uint32_t word = instr.match;
  Decoded rest = decoded; // what no operand takes has to be 0
  for (const OperandInfo &operand : instr.operands) {
    int32_t value = valueOf(decoded, operand.role);
    uint32_t bits = 0;
    for (const Segment &s : operand.segments)
      bits |= (static_cast<uint32_t>(value) >> s.operandBit & lowMask(s.width)) << s.instrBit;
    if (extract(bits, operand) != value || !isAllowed(value, operand))
      return std::nullopt;
    word |= bits;
    setOperand(rest, operand.role, 0);
  }
  if (rest != Decoded{decoded.id})
    return std::nullopt;
  return word;
}

namespace {

std::string operandText(const OperandInfo &operand, int32_t value) {
  switch (operand.kind) {
  case OperandKind::Gpr:
    return "x" + std::to_string(value);
  case OperandKind::Vreg:
    return "v" + std::to_string(value);
  case OperandKind::Upper:
    return std::to_string(static_cast<uint32_t>(value) >> 12);
  case OperandKind::Simm:
  case OperandKind::Uimm:
  case OperandKind::Csr:
  case OperandKind::Branch:
    break;
  }
  return std::to_string(value);
}

} // namespace

std::string assembly(const Decoded &decoded) {
  const InstrInfo &instr = info(decoded.id);
  std::string result(instr.mnemonic);
  result += instr.text.empty() ? "" : " ";
  for (size_t i = 0; i < instr.text.size(); ++i) {
    if (instr.text[i] != '$') {
      result += instr.text[i];
      continue;
    }
    for (const OperandInfo &operand : instr.operands)
      if (instr.text.substr(i + 1, operand.name.size()) == operand.name) {
        result += operandText(operand, valueOf(decoded, operand.role));
        i += operand.name.size();
        break;
      }
  }
  return result;
}

} // namespace acis::isa
