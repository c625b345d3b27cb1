// The scalar unit against results worked out from the RISC-V specification.
#include "runtime/engine/scalar/ScalarUnit.h"
#include "backend/isa/Decode.h"
#include "backend/isa/Numbers.h"

#include <gtest/gtest.h>

#include <map>

namespace acis::scalar {
namespace {

constexpr uint32_t Wfi = 0x10500073;

uint32_t encodeR(uint32_t opcode, uint32_t funct3, uint32_t funct7, uint32_t rd, uint32_t rs1,
                 uint32_t rs2) {
  return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
uint32_t encodeI(uint32_t opcode, uint32_t funct3, uint32_t rd, uint32_t rs1, int32_t imm) {
  return uint32_t(imm) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
uint32_t encodeS(uint32_t opcode, uint32_t funct3, uint32_t rs1, uint32_t rs2, int32_t imm) {
  const uint32_t i = uint32_t(imm);
  return (i >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (i & 31) << 7 | opcode;
}
uint32_t encodeB(uint32_t funct3, uint32_t rs1, uint32_t rs2, int32_t imm) {
  const uint32_t i = uint32_t(imm);
  return (i >> 12 & 1) << 31 | (i >> 5 & 63) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 |
         (i >> 1 & 15) << 8 | (i >> 11 & 1) << 7 | 0x63;
}
uint32_t encodeJ(uint32_t rd, int32_t imm) {
  const uint32_t i = uint32_t(imm);
  return (i >> 20 & 1) << 31 | (i >> 1 & 0x3ff) << 21 | (i >> 11 & 1) << 20 |
         (i >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}

/// Records what reaches the outside; every call waits `waits` times first.
struct FakePort : ScalarPort {
  std::map<uint32_t, uint8_t> bytes;
  std::map<uint32_t, uint32_t> csrs;
  std::vector<std::string> log;
  VectorRequest lastVector;
  unsigned waits = 0;
  bool refuse = false;

  Answer answer(std::string entry = "") {
    if (waits != 0) {
      --waits;
      return Answer::Wait;
    }
    if (refuse) {
      reason = "refused";
      return Answer::Trap;
    }
    if (!entry.empty())
      log.push_back(std::move(entry));
    return Answer::Done;
  }
  static std::string text(std::string name, std::initializer_list<uint32_t> values) {
    for (uint32_t value : values)
      name += " " + std::to_string(value);
    return name;
  }
  Answer load(uint32_t address, unsigned n, uint32_t &value) override {
    for (unsigned i = 0; i < n; ++i)
      value |= uint32_t(bytes[address + i]) << (8 * i);
    return answer();
  }
  Answer store(uint32_t address, unsigned n, uint32_t value) override {
    for (unsigned i = 0; i < n; ++i)
      bytes[address + i] = uint8_t(value >> (8 * i));
    return answer(text("store", {address, n, value}));
  }
  Answer readCsr(uint32_t csr, uint32_t &value) override {
    value = csrs[csr];
    return answer(text("read", {csr}));
  }
  Answer writeCsr(uint32_t csr, uint32_t value) override {
    csrs[csr] = value;
    return answer(text("write", {csr, value}));
  }
  Answer argument(uint32_t index, uint32_t value) override {
    return answer(text("arg", {index, value}));
  }
  Answer launch(uint32_t context, uint32_t n, uint32_t tail, uint32_t pc) override {
    return answer(text("launch", {context, n, tail, pc}));
  }
  Answer result(uint32_t word, uint32_t &value) override {
    value = 1000 + word;
    return answer();
  }
  Answer sync() override { return answer("sync"); }
  Answer tile(uint32_t tile, uint32_t position, uint32_t &value) override {
    value = 77;
    return answer(text("tile", {tile, position}));
  }
  Answer streamIn(uint32_t position, unsigned n, bool isSigned, uint32_t &value) override {
    value = 55;
    return answer(text("in", {position, n, isSigned}));
  }
  Answer streamOut(uint32_t position, unsigned n, uint32_t value) override {
    return answer(text("out", {position, n, value}));
  }
  Answer vector(const VectorRequest &instruction) override {
    lastVector = instruction;
    return answer("vector");
  }
  Answer endInvocation() override { return answer("end"); }
};

struct ScalarUnitTest : testing::Test {
  ScalarUnit unit;
  FakePort port;

  void load(std::vector<uint32_t> code) {
    unit.load(code, /*vectorWords=*/2048);
    unit.start(0, 4096);
  }
  /// Steps until something other than Retired happens.
  Step run(unsigned limit = 1000) {
    Step step = Step::Retired;
    while (limit-- != 0 && step == Step::Retired)
      step = unit.step(port);
    return step;
  }
  /// x3 of `word` with x1 = a and x2 = b.
  uint32_t evaluate(uint32_t word, uint32_t a, uint32_t b = 0) {
    load({word, Wfi});
    unit.setReg(1, a);
    unit.setReg(2, b);
    EXPECT_EQ(run(), Step::Ended) << unit.trapReason();
    return unit.reg(3);
  }
  uint32_t alu(uint32_t funct3, uint32_t funct7, uint32_t a, uint32_t b) {
    return evaluate(encodeR(0x33, funct3, funct7, 3, 1, 2), a, b);
  }
  uint32_t aluImm(uint32_t funct3, uint32_t a, int32_t imm) {
    return evaluate(encodeI(0x13, funct3, 3, 1, imm), a);
  }
};

TEST_F(ScalarUnitTest, EntryRegisters) {
  load({Wfi});
  EXPECT_EQ(unit.reg(2), 0x10001000u);
  EXPECT_EQ(unit.reg(10), 0u);
  EXPECT_EQ(unit.reg(12), 0x80000000u);
  EXPECT_EQ(run(), Step::Ended);
  EXPECT_EQ(port.log, std::vector<std::string>{"end"});
}

TEST_F(ScalarUnitTest, Arithmetic) {
  EXPECT_EQ(alu(0, 0, 0xffffffff, 2), 1u);
  EXPECT_EQ(alu(0, 0x20, 1, 2), 0xffffffffu);
  EXPECT_EQ(alu(1, 0, 1, 33), 2u) << "the shift amount is modulo 32";
  EXPECT_EQ(alu(2, 0, 0xffffffff, 0), 1u);
  EXPECT_EQ(alu(3, 0, 0xffffffff, 0), 0u);
  EXPECT_EQ(alu(4, 0, 0xf0, 0xff), 0x0fu);
  EXPECT_EQ(alu(5, 0, 0x80000000, 31), 1u);
  EXPECT_EQ(alu(5, 0x20, 0x80000000, 31), 0xffffffffu);
  EXPECT_EQ(alu(6, 0, 0xf0, 0x0f), 0xffu);
  EXPECT_EQ(alu(7, 0, 0xf0, 0x3c), 0x30u);
  EXPECT_EQ(aluImm(0, 5, -6), 0xffffffffu);
  EXPECT_EQ(aluImm(2, 0x80000000, -2048), 1u);
  EXPECT_EQ(aluImm(3, 5, -1), 1u) << "sltiu compares with the sign-extended immediate";
  EXPECT_EQ(aluImm(4, 5, -1), 0xfffffffau);
  EXPECT_EQ(aluImm(6, 5, 2), 7u);
  EXPECT_EQ(aluImm(7, 5, 4), 4u);
  EXPECT_EQ(aluImm(1, 3, 4), 48u);
  EXPECT_EQ(aluImm(5, 0x80000000, 4), 0x08000000u);
  EXPECT_EQ(aluImm(5, 0x80000000, 4 | 0x400), 0xf8000000u);
  EXPECT_EQ(evaluate(0xfffff1b7, 0), 0xfffff000u) << "lui";
  EXPECT_EQ(evaluate(0x00001197, 0), 0x1000u) << "auipc at 0";
}

TEST_F(ScalarUnitTest, MultiplyAndDivide) {
  EXPECT_EQ(alu(0, 1, 0x10001, 0x10001), 0x20001u);
  EXPECT_EQ(alu(1, 1, 0xffffffff, 0xffffffff), 0u);
  EXPECT_EQ(alu(1, 1, 0x80000000, 0x80000000), 0x40000000u);
  EXPECT_EQ(alu(2, 1, 0xffffffff, 0xffffffff), 0xffffffffu);
  EXPECT_EQ(alu(3, 1, 0xffffffff, 0xffffffff), 0xfffffffeu);
  EXPECT_EQ(alu(4, 1, uint32_t(-7), 2), uint32_t(-3));
  EXPECT_EQ(unit.cost(), 1u) << "cost is that of wfi";
  EXPECT_EQ(alu(4, 1, 7, 0), 0xffffffffu);
  EXPECT_EQ(alu(4, 1, 0x80000000, 0xffffffff), 0x80000000u);
  EXPECT_EQ(alu(5, 1, 0xfffffff9, 2), 0x7ffffffcu);
  EXPECT_EQ(alu(5, 1, 7, 0), 0xffffffffu);
  EXPECT_EQ(alu(6, 1, uint32_t(-7), 2), uint32_t(-1));
  EXPECT_EQ(alu(6, 1, 7, 0), 7u);
  EXPECT_EQ(alu(6, 1, 0x80000000, 0xffffffff), 0u);
  EXPECT_EQ(alu(7, 1, 7, 4), 3u);
  EXPECT_EQ(alu(7, 1, 7, 0), 7u);
}

TEST_F(ScalarUnitTest, CostOfDivision) {
  load({encodeR(0x33, 4, 1, 3, 1, 2), encodeR(0x33, 0, 1, 3, 1, 2)});
  unit.step(port);
  EXPECT_EQ(unit.cost(), 32u);
  unit.step(port);
  EXPECT_EQ(unit.cost(), 1u);
}

TEST_F(ScalarUnitTest, RegisterZeroStaysZero) {
  load({encodeI(0x13, 0, 0, 0, 5), Wfi});
  EXPECT_EQ(run(), Step::Ended);
  EXPECT_EQ(unit.reg(0), 0u);
}

TEST_F(ScalarUnitTest, BranchesAndJumps) {
  struct Case {
    uint32_t funct3, a, b;
    bool taken;
  };
  for (const Case &c :
       {Case{0, 1, 1, true}, Case{0, 1, 2, false}, Case{1, 1, 2, true}, Case{1, 1, 1, false},
        Case{4, 0xffffffff, 0, true}, Case{4, 0, 0, false}, Case{5, 0, 0, true},
        Case{5, 0xffffffff, 0, false}, Case{6, 0, 0xffffffff, true}, Case{6, 0xffffffff, 0, false},
        Case{7, 0xffffffff, 0, true}, Case{7, 0, 1, false}}) {
    load({encodeB(c.funct3, 1, 2, 8), Wfi, encodeI(0x13, 0, 3, 0, 1), Wfi});
    unit.setReg(1, c.a);
    unit.setReg(2, c.b);
    EXPECT_EQ(run(), Step::Ended);
    EXPECT_EQ(unit.reg(3), c.taken ? 1u : 0u) << c.funct3 << " " << c.a << " " << c.b;
  }
  // jal over a trap, jalr back to the wfi at 4, backward branch offset.
  load({encodeJ(1, 12), Wfi, 0, encodeI(0x67, 0, 5, 1, 1)});
  EXPECT_EQ(run(), Step::Ended);
  EXPECT_EQ(unit.reg(1), 4u);
  EXPECT_EQ(unit.reg(5), 16u) << "jalr clears bit 0 of the target and links";
  // A countdown loop.
  load({encodeI(0x13, 0, 3, 3, 2), encodeI(0x13, 0, 1, 1, -1), encodeB(1, 1, 0, -8), Wfi});
  unit.setReg(1, 10);
  EXPECT_EQ(run(), Step::Ended);
  EXPECT_EQ(unit.reg(3), 20u);
  EXPECT_EQ(unit.retired()[unsigned(Opcode::Bne)], 10u);
}

TEST_F(ScalarUnitTest, LoadsAndStores) {
  port.bytes = {{0x10000000, 0x80}, {0x10000001, 0xff}, {0x10000002, 3}, {0x10000003, 4}};
  const uint32_t base = 0x10000000;
  EXPECT_EQ(evaluate(encodeI(3, 0, 3, 1, 0), base), 0xffffff80u);
  EXPECT_EQ(evaluate(encodeI(3, 1, 3, 1, 0), base), 0xffffff80u);
  EXPECT_EQ(evaluate(encodeI(3, 2, 3, 1, 0), base), 0x0403ff80u);
  EXPECT_EQ(evaluate(encodeI(3, 4, 3, 1, 0), base), 0x80u);
  EXPECT_EQ(evaluate(encodeI(3, 5, 3, 1, -1), base + 1), 0xff80u);
  port.log.clear();
  load({encodeS(0x23, 0, 1, 2, 5), encodeS(0x23, 1, 1, 2, -2), encodeS(0x23, 2, 1, 2, 8), Wfi});
  unit.setReg(1, base);
  unit.setReg(2, 0x12345678);
  EXPECT_EQ(run(), Step::Ended);
  EXPECT_EQ(port.log[0], FakePort::text("store", {base + 5, 1, 0x78}));
  EXPECT_EQ(port.log[1], FakePort::text("store", {base - 2, 2, 0x5678}));
  EXPECT_EQ(port.log[2], FakePort::text("store", {base + 8, 4, 0x12345678}));
}

TEST_F(ScalarUnitTest, MisalignedAccessTrapsAtItsPc) {
  for (uint32_t word :
       {encodeI(3, 1, 3, 1, 1), encodeI(3, 2, 3, 1, 2), encodeS(0x23, 2, 1, 2, 1)}) {
    load({encodeI(0x13, 0, 0, 0, 0), word});
    unit.setReg(1, 0x10000000);
    EXPECT_EQ(run(), Step::Trapped);
    EXPECT_EQ(unit.pc(), 4u);
    EXPECT_NE(unit.trapReason().find("misaligned"), std::string::npos);
  }
}

TEST_F(ScalarUnitTest, Csrs) {
  port.csrs[isa::CsrPktLen] = 0xf0;
  EXPECT_EQ(evaluate(encodeI(0x73, 2, 3, 0, isa::CsrPktLen), 0), 0xf0u);
  EXPECT_EQ(port.log, (std::vector<std::string>{"read 2048", "end"})) << "csrr does not write";
  EXPECT_EQ(evaluate(encodeI(0x73, 2, 3, 1, isa::CsrPktLen), 0x0f), 0xf0u);
  EXPECT_EQ(port.csrs[isa::CsrPktLen], 0xffu);
  EXPECT_EQ(evaluate(encodeI(0x73, 3, 3, 1, isa::CsrPktLen), 0x3c), 0xffu);
  EXPECT_EQ(port.csrs[isa::CsrPktLen], 0xc3u);
  evaluate(encodeI(0x73, 6, 3, 4, isa::CsrPktLen), 0);
  EXPECT_EQ(port.csrs[isa::CsrPktLen], 0xc7u);
  evaluate(encodeI(0x73, 7, 3, 1, isa::CsrPktLen), 0);
  EXPECT_EQ(port.csrs[isa::CsrPktLen], 0xc6u);
  EXPECT_EQ(evaluate(encodeI(0x73, 5, 3, 9, isa::CsrPktLen), 0), 0xc6u);
  EXPECT_EQ(port.csrs[isa::CsrPktLen], 9u);
  port.log.clear();
  evaluate(encodeI(0x73, 1, 0, 1, isa::CsrPktLen), 12);
  EXPECT_EQ(port.log[0], "write 2048 12") << "csrrw x0 does not read";
}

TEST_F(ScalarUnitTest, OwnInstructions) {
  load({
      encodeI(0x0b, 0, 0, 1, 5),    // acis.arg 5, x1
      encodeR(0x0b, 1, 9, 0, 1, 2), // acis.launch 9, x1, x2
      encodeI(0x0b, 2, 3, 0, 4),    // acis.result x3, 4
      0x0000300b,                   // acis.sync
      encodeR(0x0b, 4, 0, 4, 1, 2), // acis.tile x4, x1, x2
      encodeI(0x2b, 0, 5, 1, 5),    // streamin, signed 16 bit
      encodeS(0x2b, 1, 1, 2, 1),    // streamout, 16 bit
      Wfi,
  });
  unit.setReg(1, 100);
  unit.setReg(2, 0x12345);
  EXPECT_EQ(run(), Step::Ended);
  const std::vector<std::string> expected = {
      "arg 5 100",  "launch 9 100 74565 4", "sync", "tile 100 74565",
      "in 100 2 1", "out 100 2 9029",       "end"};
  EXPECT_EQ(port.log, expected);
  EXPECT_EQ(unit.reg(3), 1004u);
  EXPECT_EQ(unit.reg(4), 77u);
  EXPECT_EQ(unit.reg(5), 55u);
}

TEST_F(ScalarUnitTest, VectorLength) {
  // vsetvli x3, x1, vtype; u280-full: 2,048 words in a register.
  auto vsetvli = [](uint32_t rd, uint32_t rs1, uint32_t vtype) {
    return vtype << 20 | rs1 << 15 | 7u << 12 | rd << 7 | 0x57u;
  };
  EXPECT_EQ(evaluate(vsetvli(3, 1, 0x10), 100), 100u);
  EXPECT_EQ(evaluate(vsetvli(3, 1, 0x10), 5000), 2048u) << "e32, m1";
  EXPECT_EQ(evaluate(vsetvli(3, 0, 0x14), 0), 32768u) << "e32, LMUL 16";
  EXPECT_EQ(evaluate(vsetvli(3, 0, 0x18), 0), 1024u) << "e64, m1";
  EXPECT_EQ(evaluate(vsetvli(3, 0, 0x00), 0), 2048u) << "bytes take a container each";
  load({vsetvli(3, 1, 0x10), 0x0200e407 /* vle32.v v8, (x1) */, Wfi});
  unit.setReg(1, 40);
  EXPECT_EQ(run(), Step::Ended);
  EXPECT_EQ(port.lastVector.vl, 40u);
  EXPECT_EQ(port.lastVector.scalar, 40u);
  EXPECT_EQ(port.lastVector.word, 0x0200e407u);
  load({vsetvli(3, 1, 0x15)});
  EXPECT_EQ(run(), Step::Trapped) << "fractional LMUL";
  unit.load(std::vector<uint32_t>{vsetvli(3, 1, 0x18)}, /*vectorWords=*/2048, /*wide=*/false);
  unit.start(0, 4096);
  EXPECT_EQ(run(), Step::Trapped) << "e64 without elements of 64 bits";
  load({0x0200e407});
  EXPECT_EQ(run(), Step::Trapped) << "vector instruction before vsetvli";
}

TEST_F(ScalarUnitTest, WithoutVectorRegistersTheirInstructionsAreUndefined) {
  for (uint32_t word : {0x0100f1d7u /*vsetvli x3, x1, e32*/, 0x0200e407u /*vle32.v v8, (x1)*/,
                        0x0200e027u /*vse32.v v0, (x1)*/, 0x5e00b057u /*vmv.v.i v0, 1*/}) {
    unit.load(std::vector<uint32_t>{word}, /*vectorWords=*/0);
    unit.start(0, 4096);
    EXPECT_EQ(run(), Step::Trapped) << std::hex << word;
    EXPECT_NE(unit.trapReason().find("undefined instruction"), std::string::npos)
        << unit.trapReason();
  }
}

TEST_F(ScalarUnitTest, WaitingChangesNothing) {
  load({encodeR(0x0b, 4, 0, 1, 1, 2), Wfi}); // acis.tile x1, x1, x2
  unit.setReg(1, 3);
  port.waits = 2;
  EXPECT_EQ(unit.step(port), Step::Waiting);
  EXPECT_EQ(unit.step(port), Step::Waiting);
  EXPECT_EQ(unit.pc(), 0u);
  EXPECT_EQ(unit.reg(1), 3u);
  EXPECT_EQ(unit.step(port), Step::Retired);
  EXPECT_EQ(unit.reg(1), 77u);
  EXPECT_EQ(port.log.size(), 1u);
}

TEST_F(ScalarUnitTest, PortTrapIsReported) {
  load({encodeI(0x13, 0, 0, 0, 0), 0x0000300b});
  port.refuse = true;
  EXPECT_EQ(run(), Step::Trapped);
  EXPECT_EQ(unit.trapReason(), "refused");
  EXPECT_EQ(unit.pc(), 4u);
}

TEST_F(ScalarUnitTest, UndefinedInstructionsTrap) {
  for (uint32_t word :
       {0u, 0xffffffffu, 0x00000073u /*ecall*/, 0x00100073u /*ebreak*/,
        encodeR(0x33, 1, 0x20, 3, 1, 2), encodeI(0x13, 1, 3, 1, 0x400), encodeI(3, 3, 3, 1, 0),
        encodeI(3, 6, 3, 1, 0), encodeB(2, 1, 2, 8), encodeI(0x67, 1, 0, 1, 0),
        encodeI(0x0b, 3, 0, 1, 0), encodeI(0x2b, 0, 3, 1, 3), encodeI(0x2b, 0, 3, 1, 8),
        encodeS(0x2b, 1, 1, 2, 3), encodeR(0x5b, 0, 0, 1, 1, 2), 0x0000e407u /*masked vle32*/,
        0x00000057u /*masked vadd*/}) {
    load({word});
    EXPECT_EQ(run(), Step::Trapped) << std::hex << word;
    EXPECT_NE(unit.trapReason().find("undefined instruction"), std::string::npos);
  }
}

TEST_F(ScalarUnitTest, FetchOutsideTheCodeTraps) {
  load({encodeI(0x13, 0, 0, 0, 0)});
  EXPECT_EQ(run(), Step::Trapped);
  EXPECT_EQ(unit.pc(), 4u);
}

// Unprivileged ISA, 2.5: reported on the jump, which writes no register.
TEST_F(ScalarUnitTest, MisalignedJumpTrapsAtItsPc) {
  load({encodeI(0x13, 0, 0, 0, 0), encodeI(0x67, 0, 1, 0, 10)});
  unit.setReg(1, 77);
  EXPECT_EQ(run(), Step::Trapped);
  EXPECT_EQ(unit.pc(), 4u);
  EXPECT_EQ(unit.reg(1), 77u);
  EXPECT_EQ(unit.trapReason(), "jump to the misaligned address 0x0000000a");
  load({encodeI(0x67, 0, 1, 0, 9), 0, Wfi});
  EXPECT_EQ(run(), Step::Ended) << "the lowest bit is no part of the target";
}

TEST(DecoderTest, VectorRequests) {
  // Words from llvm-mc-22 -triple=riscv32 -mattr=+v.
  EXPECT_EQ(decode(0x0200e407).opcode, Opcode::Vle32); // vle32.v v8, (ra)
  EXPECT_EQ(decode(0x0200f427).opcode, Opcode::Vse64); // vse64.v v8, (ra)
  EXPECT_EQ(decode(0x5e02b457).opcode, Opcode::VmvVi); // vmv.v.i v8, 5
  EXPECT_EQ(decode(0x5e02c457).opcode, Opcode::VmvVx); // vmv.v.x v8, t0
  EXPECT_EQ(decode(0x02208457).opcode, Opcode::VaddVv);
  EXPECT_EQ(decode(0x0220c457).opcode, Opcode::VaddVx);
  EXPECT_EQ(decode(0x9620a457).opcode, Opcode::VmulVv);
  EXPECT_EQ(decode(0x9620e457).opcode, Opcode::VmulVx);
  EXPECT_EQ(decode(0x02209457).opcode, Opcode::VfaddVv);
  EXPECT_EQ(decode(0x92209457).opcode, Opcode::VfmulVv);
  EXPECT_EQ(decode(encodeR(0x2b, 2, 1, 0, 1, 8)).opcode, Opcode::StreamOutV);
  EXPECT_EQ(decode(encodeR(0x5b, 0, 0, 1, 0, 2)).opcode, Opcode::SpvaccXv);
  EXPECT_EQ(decode(encodeR(0x5b, 1, 0, 1, 7, 2)).opcode, Opcode::SpvaccVx);
}

TEST(DecoderTest, EveryOpcodeIsInTheInstructionTables) {
  for (unsigned opcode = 0; opcode < NumOpcodes; ++opcode) {
    unsigned found = 0;
    for (unsigned id = 0; id < isa::numInstrs(); ++id)
      found += isa::mnemonic(isa::Instr(id)) == mnemonic(Opcode(opcode));
    EXPECT_EQ(found, 1u) << mnemonic(Opcode(opcode));
  }
}

} // namespace
} // namespace acis::scalar
