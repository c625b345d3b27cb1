// Which reads of the input stream stay in the packet that started the invocation. That packet is
// the invocation's whatever it reads, so such a read may also be made where C leaves it out.
#pragma once

#include "llvm/Analysis/ScalarEvolution.h"

namespace llvm {
class Function;
class LoadInst;
} // namespace llvm

namespace acis {

class PacketReads {
public:
  PacketReads(llvm::Function &handler, llvm::ScalarEvolution &evolution);

  /// Whether no iteration of the loops around reads behind the packet: one of them has as many
  /// iterations as the packet has elements of its step, or fewer, and those in it constant counts.
  bool areInPacket(const llvm::LoadInst &read);

private:
  bool isCountedByLength(const llvm::Loop &loop, int64_t step, int64_t end);
  bool isPart(const llvm::SCEV *count, const llvm::Loop &loop, int64_t step);

  llvm::Function &handler;
  llvm::ScalarEvolution &evolution;
  const llvm::SCEV *length = nullptr; ///< of the packet; null if the handler does not ask for it
};

} // namespace acis
