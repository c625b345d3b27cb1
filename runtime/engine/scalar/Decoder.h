// Turns the words of .text into a table that the scalar unit executes: done once
// at load, so that a step does not look at instruction bits.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace acis::scalar {

enum class Opcode : uint8_t {
#define ACIS_SCALAR(Name, Mnemonic) Name,
#include "runtime/engine/scalar/Instructions.def"
  Undefined
};
inline constexpr unsigned NumOpcodes = unsigned(Opcode::Undefined);

std::string_view mnemonic(Opcode opcode);
bool isVector(Opcode opcode);
/// Whether an overlay without vector instructions does not have it.
bool needsVectors(Opcode opcode);
/// What an instruction asks of the rest of the overlay. Launch arguments have no answer to wait
/// for.
enum class Question : uint8_t { None, Answered, Launches };
Question questionOf(Opcode opcode);

/// One instruction. `imm` is what the instruction adds, sign-extended; for a CSR
/// instruction the CSR, for a shift the amount, for acis.launch the context, for
/// streamin and streamout the element format, for vsetvli the vtype.
struct Decoded {
  Opcode opcode = Opcode::Undefined;
  uint8_t rd = 0, rs1 = 0, rs2 = 0;
  int32_t imm = 0;
  uint32_t word = 0;
};

Decoded decode(uint32_t word);
std::vector<Decoded> decodeAll(std::span<const uint32_t> words);

} // namespace acis::scalar
