// See RandomScalar.h.
#include "runtime/hardware/lockstep/RandomScalar.h"

namespace acis {

namespace as = cts::as;

namespace {

uint32_t branch(uint32_t funct3, uint32_t rs1, uint32_t rs2, int32_t offset) {
  const uint32_t o = uint32_t(offset);
  return (o >> 12 & 1) << 31 | (o >> 5 & 0x3f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 |
         (o >> 1 & 0xf) << 8 | (o >> 11 & 1) << 7 | 0x63;
}

} // namespace

uint32_t RandomScalar::source() {
  static constexpr uint32_t regs[] = {as::zero, as::s0, as::s1, as::a3, as::a4,
                                      as::a5,   as::a6, as::a7, as::t2, as::sp};
  return regs[below(std::size(regs))];
}

uint32_t RandomScalar::target() {
  static constexpr uint32_t regs[] = {as::s0, as::s1, as::a3, as::a4, as::a5, as::a6, as::a7};
  return regs[below(std::size(regs))];
}

/// An instruction that only changes a register.
void RandomScalar::one() {
  const uint32_t rd = target(), rs1 = source(), rs2 = source(), funct3 = below(8);
  switch (below(6)) {
  case 0:
  case 1:
    return code.push_back(as::rType(0x33, funct3, 1, rd, rs1, rs2)); // M
  case 2: {
    const bool alternate = (funct3 == 0 || funct3 == 5) && chance(2);
    return code.push_back(as::rType(0x33, funct3, alternate ? 0x20 : 0, rd, rs1, rs2));
  }
  case 3: {
    int32_t imm = int32_t(below(4096)) - 2048;
    if (funct3 == 1 || funct3 == 5)
      imm = int32_t(below(32) | (funct3 == 5 && chance(2) ? 0x400 : 0));
    return code.push_back(as::iType(0x13, funct3, rd, rs1, imm));
  }
  case 4:
    return code.push_back(as::lui(rd, uint32_t(random()) >> 12));
  default:
    // auipc: where code is depends on nothing random
    return code.push_back((uint32_t(random()) & 0xfffff000) | rd << 7 | 0x17);
  }
}

/// A branch or jump over a few instructions.
void RandomScalar::skip() {
  const unsigned over = 1 + below(3);
  const int32_t offset = int32_t(4 * (over + 1));
  static constexpr uint32_t conditions[] = {0, 1, 4, 5, 6, 7};
  if (chance(4)) {
    code.push_back(as::jal(target(), offset));
  } else if (chance(4)) {
    code.push_back(as::t0 << 7 | 0x17); // auipc t0, 0
    int low = int(below(2));            // the lowest bit of the sum is no part of the target
    if (chance(50))
      low += 2; // a trap
    code.push_back(as::iType(0x67, 0, chance(2) ? as::ra : as::zero, as::t0, offset + 4 + low));
  } else {
    code.push_back(branch(conditions[below(6)], source(), source(), offset));
  }
  for (unsigned i = 0; i < over; ++i)
    one();
}

void RandomScalar::loop() {
  code.push_back(as::addi(as::t2, as::zero, int32_t(1 + below(6))));
  const unsigned body = 1 + below(4);
  for (unsigned i = 0; i < body; ++i)
    one();
  code.push_back(as::addi(as::t2, as::t2, -1));
  code.push_back(branch(1, as::t2, as::zero, -int32_t(4 * (body + 1))));
}

void RandomScalar::arithmetic(unsigned instructions) {
  as::li(code, as::s0, chance(4) ? 0x80000000u : uint32_t(random()));
  as::li(code, as::s1, chance(4) ? ~0u : below(100));
  for (unsigned i = 0; i < instructions; ++i)
    switch (below(8)) {
    case 0:
      skip();
      break;
    case 1:
      loop();
      break;
    default:
      one();
    }
}

void RandomScalar::memory(unsigned accesses, uint32_t memory) {
  for (unsigned i = 0; i < accesses; ++i) {
    static constexpr uint32_t loads[] = {0, 1, 2, 4, 5};
    const bool store = chance(2);
    const uint32_t funct3 = store ? below(3) : loads[below(5)];
    const uint32_t bytes = 1u << (funct3 & 3);
    uint32_t address = below(1024) / bytes * bytes;
    if (chance(200))
      address += bytes > 1 ? 1 : 4096; // a trap
    as::li(code, as::t0, (chance(2) ? isa::ScratchBase : memory) + address);
    code.push_back(store ? as::sType(0x23, funct3, as::t0, source(), 0)
                         : as::iType(0x03, funct3, target(), as::t0, 0));
  }
}

void RandomScalar::system(bool timed) {
  code.push_back(as::csrr(target(), 0xcc0)); // number of VPEs
  code.push_back(as::csrr(target(), 0x800)); // length of the packet
  code.push_back(as::csrr(target(), 0x801));
  // Immediate and set, clear forms
  code.push_back(as::iType(0x73, 5, target(), below(32), 0x802));
  code.push_back(as::iType(0x73, 2 + below(2), target(), as::a3, 0x802));
  code.push_back(as::iType(0x73, 6 + below(2), target(), below(32), 0x801));
  if (timed) {
    code.push_back(as::csrr(target(), 0xc00));
    code.push_back(as::csrr(target(), 0xc80));
  }
  if (chance(2))
    code.push_back(as::sync);
  if (chance(2))
    code.push_back(0x0ff0000f); // fence
}

} // namespace acis
