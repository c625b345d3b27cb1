// Binaries made by tests: a minimal ELF writer and the encodings of the instructions
// that tests use. Independent of the compiler's back end.
#pragma once

#include "backend/isa/Context.h"
#include "backend/overlay/Overlay.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace acis::cts {

using Bytes = std::vector<uint8_t>;
using Words = std::vector<uint32_t>;

void appendWord(Bytes &bytes, uint32_t word);
Bytes wordBytes(const Words &words);

struct TestSection {
  std::string name;
  uint32_t type = 1; ///< SHT_PROGBITS
  Bytes bytes;
};

/// An ELF32 RISC-V relocatable object with these sections.
Bytes makeElf(const std::vector<TestSection> &sections);

/// One handler over code and contexts; fields may be spoiled before sections().
struct TestBinary {
  explicit TestBinary(const Overlay &overlay) : fingerprint(overlay.fingerprint()) {}

  Words code;
  Words behind; ///< code behind the handler's, at which the loader does not look
  std::vector<isa::LoopContext> contexts;
  std::string name = "test";
  uint64_t fingerprint;
  uint32_t abi = 1, memoryBytes = 0, inBytes = 4, outBytes = 4;
  /// Entries of .acis.lines: kind, key, line; the file is always "test.c".
  struct Line {
    uint32_t kind, key, line;
  };
  std::vector<Line> lines;
  Words initial; ///< .acis.init, not there if empty

  std::vector<TestSection> sections() const;
  Bytes elf() const { return makeElf(sections()); }
};

/// Instruction words.
namespace as {
enum Reg : uint32_t { zero, ra, sp, gp, tp, t0, t1, t2, s0, s1, a0, a1, a2, a3, a4, a5, a6, a7 };
uint32_t rType(uint32_t opcode, uint32_t funct3, uint32_t funct7, uint32_t rd, uint32_t rs1,
               uint32_t rs2);
uint32_t iType(uint32_t opcode, uint32_t funct3, uint32_t rd, uint32_t rs1, int32_t imm);
uint32_t sType(uint32_t opcode, uint32_t funct3, uint32_t rs1, uint32_t rs2, int32_t imm);

inline uint32_t addi(uint32_t rd, uint32_t rs1, int32_t imm) {
  return iType(0x13, 0, rd, rs1, imm);
}
inline uint32_t add(uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return rType(0x33, 0, 0, rd, rs1, rs2);
}
inline uint32_t lw(uint32_t rd, uint32_t rs1, int32_t imm) { return iType(0x03, 2, rd, rs1, imm); }
inline uint32_t sw(uint32_t rs2, uint32_t rs1, int32_t imm) {
  return sType(0x23, 2, rs1, rs2, imm);
}
inline uint32_t lui(uint32_t rd, uint32_t upper) { return upper << 12 | rd << 7 | 0x37; }
/// jal with a byte offset.
uint32_t jal(uint32_t rd, int32_t offset);
inline uint32_t csrrw(uint32_t rd, uint32_t csr, uint32_t rs1) {
  return iType(0x73, 1, rd, rs1, int32_t(csr));
}
inline uint32_t csrr(uint32_t rd, uint32_t csr) { return iType(0x73, 2, rd, 0, int32_t(csr)); }
inline constexpr uint32_t nop = 0x00000013;
inline constexpr uint32_t wfi = 0x10500073;
inline uint32_t arg(uint32_t k, uint32_t rs1) { return iType(0x0b, 0, 0, rs1, int32_t(k)); }
inline uint32_t launch(uint32_t context, uint32_t rs1, uint32_t rs2) {
  return rType(0x0b, 1, context, 0, rs1, rs2);
}
inline uint32_t result(uint32_t rd, uint32_t k) { return iType(0x0b, 2, rd, 0, int32_t(k)); }
inline constexpr uint32_t sync = 0x0000300b;
inline uint32_t tile(uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return rType(0x0b, 4, 0, rd, rs1, rs2);
}
inline uint32_t streamin(uint32_t rd, uint32_t rs1, uint32_t fmt) {
  return iType(0x2b, 0, rd, rs1, int32_t(fmt));
}
inline uint32_t streamout(uint32_t rs2, uint32_t rs1, uint32_t fmt) {
  return sType(0x2b, 1, rs1, rs2, int32_t(fmt));
}
inline uint32_t streamoutv(uint32_t vs2, uint32_t rs1) { return rType(0x2b, 2, 1, 0, rs1, vs2); }
inline uint32_t spvaccXv(uint32_t vd, uint32_t vs2) { return rType(0x5b, 0, 0, vd, 0, vs2); }
inline uint32_t spvaccVx(uint32_t vd, uint32_t rs1, uint32_t vs2) {
  return rType(0x5b, 1, 0, vd, rs1, vs2);
}
/// vlb: width 8, 16, 32, 64.
inline uint32_t vlb(unsigned width, uint32_t vd, uint32_t rs1) {
  return rType(0x5b, 2, width == 64 ? 3 : width / 16, vd, rs1, 0);
}
inline uint32_t vsetvli(uint32_t rd, uint32_t rs1, uint32_t vtype) {
  return vtype << 20 | rs1 << 15 | 7u << 12 | rd << 7 | 0x57;
}
/// vle / vse: width 8, 16, 32, 64.
uint32_t vle(unsigned width, uint32_t vd, uint32_t rs1);
uint32_t vse(unsigned width, uint32_t vs3, uint32_t rs1);
/// OP-V, unmasked.
inline uint32_t opV(uint32_t funct6, uint32_t funct3, uint32_t vd, uint32_t vs1, uint32_t vs2) {
  return rType(0x57, funct3, funct6 << 1 | 1, vd, vs1, vs2);
}
/// Appends "rd = value".
void li(Words &code, uint32_t rd, uint32_t value);
} // namespace as

} // namespace acis::cts
