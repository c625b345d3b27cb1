// The instruction formats of RV32IM and of the overlay's own instructions.
#include "runtime/scalar/Decoder.h"

#include <array>

namespace acis::scalar {
namespace {

constexpr uint32_t field(uint32_t word, unsigned low, unsigned bits) {
  return (word >> low) & ((1u << bits) - 1);
}
constexpr int32_t signedField(uint32_t word, unsigned low, unsigned bits) {
  return int32_t(word << (32 - low - bits)) >> (32 - bits);
}
constexpr int32_t immI(uint32_t w) { return signedField(w, 20, 12); }
constexpr int32_t immS(uint32_t w) { return signedField(w, 25, 7) * 32 + int32_t(field(w, 7, 5)); }
constexpr int32_t immB(uint32_t w) {
  return signedField(w, 31, 1) * 4096 +
         int32_t(field(w, 7, 1) << 11 | field(w, 25, 6) << 5 | field(w, 8, 4) << 1);
}
constexpr int32_t immJ(uint32_t w) {
  return signedField(w, 31, 1) * (1 << 20) +
         int32_t(field(w, 12, 8) << 12 | field(w, 20, 1) << 11 | field(w, 21, 10) << 1);
}

/// The opcode that `choices` names for funct3.
Opcode pick(const std::array<Opcode, 8> &choices, uint32_t funct3) { return choices[funct3]; }

constexpr Opcode U = Opcode::Undefined;

Opcode decodeAluImmediate(uint32_t w) {
  const uint32_t funct3 = field(w, 12, 3), funct7 = field(w, 25, 7);
  if (funct3 == 1)
    return funct7 == 0 ? Opcode::Slli : U;
  if (funct3 == 5)
    return funct7 == 0 ? Opcode::Srli : funct7 == 0x20 ? Opcode::Srai : U;
  return pick(
      {Opcode::Addi, U, Opcode::Slti, Opcode::Sltiu, Opcode::Xori, U, Opcode::Ori, Opcode::Andi},
      funct3);
}

Opcode decodeAlu(uint32_t w) {
  const uint32_t funct3 = field(w, 12, 3);
  switch (field(w, 25, 7)) {
  case 0x00:
    return pick({Opcode::Add, Opcode::Sll, Opcode::Slt, Opcode::Sltu, Opcode::Xor, Opcode::Srl,
                 Opcode::Or, Opcode::And},
                funct3);
  case 0x01:
    return pick({Opcode::Mul, Opcode::Mulh, Opcode::Mulhsu, Opcode::Mulhu, Opcode::Div,
                 Opcode::Divu, Opcode::Rem, Opcode::Remu},
                funct3);
  case 0x20:
    return pick({Opcode::Sub, U, U, U, U, Opcode::Sra, U, U}, funct3);
  default:
    return U;
  }
}

Opcode decodeSystem(uint32_t w) {
  if (w == 0x10500073)
    return Opcode::Wfi;
  return pick({U, Opcode::Csrrw, Opcode::Csrrs, Opcode::Csrrc, U, Opcode::Csrrwi, Opcode::Csrrsi,
               Opcode::Csrrci},
              field(w, 12, 3));
}

/// custom-0: launches.
Opcode decodeCustom0(uint32_t w) {
  const uint32_t rd = field(w, 7, 5), rs1 = field(w, 15, 5), imm = field(w, 20, 12);
  switch (field(w, 12, 3)) {
  case 0:
    return rd == 0 ? Opcode::Arg : U;
  case 1:
    return rd == 0 ? Opcode::Launch : U;
  case 2:
    return rs1 == 0 ? Opcode::Result : U;
  case 3:
    return rd == 0 && rs1 == 0 && imm == 0 ? Opcode::Sync : U;
  case 4:
    return field(w, 25, 7) == 0 ? Opcode::Tile : U;
  default:
    return U;
  }
}

/// custom-1: streams.
Opcode decodeCustom1(uint32_t w) {
  const uint32_t rd = field(w, 7, 5);
  switch (field(w, 12, 3)) {
  case 0: {
    const uint32_t format = field(w, 20, 12);
    return format < 8 && (format & 3) < 3 ? Opcode::StreamIn : U;
  }
  case 1:
    return immS(w) >= 0 && immS(w) < 3 ? Opcode::StreamOut : U;
  case 2:
    return rd == 0 && field(w, 25, 7) == 1 ? Opcode::StreamOutV : U;
  default:
    return U;
  }
}

/// custom-2: sparse accumulation.
Opcode decodeCustom2(uint32_t w) {
  if (field(w, 25, 7) != 0)
    return U;
  switch (field(w, 12, 3)) {
  case 0:
    return field(w, 15, 5) == 0 ? Opcode::SpvaccXv : U;
  case 1:
    return Opcode::SpvaccVx;
  default:
    return U;
  }
}

/// Unit-stride, unmasked loads (`store` false) and stores.
Opcode decodeVectorMemory(uint32_t w, bool store) {
  if (field(w, 20, 12) != 0x020) // nf, mew, mop, vm = 1, lumop or sumop
    return U;
  switch (field(w, 12, 3)) {
  case 0:
    return store ? Opcode::Vse8 : Opcode::Vle8;
  case 5:
    return store ? Opcode::Vse16 : Opcode::Vle16;
  case 6:
    return store ? Opcode::Vse32 : Opcode::Vle32;
  case 7:
    return store ? Opcode::Vse64 : Opcode::Vle64;
  default:
    return U;
  }
}

Opcode decodeVector(uint32_t w) {
  const uint32_t funct3 = field(w, 12, 3), funct6 = field(w, 26, 6), vs2 = field(w, 20, 5);
  if (funct3 == 7)
    return field(w, 31, 1) == 0 ? Opcode::Vsetvli : U;
  if (field(w, 25, 1) == 0) // masked
    return U;
  constexpr uint32_t opivv = 0, opfvv = 1, opmvv = 2, opivi = 3, opivx = 4, opmvx = 6;
  if (funct6 == 0x17 && vs2 == 0)
    return funct3 == opivi ? Opcode::VmvVi : funct3 == opivx ? Opcode::VmvVx : U;
  if (funct6 == 0x00)
    return pick({Opcode::VaddVv, Opcode::VfaddVv, U, U, Opcode::VaddVx, U, U, U}, funct3);
  if (funct6 == 0x25)
    return funct3 == opmvv ? Opcode::VmulVv : funct3 == opmvx ? Opcode::VmulVx : U;
  if (funct6 == 0x24 && funct3 == opfvv)
    return Opcode::VfmulVv;
  static_assert(opivv == 0);
  return U;
}

Opcode opcodeOf(uint32_t w) {
  const uint32_t funct3 = field(w, 12, 3);
  switch (field(w, 0, 7)) {
  case 0x37:
    return Opcode::Lui;
  case 0x17:
    return Opcode::Auipc;
  case 0x6f:
    return Opcode::Jal;
  case 0x67:
    return funct3 == 0 ? Opcode::Jalr : U;
  case 0x63:
    return pick(
        {Opcode::Beq, Opcode::Bne, U, U, Opcode::Blt, Opcode::Bge, Opcode::Bltu, Opcode::Bgeu},
        funct3);
  case 0x03:
    return pick({Opcode::Lb, Opcode::Lh, Opcode::Lw, U, Opcode::Lbu, Opcode::Lhu, U, U}, funct3);
  case 0x23:
    return pick({Opcode::Sb, Opcode::Sh, Opcode::Sw, U, U, U, U, U}, funct3);
  case 0x13:
    return decodeAluImmediate(w);
  case 0x33:
    return decodeAlu(w);
  case 0x0f:
    return funct3 == 0 ? Opcode::Fence : U;
  case 0x73:
    return decodeSystem(w);
  case 0x0b:
    return decodeCustom0(w);
  case 0x2b:
    return decodeCustom1(w);
  case 0x5b:
    return decodeCustom2(w);
  case 0x07:
    return decodeVectorMemory(w, /*store=*/false);
  case 0x27:
    return decodeVectorMemory(w, /*store=*/true);
  case 0x57:
    return decodeVector(w);
  default:
    return U;
  }
}

int32_t immediateOf(Opcode opcode, uint32_t w) {
  switch (field(w, 0, 7)) {
  case 0x37:
  case 0x17:
    return int32_t(w & 0xfffff000);
  case 0x6f:
    return immJ(w);
  case 0x63:
    return immB(w);
  case 0x23:
    return immS(w);
  case 0x73:
    return int32_t(field(w, 20, 12));
  default:
    break;
  }
  switch (opcode) {
  case Opcode::Slli:
  case Opcode::Srli:
  case Opcode::Srai:
    return int32_t(field(w, 20, 5));
  case Opcode::Arg:
  case Opcode::Result:
  case Opcode::StreamIn:
    return int32_t(field(w, 20, 12));
  case Opcode::StreamOut:
    return immS(w);
  case Opcode::Launch:
    return int32_t(field(w, 25, 7));
  case Opcode::Vsetvli:
    return int32_t(field(w, 20, 11));
  default:
    return immI(w);
  }
}

} // namespace

std::string_view mnemonic(Opcode opcode) {
  static constexpr std::string_view names[] = {
#define ACIS_SCALAR(Name, Mnemonic) Mnemonic,
#include "runtime/scalar/Instructions.def"
      "undefined"};
  return names[unsigned(opcode)];
}

bool isVector(Opcode opcode) { return opcode >= Opcode::Vle8 && opcode <= Opcode::SpvaccVx; }

Decoded decode(uint32_t word) {
  Decoded d;
  d.opcode = opcodeOf(word);
  d.rd = uint8_t(field(word, 7, 5));
  d.rs1 = uint8_t(field(word, 15, 5));
  d.rs2 = uint8_t(field(word, 20, 5));
  d.imm = immediateOf(d.opcode, word);
  d.word = word;
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
