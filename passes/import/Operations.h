// Which LLVM instructions the grid can compute, and as which operation.
#pragma once

#include "backend/isa/Context.h"
#include "backend/support/Refusal.h"

#include <optional>

namespace llvm {
class IRBuilderBase;
class Instruction;
class Type;
class Value;
} // namespace llvm

namespace acis::import {

/// Why no unit of the overlay can compute an instruction, or nullopt if one can. Loads,
/// stores and phis are not asked for.
std::optional<Refusal> whyNotOffered(const llvm::Instruction &inst);

/// Instructions that compute nothing: lifetime marks, debug information, assumptions.
bool isMarker(const llvm::Instruction &inst);

/// The operation that the instruction (a binary operator, a unary one or an intrinsic) is
/// by itself; nullopt for casts, comparisons, selects and what takes several operations.
std::optional<isa::Op> directOp(const llvm::Instruction &inst);

/// `left` op `right` as code, for operations of two operands that an instruction is by itself.
llvm::Value *compute(isa::Op op, llvm::Value *left, llvm::Value *right,
                     llvm::IRBuilderBase &builder);

} // namespace acis::import
