// Instructions: 32-bit words to operations and operands and back, by the table that
// acis-tblgen writes from Base.td, RVV.td and Xacis.td.
//
// Enumerators are the parts of the mnemonic in UpperCamelCase: addi is Addi, vadd.vv
// is VaddVv, vle32.v is Vle32V, acis.launch is AcisLaunch, spvacc.xv is SpvaccXv,
// streamout.v is StreamoutV.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace acis::isa {

enum class Instr : uint8_t {
#define ACIS_INSTR(Name) Name,
#define ACIS_GET_INSTR_ENUM
#include "backend/isa/Instructions.inc"
};

/// Who executes it: the scalar unit alone; the grid, as a one-slot context; or one of
/// ours, see docs/isa.md.
enum class InstrKind : uint8_t { Scalar, Vector, Custom };

/// Where an operand's value stands in Decoded.
enum class OperandRole : uint8_t { Rd, Rs1, Rs2, Imm };
/// What an operand is, for assembly text.
enum class OperandKind : uint8_t {
  Gpr,    ///< x register
  Vreg,   ///< v register
  Simm,   ///< signed number
  Uimm,   ///< unsigned number
  Csr,    ///< number of a CSR, 0..4095
  Upper,  ///< the upper 20 bits; text shows the value shifted right by 12
  Branch, ///< distance in bytes from this instruction
};

/// Consecutive bits of an operand within the instruction word.
struct Segment {
  uint8_t operandBit, instrBit, width;
};

struct OperandInfo {
  std::string_view name;
  OperandRole role;
  OperandKind kind;
  uint8_t bits; ///< including low bits that are always 0
  bool isSigned;
  uint64_t allowed; ///< mask of the allowed values 0..63; 0: any that fits
  std::span<const Segment> segments;
};

struct InstrInfo {
  std::string_view mnemonic;
  std::string_view text; ///< operands in assembly, "$rd, $imm($rs1)"
  InstrKind kind;
  uint32_t mask, match; ///< word & mask == match
  std::span<const OperandInfo> operands;
};

/// One instruction. Registers an instruction has not are 0; rd, rs1 and rs2 stand for
/// vd (or vs3 of a store), vs1 and vs2 of vector instructions.
struct Decoded {
  Instr id{};
  uint8_t rd = 0, rs1 = 0, rs2 = 0;
  /// Immediate, sign- or zero-extended as the instruction says; `upper << 12` of lui
  /// and auipc, the CSR number, the vtype of vsetvli, the context of acis.launch, the
  /// argument, result or format number. CSR immediates (csrrwi) are in rs1.
  int32_t imm = 0;
  bool operator==(const Decoded &) const = default;
};

void setOperand(Decoded &decoded, OperandRole role, int32_t value);

unsigned numInstrs();
const InstrInfo &info(Instr id);
inline std::string_view mnemonic(Instr id) { return info(id).mnemonic; }

/// Nothing for a word that is not an instruction of this machine.
std::optional<Decoded> decodeInstruction(uint32_t word);
/// Nothing if an operand does not fit. decodeInstruction(*encodeInstruction(d)) is d.
std::optional<uint32_t> encodeInstruction(const Decoded &decoded);
/// As llvm-mc reads it, but for our own: "addi x11, x11, 10", "acis.arg 3, x10".
std::string assembly(const Decoded &decoded);

} // namespace acis::isa
