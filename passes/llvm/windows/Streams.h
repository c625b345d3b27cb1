// Which of a handler's pointers lead into its streams and its memory.
#pragma once

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace llvm {
class Function;
class LoadInst;
class Loop;
class LoopInfo;
class Value;
} // namespace llvm

namespace acis {

/// Parameters of a handler, in their order.
enum HandlerParameter : unsigned { InParameter, OutParameter, MemParameter, LenParameter };
inline constexpr unsigned NumHandlerParameters = 4; ///< those above

/// Payloads have fewer bytes (docs/isa.md, pktlen).
inline constexpr uint32_t PacketEnd = 0x80000000;

/// All that a pointer may lead into, through choices and loops: parameters, variables, null, or
/// what is not known.
llvm::SmallVector<const llvm::Value *, 4> objectsBehind(const llvm::Value *pointer);

/// Whether a pointer leads into the input or the output stream of its handler.
bool isStreamPointer(const llvm::Value *pointer);
bool isInputPointer(const llvm::Value *pointer);
bool isOutputPointer(const llvm::Value *pointer);
/// The same for the memory.
bool isMemoryPointer(const llvm::Value *pointer);

/// The read of the packet's length in the entry, where it is not yet that of what is sent; or null.
llvm::LoadInst *packetLengthOf(llvm::Function &handler);

/// Reads of the input stream, in the order of the function.
using InputReads = llvm::SmallVector<llvm::LoadInst *, 8>;
InputReads inputReadsOf(llvm::Function &function);
/// The same by the innermost loop that they are in; null: none.
llvm::MapVector<llvm::Loop *, InputReads> inputReadsByLoop(llvm::Function &function,
                                                           const llvm::LoopInfo &loops);

} // namespace acis
