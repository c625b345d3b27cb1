// dfg-spread-arrays: where arrays live, and how often, once it is known who reads them.
//
// An array has the ports of one PE. A loop that reads it more often than these allow at the
// interval that the loop could have otherwise gets copies on other PEs: every write goes to
// all of them, the reads are shared out. Homes are chosen by the accesses of each loop, near
// PE 0 first, so that a larger grid gives the homes that a smaller one inside it gives.
#include "passes/dfg/Passes.h"
#include "passes/dfg/map/MapGraph.h"
#include "passes/dfg/transforms/Attempt.h"
#include "passes/dfg/transforms/OverlayPass.h"
#include "passes/mrrg/Mrrg.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

#include <tuple>

namespace acis::dfg {
#define GEN_PASS_DEF_SPREADARRAYSPASS
#include "passes/dfg/Passes.h.inc"
} // namespace acis::dfg

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

namespace {

/// What one graph does with an array.
struct Use {
  unsigned graph = 0;
  SmallVector<VrfReadOp> reads;
  SmallVector<VrfWriteOp> writes;
};

class Spreader {
public:
  Spreader(HandlerOp handler, const Overlay &overlay)
      : handler(handler), overlay(overlay),
        ports(std::min(overlay.vrfReadPorts, map::MaxReadPorts)), beats(overlay.numPes(), 0) {
    findHomes();
    for (auto nest : handler.getOps<NestOp>())
      for (auto graph : nest.getBody().getOps<GraphOp>())
        addGraph(graph);
  }

  void run() {
    // Those that need most copies first, else as they are declared.
    SmallVector<std::tuple<int, unsigned, ArrayOp>> order;
    for (auto array : llvm::to_vector(handler.getOps<ArrayOp>())) {
      if (array->hasAttr(SharedAttr) || array.getPerVpe() || !array.getHome() ||
          isFixed.contains(array)) {
        keep(array);
        continue;
      }
      order.push_back({-int(copiesFor(array)), unsigned(order.size()), array});
    }
    llvm::sort(order, [](auto &a, auto &b) {
      return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
    });
    for (auto &[copies, number, array] : order)
      spread(array, unsigned(-copies));
  }

private:
  /// PEs with a register file, by squares round PE 0; the inner corner of a square, which has
  /// the most links, before the others.
  void findHomes() {
    SmallVector<std::tuple<unsigned, int, unsigned>> keys;
    for (unsigned pe = 0; pe < overlay.numPes(); ++pe)
      if (unsigned row = pe / overlay.cols, col = pe % overlay.cols; overlay.pes[pe].vrf)
        keys.push_back({std::max({row, col, 1u}), -int(row + col), pe});
    llvm::sort(keys);
    for (auto &key : keys)
      homes.push_back(std::get<2>(key));
  }

  void addGraph(GraphOp graph) {
    unsigned number = unsigned(intervals.size());
    intervals.push_back(graph.getVpes() ? 1 : intervalOf(graph));
    reads.emplace_back(overlay.numPes(), 0);
    writes.emplace_back(overlay.numPes(), 0);
    graph.walk([&](Operation *op) {
      if (!mlir::isa<VrfReadOp, VrfWriteOp>(op))
        return;
      ArrayOp array = arrayOf(op);
      SmallVector<Use> &of = uses[array];
      if (of.empty() || of.back().graph != number)
        of.push_back({number, {}, {}});
      if (auto read = dyn_cast<VrfReadOp>(op))
        of.back().reads.push_back(read);
      else
        of.back().writes.push_back(cast<VrfWriteOp>(op));
      auto write = dyn_cast<VrfWriteOp>(op);
      if (graph.getVpes())
        isFixed.insert(array);
      if (write && write.getInterlock())
        isInterlocked.insert(array);
    });
  }

  /// The interval that the graph could have if arrays were everywhere.
  unsigned intervalOf(GraphOp graph) {
    GraphProblem problem = toProblem(graph, overlay);
    Refusal refusal; // dfg-map says it again
    (void)attempt(graph.getContext(), refusal,
                  [&] { return addDependences(graph, overlay, problem); });
    for (map::Node &node : problem.problem.nodes)
      node.pe.reset();
    map::Bounds bounds = map::bounds(problem.problem, overlay);
    return std::max(bounds.resMii, bounds.recMii);
  }

  /// Reads of one copy. Writes take their cycles on every copy.
  unsigned capacity(const Use &use) const {
    return ports * std::max(intervals[use.graph], unsigned(use.writes.size()));
  }

  /// So many that no graph has to wait for its ports.
  unsigned copiesFor(ArrayOp array) {
    unsigned copies = 1;
    if (isInterlocked.contains(array))
      return copies;
    for (const Use &use : uses[array])
      copies = std::max(copies, unsigned(llvm::divideCeil(use.reads.size(), capacity(use))));
    return std::min<unsigned>(copies, homes.size());
  }

  unsigned beatsOf(ArrayOp array) {
    unsigned lanes = overlay.lanes * 32 / array.getLaneBits().value_or(32);
    return unsigned(llvm::divideCeil(array.getSliceElements(), lanes));
  }

