// Operands for the tests of the functional units: special values, and random ones weighted
// to where floating-point units go wrong.
#pragma once

#include "runtime/hardware/rtl/vector/FuBench.h"

namespace acis::rtl {

/// Special values of a type: for integers the ends of every width, for floats zeros,
/// infinities, NaNs, the ends of the subnormal and normal ranges, and near halves.
std::vector<uint64_t> specialValues(isa::Type type);

/// All pairs of special values, packed into beats; for operations with three operands all
/// triples.
std::vector<Operands> specialOperands(const Operation &operation);

/// Reproducible random operands. A quarter each: any bits; operands near each other, so that
/// sums cancel; few bits set, so that results are ties; tiny ones, so that results are
/// subnormal. The third operand is often near the negative product of the others.
class RandomOperands {
public:
  explicit RandomOperands(uint64_t seed) : state(seed) {}
  std::vector<Operands> take(const Operation &operation, size_t n);

private:
  uint64_t next();
  uint64_t nearTieOfSubnormal();
  template <typename Bits> void element(bool isFloat, bool convertsInteger, Bits *abc);
  uint64_t state;
};

} // namespace acis::rtl
