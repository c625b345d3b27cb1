// A copy of the length that is a variable like any other; LLVM makes values of it.
#include "passes/llvm/windows/PacketLength.h"

#include "passes/llvm/windows/Streams.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace acis {
namespace {

struct LengthUses {
  SmallVector<LoadInst *, 4> reads;
  SmallVector<StoreInst *, 4> writes;
};

/// Null if the length is accessed by another type, or its address is used: the importer refuses
/// that.
std::optional<LengthUses> usesOf(Argument &length) {
  LengthUses uses;
  for (User *user : length.users()) {
    auto *read = dyn_cast<LoadInst>(user);
    auto *write = dyn_cast<StoreInst>(user);
    if (read && read->getType()->isIntegerTy(32))
      uses.reads.push_back(read);
    else if (write && write->getPointerOperand() == &length &&
             write->getValueOperand()->getType()->isIntegerTy(32))
      uses.writes.push_back(write);
    else
      return std::nullopt;
  }
  return uses;
}

/// Writes the variable's value at each end of the handler, in place of the writes in loops.
void writeAtEnds(Function &handler, AllocaInst &variable, ArrayRef<StoreInst *> writes) {
  for (StoreInst *write : writes)
    write->eraseFromParent();
  for (BasicBlock &block : handler)
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator())) {
      IRBuilder<> builder(end);
      builder.CreateStore(builder.CreateLoad(variable.getAllocatedType(), &variable),
                          handler.getArg(LenParameter));
    }
}

/// Reads the length where a handler begins.
LoadInst &receive(Function &handler) {
  IRBuilder<> entry(&*handler.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  LoadInst *received =
      entry.CreateLoad(entry.getInt32Ty(), handler.getArg(LenParameter), "packet.bytes");
  received->setMetadata(
      LLVMContext::MD_range,
      MDBuilder(handler.getContext()).createRange(APInt(32, 0), APInt(32, PacketEnd)));
  return *received;
}

} // namespace

LoadInst &readLength(Function &handler) {
  LoadInst *known = packetLengthOf(handler);
  return known ? *known : receive(handler);
}

bool promoteLength(Function &handler, DominatorTree &dominators, const LoopInfo &loops) {
  if (handler.arg_size() != NumHandlerParameters)
    return false;
  Argument &length = *handler.getArg(LenParameter);
  const std::optional<LengthUses> uses = usesOf(length);
  if (!uses)
    return false;
  const bool isWrittenInLoop =
      any_of(uses->writes, [&](StoreInst *write) { return loops.getLoopFor(write->getParent()); });
  if (uses->reads.empty() && !isWrittenInLoop)
    return false;
  LoadInst &received = receive(handler);
  IRBuilder<> entry(received.getNextNode());
  AllocaInst *variable = entry.CreateAlloca(entry.getInt32Ty());
  entry.CreateStore(&received, variable);
  for (LoadInst *read : uses->reads)
    read->setOperand(LoadInst::getPointerOperandIndex(), variable);
  for (StoreInst *write : uses->writes)
    IRBuilder<>(write).CreateStore(write->getValueOperand(), variable);
  if (isWrittenInLoop)
    writeAtEnds(handler, *variable, uses->writes);
  PromoteMemToReg({variable}, dominators);
  return true;
}

} // namespace acis
