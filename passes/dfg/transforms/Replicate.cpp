// dfg-replicate: unroll and jam of the loops over VPEs, and where arrays live.
#include "passes/dfg/OverlayPass.h"
#include "passes/dfg/Passes.h"
#include "passes/dfg/Refuse.h"
#include "passes/dfg/transforms/Transfer.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace acis::dfg {
#define GEN_PASS_DEF_REPLICATEPASS
#include "passes/dfg/Passes.h.inc"
} // namespace acis::dfg

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

namespace {

/// The VPE offset of a VRF access, to read and write.
std::optional<int64_t> vpeOffset(Operation *op) {
  auto attr = op->getAttrOfType<IntegerAttr>("vpe_offset");
  return attr ? std::optional(attr.getInt()) : std::nullopt;
}

Value vpeOf(Operation *op) {
  if (auto read = dyn_cast<VrfReadOp>(op))
    return read.getVpe();
  if (auto write = dyn_cast<VrfWriteOp>(op))
    return write.getVpe();
  return {};
}

bool isVpeLoop(LoopOp loop) {
  return llvm::any_of(loop.getIndex().getUsers(),
                      [&](Operation *user) { return vpeOf(user) == Value(loop.getIndex()); });
}

/// Copies the body of one VPE loop once per VPE, inside of the loops in it.
class Unroller {
public:
  explicit Unroller(LoopOp loop) : loop(loop), builder(loop), count(*loop.getConstantTrip()) {}

  LogicalResult run() {
    if (!loop.getInits().empty() && !loop.getBlock()->getOps<LoopOp>().empty())
      return refuse(loop.getLoc(), Refusal(Why::CarriedOverVpes));
    SmallVector<IRMapping> maps(count);
    for (int64_t p = 0; p < count; ++p)
      maps[p].map(loop.getIndex(),
                  ConstOp::create(builder, loop.getLoc(), builder.getI32IntegerAttr(int32_t(p))));
    if (!loop.getInits().empty())
      return chain(maps);
    expand(loop.getBlock(), maps);
    loop.erase();
    return success();
  }

private:
  // Copy p takes the carried values that copy p - 1 yields.
  LogicalResult chain(MutableArrayRef<IRMapping> maps) {
    SmallVector<Value> carried(loop.getInits());
    for (IRMapping &map : maps) {
      map.map(loop.getCarried(), carried);
      for (Operation &op : loop.getBlock()->without_terminator())
        copy(op, map);
      for (auto [value, next] : llvm::zip(carried, loop.getBlock()->getTerminator()->getOperands()))
        value = map.lookupOrDefault(next);
    }
    loop.replaceAllUsesWith(carried);
    loop.erase();
    return success();
  }

  void expand(Block *block, MutableArrayRef<IRMapping> maps) {
    for (Operation &op : block->without_terminator()) {
      if (auto inner = dyn_cast<LoopOp>(op))
        expandLoop(inner, maps);
      else if (isShared(op, maps))
        shareCopy(op, maps);
      else
        for (IRMapping &map : maps)
          copy(op, map);
    }
  }

  // One loop carries the values of all copies.
  void expandLoop(LoopOp inner, MutableArrayRef<IRMapping> maps) {
    SmallVector<Value> inits;
    for (IRMapping &map : maps)
      for (Value init : inner.getInits())
        inits.push_back(map.lookupOrDefault(init));
    LoopOp joined =
        inner.getTrip()
            ? LoopOp::create(builder, inner.getLoc(), inner.getTrip(), inits)
            : LoopOp::create(builder, inner.getLoc(), int64_t(*inner.getConstantTrip()), inits);
    size_t carried = inner.getInits().size();
    for (auto [p, map] : llvm::enumerate(maps)) {
      map.map(inner.getIndex(), joined.getIndex());
      map.map(inner.getCarried(), joined.getCarried().slice(p * carried, carried));
      map.map(inner.getResults(), joined.getResults().slice(p * carried, carried));
    }
    for (auto [p, argument] : llvm::enumerate(joined.getCarried()))
      argument.setLoc(inner.getCarried()[p % carried].getLoc());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(joined.getBlock());
    expand(inner.getBlock(), maps);
    SmallVector<Value> yielded;
    for (IRMapping &map : maps)
      for (Value value : inner.getBlock()->getTerminator()->getOperands())
        yielded.push_back(map.lookupOrDefault(value));
    YieldOp::create(builder, inner.getLoc(), yielded);
  }

  // The same in every copy: no side effect, and no operand that differs.
  static bool isShared(Operation &op, ArrayRef<IRMapping> maps) {
    if (mlir::isa<StreamWriteOp, MemWriteOp, VrfWriteOp>(op))
      return false;
    return llvm::all_of(op.getOperands(), [&](Value operand) {
      Value first = maps.front().lookupOrDefault(operand);
      return llvm::all_of(
          maps, [&](const IRMapping &map) { return map.lookupOrDefault(operand) == first; });
    });
  }

  void shareCopy(Operation &op, MutableArrayRef<IRMapping> maps) {
    Operation *clone = builder.clone(op, maps.front());
    for (IRMapping &map : maps.drop_front())
      map.map(op.getResults(), clone->getResults());
  }

  // Remembers which nodes are copies of one, for the report.
  void copy(Operation &op, IRMapping &map) {
    if (!op.hasAttr("origin") && !mlir::isa<ConstOp>(op))
      op.setAttr("origin", builder.getI64IntegerAttr(nextOrigin++));
    Value vpe = vpeOf(&op);
    Operation *clone = builder.clone(op, map);
    if (vpe && vpe == Value(loop.getIndex())) {
      int64_t p = *constantOf(map.lookup(vpe));
      clone->setAttr("vpe_offset", builder.getI64IntegerAttr(*vpeOffset(&op) + p));
      if (auto read = dyn_cast<VrfReadOp>(clone))
        read.getVpeMutable().clear();
      else
        cast<VrfWriteOp>(clone).getVpeMutable().clear();
    }
    if (auto access = dyn_cast<AccessOpInterface>(clone)) {
      Position position = access.getPosition();
      position.simplify();
      access.setPosition(position);
    }
  }

