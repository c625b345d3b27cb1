// Which of a handler's pointers lead into its streams and its memory.
#pragma once

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace llvm {
class Function;
class LoadInst;
class Value;
} // namespace llvm

namespace acis {

/// Parameters of a handler, in their order.
enum HandlerParameter : unsigned { InParameter, OutParameter, MemParameter, LenParameter };
inline constexpr unsigned NumHandlerParameters = 4;

/// Payloads have fewer bytes (docs/isa.md, pktlen).
inline constexpr uint32_t PacketEnd = 0x80000000;

/// Whether a pointer leads into the input or the output stream of its handler.
bool isStreamPointer(const llvm::Value *pointer);
bool isInputPointer(const llvm::Value *pointer);
bool isOutputPointer(const llvm::Value *pointer);
/// The same for the memory.
bool isMemoryPointer(const llvm::Value *pointer);

/// The reads of the input stream, in the order of the function.
llvm::SmallVector<llvm::LoadInst *, 8> inputReadsOf(llvm::Function &function);

} // namespace acis
