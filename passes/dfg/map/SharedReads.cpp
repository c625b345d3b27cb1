// Memory that several operations read at once. Its value has to travel to all of them; a read of
// its own is beside each.
#include "passes/dfg/map/MapGraph.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace acis::dfg {

SmallVector<ReadCopy> copyReads(GraphOp graph, const Overlay &overlay) {
  if (!graph.getOps<MemWriteOp>().empty())
    return {};
  SmallVector<MemReadOp> reads(graph.getOps<MemReadOp>());
  const size_t ports = overlay.memoryPorts();
  size_t used = reads.size();
  SmallVector<ReadCopy> copies;
  for (MemReadOp read : reads) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : read->getUses())
      uses.push_back(&use);
    for (OpOperand *use : llvm::ArrayRef(uses).drop_front(uses.empty() ? 0 : 1)) {
      if (used++ >= ports)
        return copies;
      OpBuilder builder(read);
      copies.push_back({read, builder.clone(*read)});
      use->set(copies.back().copy->getResult(0));
    }
  }
  return copies;
}

void removeCopies(ArrayRef<ReadCopy> copies) {
  for (auto [read, copy] : copies) {
    copy->replaceAllUsesWith(read);
    copy->erase();
  }
}

} // namespace acis::dfg
