// Decoder and encoder against known words, each other, and random words.
#include "backend/isa/Decode.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace acis::isa;

namespace {

void expectBoth(uint32_t word, Decoded expected) {
  std::optional<Decoded> decoded = decodeInstruction(word);
  ASSERT_TRUE(decoded) << std::hex << word;
  EXPECT_EQ(mnemonic(decoded->id), mnemonic(expected.id));
  EXPECT_EQ(decoded->rd, expected.rd);
  EXPECT_EQ(decoded->rs1, expected.rs1);
  EXPECT_EQ(decoded->rs2, expected.rs2);
  EXPECT_EQ(decoded->imm, expected.imm);
  EXPECT_EQ(encodeInstruction(expected), word);
}

// Words from the RISC-V manuals' examples and from llvm-mc; test/Isa compares all.
TEST(Decode, KnownWords) {
  expectBoth(0x00a58593, {Instr::Addi, 11, 11, 0, 10});
  expectBoth(0xff010113, {Instr::Addi, 2, 2, 0, -16});
  expectBoth(0x123452b7, {Instr::Lui, 5, 0, 0, 0x12345000});
  expectBoth(0xfffff2b7, {Instr::Lui, 5, 0, 0, -4096});
  expectBoth(0xfe628ee3, {Instr::Beq, 0, 5, 6, -4});
  expectBoth(0x00112623, {Instr::Sw, 0, 2, 1, 12});
  expectBoth(0xff5ff06f, {Instr::Jal, 0, 0, 0, -12});
  expectBoth(0x4055d593, {Instr::Srai, 11, 11, 0, 5});
  expectBoth(0x80101573, {Instr::Csrrw, 10, 0, 0, 0x801});
  expectBoth(0x10500073, {Instr::Wfi, 0, 0, 0, 0});
  expectBoth(0x0d05f557, {Instr::Vsetvli, 10, 11, 0, 0xd0});
  expectBoth(0x02056407, {Instr::Vle32V, 8, 10, 0, 0});
  expectBoth(0x5e0fb457, {Instr::VmvVI, 8, 0, 0, -1});
  expectBoth(0x02c41457, {Instr::VfaddVv, 8, 8, 12, 0});
}

TEST(Decode, OurOwnWords) {
  expectBoth(0x0b | 10 << 15 | 3 << 20, {Instr::AcisArg, 0, 10, 0, 3});
  expectBoth(0x0b | 1 << 12 | 10 << 15 | 11 << 20 | 5 << 25, {Instr::AcisLaunch, 0, 10, 11, 5});
  expectBoth(0x0b | 10 << 7 | 2 << 12 | 15 << 20, {Instr::AcisResult, 10, 0, 0, 15});
  expectBoth(0x0b | 3 << 12, {Instr::AcisSync, 0, 0, 0, 0});
  expectBoth(0x0b | 4 << 12 | 10 << 7 | 11 << 15 | 12 << 20, {Instr::AcisTile, 10, 11, 12, 0});
  expectBoth(0x2b | 10 << 7 | 11 << 15 | 6 << 20, {Instr::Streamin, 10, 11, 0, 6});
  expectBoth(0x2b | 1 << 12 | 11 << 15 | 12 << 20 | 2 << 7, {Instr::Streamout, 0, 11, 12, 2});
  expectBoth(0x2b | 2 << 12 | 11 << 15 | 12 << 20 | 1 << 25, {Instr::StreamoutV, 0, 11, 12, 0});
  expectBoth(0x5b | 2 << 7 | 4 << 20, {Instr::SpvaccXv, 2, 0, 4, 0});
  expectBoth(0x5b | 1 << 12 | 2 << 7 | 5 << 15 | 4 << 20, {Instr::SpvaccVx, 2, 5, 4, 0});
}

TEST(Decode, AssemblyText) {
  EXPECT_EQ(assembly({Instr::Addi, 11, 11, 0, -10}), "addi x11, x11, -10");
  EXPECT_EQ(assembly({Instr::Lui, 5, 0, 0, -4096}), "lui x5, 1048575");
  EXPECT_EQ(assembly({Instr::Lw, 5, 2, 0, 8}), "lw x5, 8(x2)");
  EXPECT_EQ(assembly({Instr::Csrrsi, 5, 3, 0, 0xc00}), "csrrsi x5, 3072, 3");
  EXPECT_EQ(assembly({Instr::VfaddVv, 8, 4, 12, 0}), "vfadd.vv v8, v12, v4");
  EXPECT_EQ(assembly({Instr::Wfi, 0, 0, 0, 0}), "wfi");
  EXPECT_EQ(assembly({Instr::AcisLaunch, 0, 10, 11, 5}), "acis.launch 5, x10, x11");
}

TEST(Decode, UndefinedWordsAreNothing) {
  constexpr uint32_t words[] = {
      0x00000000,               // all zeros, all ones: never instructions
      0xffffffff,               //
      0x02f5d593,               // shift amount above 31
      0x00000057,               // masked vadd.vv
      0x80000057 | 7 << 12,     // vsetvl
      0x22056407,               // vle32.v of two fields
      0x10200073,               // sret
      0x100000f3,               // funct3 0 of SYSTEM with a destination
      0x0b | 32 << 20,          // acis.arg 32
      0x0b | 3 << 12 | 1 << 7,  // acis.sync with a destination
      0x2b | 3 << 20,           // streamin of 8 bytes
      0x2b | 7 << 20,           // the same, signed
      0x2b | 8 << 20,           // no format
      0x2b | 1 << 12 | 3 << 7,  // streamout of 8 bytes
      0x5b | 3 << 12,           // past vlb
      0x5b | 2 << 12 | 4 << 25, // vlb of 128 bits
  };
  for (uint32_t word : words)
    EXPECT_FALSE(decodeInstruction(word)) << std::hex << word;
}

TEST(Decode, OperandsThatDoNotFitAreRefused) {
  EXPECT_TRUE(encodeInstruction({Instr::Addi, 1, 1, 0, 2047}));
  EXPECT_FALSE(encodeInstruction({Instr::Addi, 1, 1, 0, 2048}));
  EXPECT_FALSE(encodeInstruction({Instr::Addi, 1, 1, 0, -2049}));
  EXPECT_FALSE(encodeInstruction({Instr::Addi, 32, 1, 0, 0}));
  EXPECT_FALSE(encodeInstruction({Instr::Addi, 1, 1, 1, 0})); // addi has no rs2
  EXPECT_FALSE(encodeInstruction({Instr::Beq, 0, 1, 1, 3}));  // odd distance
  EXPECT_TRUE(encodeInstruction({Instr::Beq, 0, 1, 1, 4094}));
  EXPECT_FALSE(encodeInstruction({Instr::Beq, 0, 1, 1, 4096}));
  EXPECT_FALSE(encodeInstruction({Instr::Lui, 1, 0, 0, 0x12345001}));
  EXPECT_FALSE(encodeInstruction({Instr::AcisLaunch, 0, 1, 1, 128}));
  EXPECT_FALSE(encodeInstruction({Instr::Streamout, 0, 1, 1, 3}));
  EXPECT_FALSE(encodeInstruction({Instr(255), 0, 0, 0, 0}));
}

// What decodes, encodes to the same word but for the bits that fence ignores.
TEST(Decode, EncodeInvertsDecodeOnRandomWords) {
  std::mt19937 random(1);
  std::set<Instr> seen;
  for (unsigned i = 0; i < numInstrs(); ++i)
    for (unsigned round = 0; round < 2000; ++round) {
      const InstrInfo &instr = info(Instr(i));
      uint32_t word = (static_cast<uint32_t>(random()) & ~instr.mask) | instr.match;
      std::optional<Decoded> decoded = decodeInstruction(word);
      if (!decoded)
        continue; // a value that is not allowed
      EXPECT_EQ(mnemonic(decoded->id), instr.mnemonic);
      seen.insert(decoded->id);
      std::optional<uint32_t> back = encodeInstruction(*decoded);
      ASSERT_TRUE(back) << instr.mnemonic << std::hex << word;
      EXPECT_EQ(*back, decoded->id == Instr::Fence ? 0x0000000fu : word) << instr.mnemonic;
    }
  EXPECT_EQ(seen.size(), numInstrs());
}

// At most one instruction claims a word: the table order must not matter.
TEST(Decode, RandomWordsHaveAtMostOneMeaning) {
  std::mt19937 random(2);
  for (unsigned round = 0; round < 200000; ++round) {
    auto word = static_cast<uint32_t>(random());
    unsigned claims = 0;
    for (unsigned i = 0; i < numInstrs(); ++i)
      claims += (word & info(Instr(i)).mask) == info(Instr(i)).match;
    EXPECT_LE(claims, 1u) << std::hex << word;
    if (!claims)
      EXPECT_FALSE(decodeInstruction(word));
  }
}

} // namespace
