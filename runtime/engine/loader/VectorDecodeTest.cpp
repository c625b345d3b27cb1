// Vector instructions as words against their operands.
#include "runtime/engine/loader/VectorDecode.h"

#include <gtest/gtest.h>

namespace acis::scalar {
namespace {

TEST(VectorDecodeTest, Operands) {
  using Kind = acis::VectorInstruction::Kind;
  auto of = [](uint32_t word) { return vectorInstruction({.word = word, .scalar = 9}); };
  EXPECT_EQ(of(0x0200e407).kind, Kind::Load);
  EXPECT_EQ(of(0x0200e407).eewBits, 32);
  EXPECT_EQ(of(0x0200e407).vd, 8);
  EXPECT_EQ(of(0x0200f427).kind, Kind::Store);
  EXPECT_EQ(of(0x0200f427).eewBits, 64);
  EXPECT_EQ(of(0x5e0fb457).kind, Kind::Move) << "vmv.v.i v8, -1";
  EXPECT_EQ(of(0x5e0fb457).scalar, 0xffffffffu);
  EXPECT_EQ(of(0x5e02c457).scalar, 9u);
  EXPECT_EQ(of(0x0220c457).op, isa::Op::Add);
  EXPECT_TRUE(of(0x0220c457).scalarOperand);
  EXPECT_EQ(of(0x92209457).op, isa::Op::Fmul);
  EXPECT_FALSE(of(0x92209457).scalarOperand);
  EXPECT_EQ(of(0x92209457).vs1, 1);
  EXPECT_EQ(of(0x92209457).vs2, 2);
  VectorState state;
  setVectorState({.vl = 7, .sewBytes = 8, .lmul = 16}, state);
  EXPECT_EQ(state.vl, 7u);
  EXPECT_EQ(state.sewBits, 64u);
  EXPECT_EQ(state.lmul, 16u);
  EXPECT_FALSE(state.illegal);
}

} // namespace
} // namespace acis::scalar
