// Which reads of the input stream stay in the packet that started the invocation. That packet is
// the invocation's whatever it reads, so such a read may also be made where C leaves it out.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace acis {

class Packet {
public:
  Packet(llvm::Function &handler, const llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution);

  /// Whether no iteration of the loops around reads behind the packet: one of them has as many
  /// iterations as the packet has elements of its step, or fewer, and those in it constant counts.
  bool holds(const llvm::LoadInst &read) const;

private:
  bool isCountedByLength(const llvm::Loop &loop, int64_t step, int64_t end) const;
  bool isPart(const llvm::SCEV *count, const llvm::Loop &loop, int64_t step) const;

  llvm::Function &handler;
  const llvm::LoopInfo &loops;
  llvm::ScalarEvolution &evolution;
  const llvm::SCEV *length = nullptr; ///< of the packet; null if the handler does not ask for it
};

} // namespace acis
