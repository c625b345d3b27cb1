// What LLVM's instructions ask of the units of the array, for the cost model.
#pragma once

#include "passes/cost/CostModel.h"

namespace llvm {
class Instruction;
class Loop;
} // namespace llvm

namespace acis {

/// The class of the unit that computes an instruction.
UnitClass unitOf(const llvm::Instruction &inst);

/// Whether it takes a slot of a unit.
bool isOperation(const llvm::Instruction &inst);

/// Whether it has a sum of acis_sum_*, whose order is that of lanes: as elements or unrolled, it
/// would be added up in another one.
bool sumsInLanes(const llvm::Loop &loop);

/// Whether it accesses streams, memory or arrays, and not only static variables.
bool touchesData(const llvm::Loop &loop);

/// Operations of an iteration, loops in it counted once, without what addresses and counters take.
Demand operationsOf(const llvm::Loop &loop);

} // namespace acis
