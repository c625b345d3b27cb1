// The parts of ExpandIntrinsics.
#pragma once

namespace llvm {
class IntrinsicInst;
class Value;
class WithOverflowInst;
} // namespace llvm

namespace acis {

/// Rounding to an integer and classes of floating-point numbers: the value in place of the call,
/// made in front of it; null where it stays.
llvm::Value *expandFloat(llvm::IntrinsicInst &call);

/// Replaces the result and the flag of an addition, subtraction or multiplication of integers of 8
/// to 64 bits, and removes the call; false where it stays.
bool expandOverflow(llvm::WithOverflowInst &call);

} // namespace acis
