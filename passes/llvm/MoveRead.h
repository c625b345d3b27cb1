// Moves a read of a stream, with what its address needs, to a place further up.
#pragma once

namespace llvm {
class DominatorTree;
class Instruction;
class LoadInst;
} // namespace llvm

namespace acis {

/// Moves `read` in front of `to`, which dominates it, and what computes its address and is not
/// known there. False, and nothing has moved, if some of that cannot move or is too much.
bool moveRead(llvm::LoadInst &read, llvm::Instruction &to, const llvm::DominatorTree &dominators);

} // namespace acis
