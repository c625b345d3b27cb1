// Narrow integers that ports widen as they read them.
#pragma once

namespace llvm {
class CastInst;
class Instruction;
} // namespace llvm

namespace acis::import {

struct NestPlan;

/// The widening cast that is the only use of a load of 8 or 16 bits, null if there is none: ports
/// do it for free.
llvm::CastInst *wideningOf(llvm::Instruction &load);

/// Whether all elements of the input stream are widened alike: a loop's port does one thing.
bool arePopsAlike(const NestPlan &plan);

} // namespace acis::import
