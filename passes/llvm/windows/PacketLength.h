// The packet's length as a value.
#pragma once

namespace llvm {
class DominatorTree;
class Function;
class LoadInst;
class LoopInfo;
} // namespace llvm

namespace acis {

/// The length is read once, in the entry, with the range that it has; other reads become the value
/// that was received or written last. What is written in a loop is written at the ends of the
/// handler: it is known there alone. Other writes stay where they are, so that a packet can be sent
/// while it is made. Nothing is changed where the length is accessed by another type, or its
/// address is used otherwise.
bool promoteLength(llvm::Function &handler, llvm::DominatorTree &dominators,
                   const llvm::LoopInfo &loops);

/// Where the length is read, in the entry; it is read there then, if it was not.
llvm::LoadInst &readLength(llvm::Function &handler);

} // namespace acis
