// Whether the packet has what a handler reads of it, as far as it is known when the compiler runs.
#pragma once

namespace llvm {
class Instruction;
class LoadInst;
class LoopInfo;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace acis {

/// Whether a read lies within the packet whenever it is made, by what the handler has tested and
/// how often the loops around run. `length` is the read of the packet's length.
bool isInPacket(llvm::LoadInst &read, llvm::LoadInst &length, const llvm::LoopInfo &loops,
                llvm::ScalarEvolution &evolution);

/// The same of bytes in front of a place, where `at` stands.
bool isInPacket(const llvm::SCEV *end, const llvm::Instruction &at, llvm::LoadInst &length,
                llvm::ScalarEvolution &evolution);

} // namespace acis