  /// Counts an array that stays where it is.
  void keep(ArrayOp array) {
    for (unsigned pe = 0; pe < overlay.numPes(); ++pe)
      if (array.getPerVpe() ? pe < array.getShape()[0] : array.getHome() == pe)
        beats[pe] += beatsOf(array);
    for (const Use &use : uses[array]) {
      for (VrfReadOp read : use.reads)
        count(reads[use.graph], read);
      for (VrfWriteOp write : use.writes)
        count(writes[use.graph], write);
    }
  }
  static void count(std::vector<unsigned> &accesses, Operation *op) {
    if (auto pe = op->getAttrOfType<IntegerAttr>("pe"); pe && size_t(pe.getInt()) < accesses.size())
      ++accesses[size_t(pe.getInt())];
  }

  /// The PE where the loops that use the array wait least, or nothing if it has no room.
  std::optional<unsigned> homeFor(ArrayOp array, unsigned copies, ArrayRef<unsigned> taken) {
    using Price = std::tuple<unsigned, unsigned>; // cycles beyond the interval, accesses
    std::optional<unsigned> best;
    Price least{};
    for (unsigned pe : homes) {
      if (llvm::is_contained(taken, pe) || beats[pe] + beatsOf(array) > overlay.vrfBeats)
        continue;
      Price price{0, 0};
      for (const Use &use : uses[array]) {
        unsigned read = reads[use.graph][pe], written = writes[use.graph][pe];
        unsigned cycles = std::max(
            unsigned(llvm::divideCeil(read + llvm::divideCeil(use.reads.size(), copies), ports)),
            written + unsigned(use.writes.size()));
        std::get<0>(price) += cycles - std::min(cycles, intervals[use.graph]);
        std::get<1>(price) += read + written;
      }
      if (!best || price < least) {
        best = pe;
        least = price;
      }
    }
    return best;
  }

  void spread(ArrayOp array, unsigned copies) {
    SmallVector<unsigned> places;
    for (unsigned copy = 0; copy < copies; ++copy) {
      // Copies do not take more than half of a register file from arrays to come.
      std::optional<unsigned> home = homeFor(array, copies, places);
      if (!home || (copy != 0 && beats[*home] + beatsOf(array) > overlay.vrfBeats / 2))
        break;
      places.push_back(*home);
      beats[*home] += beatsOf(array);
    }
    if (places.empty())
      return keep(array);
    SmallVector<ArrayOp> arrays{array};
    array.setHome(places.front());
    for (unsigned copy = 1; copy < places.size(); ++copy)
      arrays.push_back(clone(array, copy, places[copy]));
    for (Use &use : uses[array]) {
      shareReads(use, arrays);
      copyWrites(use, arrays);
    }
  }

  ArrayOp clone(ArrayOp array, unsigned number, unsigned home) {
    OpBuilder builder(array);
    builder.setInsertionPointAfter(array);
    auto copy = cast<ArrayOp>(builder.clone(*array));
    std::string name;
    do
      name = (array.getSymName() + ".copy" + Twine(number++)).str();
    while (handler.lookupSymbol(name));
    copy.setSymName(name);
    copy.setHome(home);
    return copy;
  }

  /// Neighbours in the source go to one copy: their values meet first.
  void shareReads(const Use &use, ArrayRef<ArrayOp> arrays) {
    size_t needed =
        std::min<size_t>(arrays.size(), llvm::divideCeil(use.reads.size(), capacity(use)));
    for (auto [number, read] : llvm::enumerate(use.reads)) {
      ArrayOp array = arrays[number * needed / use.reads.size()];
      move(read, array);
      ++reads[use.graph][*array.getHome()];
    }
  }

  void copyWrites(const Use &use, ArrayRef<ArrayOp> arrays) {
    for (VrfWriteOp write : use.writes) {
      OpBuilder builder(write);
      builder.setInsertionPointAfter(write);
      for (ArrayOp array : arrays.drop_front())
        move(cast<VrfWriteOp>(builder.clone(*write)), array);
      move(write, arrays.front());
      for (ArrayOp array : arrays)
        ++writes[use.graph][*array.getHome()];
    }
  }

  template <typename OpT> void move(OpT access, ArrayOp array) {
    Builder builder(access.getContext());
    access.setArray(array.getSymName());
    access->setAttr("pe", builder.getI32IntegerAttr(*array.getHome()));
  }

  HandlerOp handler;
  const Overlay &overlay;
  unsigned ports;
  SmallVector<unsigned> homes;
  std::vector<unsigned> intervals;                  ///< by graph
  std::vector<std::vector<unsigned>> reads, writes; ///< by graph and PE
  std::vector<unsigned> beats;                      ///< by PE: taken by arrays
  llvm::MapVector<ArrayOp, SmallVector<Use>> uses;
  llvm::SmallPtrSet<Operation *, 8> isFixed, isInterlocked;
};

class SpreadArrays : public acis::dfg::impl::SpreadArraysPassBase<SpreadArrays> {
public:
  using SpreadArraysPassBase::SpreadArraysPassBase;
  void useOverlay(const Overlay &given) { source.set(given); }

private:
  void runOnOperation() override {
    const Overlay *overlay = source.get(overlayFile, getOperation().getLoc());
    if (!overlay)
      return signalPassFailure();
    Spreader(getOperation(), *overlay).run();
  }

  OverlaySource source;
};

} // namespace

std::unique_ptr<Pass> acis::dfg::createSpreadArraysPass(const Overlay &overlay) {
  auto pass = std::make_unique<SpreadArrays>();
  pass->useOverlay(overlay);
  return pass;
}
