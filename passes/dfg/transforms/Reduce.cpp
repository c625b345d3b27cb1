// dfg-reduce: checks carried values and leaves one update per reduction.
#include "passes/dfg/Marks.h"
#include "passes/dfg/Passes.h"
#include "passes/dfg/transforms/Attempt.h"
#include "passes/dfg/transforms/Carried.h"

#include "mlir/IR/Builders.h"

namespace acis::dfg {
#define GEN_PASS_DEF_REDUCEPASS
#include "passes/dfg/Passes.h.inc"
} // namespace acis::dfg

using namespace mlir;
using namespace acis::dfg;

namespace {

// (((s + a) + b) + c) to s + ((a + b) + c): one accumulation per iteration.
void combineUpdates(LoopOp loop) {
  for (auto [argument, next] :
       llvm::zip(loop.getCarried(), loop.getBlock()->getTerminator()->getOperands())) {
    auto last = next.getDefiningOp<ComputeOp>();
    if (!last || !identityOf(last.getOp(), last.getType()))
      continue;
    if (last.getOp() == OpKind::Fadd && !last.getReassoc())
      continue;
    while (true) {
      // `first` takes the argument; its one user of the same kind takes its result.
      if (!argument.hasOneUse())
        break;
      auto first = dyn_cast<ComputeOp>(*argument.user_begin());
      if (!first || first == last || !first->hasOneUse())
        break;
      auto second = dyn_cast<ComputeOp>(*first->user_begin());
      if (!second || first.getOp() != last.getOp() || second.getOp() != last.getOp() ||
          first.getReassoc() != last.getReassoc() || second.getReassoc() != last.getReassoc())
        break;
      Value a = first.getInputs()[first.getInputs()[0] == argument ? 1 : 0];
      Value b = second.getInputs()[second.getInputs()[0] == first.getResult() ? 1 : 0];
      // a comes before `first` and b before `second`, so a + b may stand at `second`.
      OpBuilder builder(second);
      auto sum = ComputeOp::create(builder, first.getLoc(), first.getType(), first.getOp(),
                                   ValueRange{a, b});
      sum.setReassoc(first.getReassoc());
      second.getInputsMutable().assign({argument, sum.getResult()});
      first.erase();
    }
  }
}

class Reduce : public acis::dfg::impl::ReducePassBase<Reduce> {
public:
  using ReducePassBase::ReducePassBase;

private:
  static LogicalResult classifyAll(NestOp nest) {
    for (auto loop : nest.getBody().getOps<LoopOp>())
      for (unsigned number = 0; number < loop.getNumResults(); ++number)
        if (failed(classify(loop, number)))
          return failure();
    return success();
  }

  void runOnOperation() override {
    for (auto nest : getOperation().getOps<NestOp>()) {
      nest.walk([](LoopOp loop) { combineUpdates(loop); });
      if (nest->hasAttr(ScalarAttr))
        continue;
      if (lanesOnly) {
        if (failed(classifyAll(nest)))
          signalPassFailure();
        continue;
      }
      // What is not a reduction can still be done one element after the other.
      const Attempt asLanes = attempt(&getContext(), [&] { return classifyAll(nest); });
      if (asLanes.refused)
        nest->setAttr(ScalarAttr, StringAttr::get(&getContext(), textOf(asLanes.refused->refusal)));
      else if (!asLanes.succeeded)
        signalPassFailure();
    }
  }
};

} // namespace