  LoopOp loop;
  OpBuilder builder;
  int64_t count;
  int64_t nextOrigin = 0;

public:
  void numberOriginsFrom(int64_t first) { nextOrigin = first; }
  int64_t lastOrigin() const { return nextOrigin; }
};

/// Puts a loop of one iteration round one over VPEs that is all of its nest: its copies are
/// that iteration. There is no other one, so what they carry starts anew in it.
void wrapInOne(LoopOp loop) {
  OpBuilder builder(loop);
  LoopOp once = LoopOp::create(builder, loop.getLoc(), int64_t(1), loop.getInits());
  loop.replaceAllUsesWith(once.getResults());
  loop->moveBefore(once.getBlock(), once.getBlock()->end());
  builder.setInsertionPointToEnd(once.getBlock());
  YieldOp::create(builder, loop.getLoc(), loop.getResults());
}

class Replicate : public OverlayPass<acis::dfg::impl::ReplicatePassBase<Replicate>> {
public:
  using OverlayPass::OverlayPass;

private:
  LogicalResult runWith(const Overlay &given) override {
    overlay = &given;
    if (failed(placeArrays()))
      return failure();
    for (auto nest : getOperation().getOps<NestOp>())
      if (failed(replicate(nest)))
        return failure();
    return success();
  }

  // Arrays of one copy go to the PEs with a register file in turn, last PE first,
  // because per-VPE arrays fill from the first.
  LogicalResult placeArrays() {
    SmallVector<unsigned> homes;
    for (unsigned pe = 0; pe < overlay->numPes(); ++pe)
      if (overlay->pes[pe].vrf)
        homes.push_back(pe);
    Builder builder(&getContext());
    // Shared arrays have a home already.
    unsigned next = llvm::count_if(getOperation().getOps<ArrayOp>(),
                                   [](ArrayOp array) { return array.getHome().has_value(); });
    for (auto array : getOperation().getOps<ArrayOp>()) {
      if (homes.empty())
        return refuse(array.getLoc(),
                      Refusal(Why::NoRegisterFile, array.getSymName(), overlay->name));
      if (!array.getPerVpe() && !array.getHome())
        array.setHome(homes[homes.size() - 1 - next++ % homes.size()]);
      if (array.getPerVpe() && array.getShape()[0] > int64_t(homes.size()))
        return refuse(array.getLoc(), Refusal(Why::MoreVpesThanFiles, array.getSymName(),
                                              array.getShape()[0], overlay->name, homes.size()));
    }
    chooseLaneBits(getOperation());
    return success();
  }

  LogicalResult replicate(NestOp nest) {
    SmallVector<LoopOp> loops;
    nest.walk([&](LoopOp loop) {
      if (isVpeLoop(loop))
        loops.push_back(loop);
    });
    for (LoopOp loop : loops) {
      if (!loop.getConstantTrip())
        return refuse(loop.getLoc(), Refusal(Why::VpeCountUnknown));
      if (loops.size() == 1 && isTransfer(loop) && havePorts(loop)) {
        loop->setAttr("rolled", UnitAttr::get(&getContext()));
        return success();
      }
      if (failed(checkShared(loop)))
        return failure();
      if (mlir::isa<NestOp>(loop->getParentOp()) && loop.getBlock()->getOps<LoopOp>().empty())
        wrapInOne(loop);
      Unroller unroller(loop);
      unroller.numberOriginsFrom(origins);
      if (failed(unroller.run()))
        return failure();
      origins = unroller.lastOrigin();
    }
    return checkVpes(nest);
  }

  // A vector load or store uses the memory port of each VPE that it works on.
  bool havePorts(LoopOp loop) {
    if (!loop.walk([](Operation *op) {
               return mlir::isa<MemReadOp, MemWriteOp>(op) ? WalkResult::interrupt()
                                                           : WalkResult::advance();
             })
             .wasInterrupted())
      return true;
    auto vpes = ArrayRef(overlay->pes).take_front(*loop.getConstantTrip());
    return llvm::all_of(vpes, [](const PeKind &pe) { return pe.memory; });
  }

  // Copies run side by side: what every VPE writes has to be its own.
  LogicalResult checkShared(LoopOp loop) {
    if (loop.getBlock()->getOps<LoopOp>().empty())
      return success();
    WalkResult result = loop.walk([&](VrfWriteOp write) {
      if (write.getVpeOffset())
        return WalkResult::advance();
      refuse(write.getLoc(), Refusal(Why::WrittenByEveryVpe, write.getArray()));
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  LogicalResult checkVpes(NestOp nest) {
    WalkResult result = nest.walk([&](Operation *op) {
      std::optional<int64_t> vpe = vpeOffset(op);
      if (!vpe)
        return WalkResult::advance();
      ArrayOp array = arrayOf(op);
      if (*vpe >= 0 && *vpe < array.getShape()[0])
        return WalkResult::advance();
      refuse(op->getLoc(),
             Refusal(Why::NoPartForVpe, array.getSymName(), *vpe, array.getShape()[0]));
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  const Overlay *overlay = nullptr;
  int64_t origins = 0;
};

} // namespace

std::unique_ptr<Pass> acis::dfg::createReplicatePass(const Overlay &overlay) {
  return createWith<Replicate>(overlay);
}
