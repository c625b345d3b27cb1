// See ArrayHomes.h.
//
// An array has the ports of one PE. A loop that reads it more often than these allow at the
// interval that the loop could have otherwise gets copies on other PEs: every write goes to
// all of them, the reads are shared out. Homes are chosen by the accesses of each loop, near
// PE 0 first, so that a larger grid gives the homes that a smaller one inside it gives.
#include "passes/dfg/transforms/ArrayHomes.h"
#include "passes/dfg/Marks.h"
#include "passes/dfg/map/MapGraph.h"
#include "passes/mrrg/Mrrg.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

#include <tuple>

using namespace mlir;

namespace acis::dfg {
namespace {

/// What one graph does with an array.
struct Use {
  unsigned graph = 0;
  SmallVector<VrfReadOp> reads;
  SmallVector<VrfWriteOp> writes;
};

class Spreader {
public:
  Spreader(HandlerOp handler, const Overlay &overlay, const HomePlan &plan, const FreeArrays &free)
      : handler(handler), overlay(overlay), plan(plan), mrrg(overlay, 1),
        ports(std::min(overlay.vrfReadPorts, map::MaxReadPorts)), intervals(free.intervals),
        groups(free.groups), beats(overlay.numPes(), 0) {
    findHomes();
    for (auto nest : handler.getOps<NestOp>())
      for (auto graph : nest.getBody().getOps<GraphOp>())
        addGraph(graph);
  }

  PlacedArrays run() {
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
    std::vector<unsigned> accesses(intervals.size(), 0);
    for (auto &[copies, number, array] : order) {
      for (const Use &use : uses[array])
        accesses[use.graph] += unsigned(use.reads.size() + use.writes.size());
      spread(array, unsigned(-copies));
    }
    // Some loop could want other homes: for the ports of its arrays, or the links between them.
    placed.isChoice = !groups.empty() ||
                      llvm::any_of(accesses, [](unsigned count) { return count > FewAccesses; });
    return placed;
  }

private:
  /// Accesses of one loop that find their ports nearly anywhere.
  static constexpr unsigned FewAccesses = 4;

  /// PEs with a register file, those that the plan likes best first.
  void findHomes() {
    SmallVector<std::tuple<unsigned, unsigned, int, unsigned>> keys;
    for (unsigned at = 0; at < grid().numPes(); ++at)
      if (grid().pes[at].vrf) {
        auto [part, square, place] = rankOf(at / grid().cols, at % grid().cols);
        keys.push_back({part, square, place, plan.grid ? plan.grid->pes[at] : at});
      }
    llvm::sort(keys);
    for (auto &key : keys)
      homes.push_back(std::get<3>(key));
  }

  std::tuple<unsigned, unsigned, int> rankOf(unsigned row, unsigned col) const {
    const unsigned square = std::max(row, col);
    switch (plan.order) {
    case HomePlan::Corners:
      return {0, std::max(square, 1u), -int(row + col)};
    case HomePlan::Spaced:
      return {row % 2 != 0 || col % 2 != 0, square, -int(row + col)};
    case HomePlan::Columns:
      return {0, col, int(row)};
    case HomePlan::Path: // along two sides, and back along the next square's
      return {0, square,
              int(square % 2 != 0 ? (col == square ? row : 2 * square - col)
                                  : (row == square ? col : 2 * square - row))};
    }
    return {};
  }

  void addGraph(GraphOp graph) {
    unsigned number = unsigned(reads.size());
    reads.emplace_back(overlay.numPes(), 0);
    writes.emplace_back(overlay.numPes(), 0);
    graph.walk([&](Operation *op) {
      if (!mlir::isa<VrfReadOp, VrfWriteOp>(op))
        return;
      ArrayOp array = arrayOf(op);
      if (needsGather(op))
        isGathered.insert(array);
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

  unsigned intervalOf(const Use &use) const { return std::max(intervals[use.graph], 1u); }

  /// Reads of one copy. Writes take their cycles on every copy.
  unsigned capacity(const Use &use) const {
    const unsigned writes = unsigned(use.writes.size());
    if (plan.copies == HomePlan::Many)
      return std::max(1u, writes);
    return (plan.copies == HomePlan::OnePort ? 1 : ports) * std::max(intervalOf(use), writes);
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
    if (auto home = array.getHome(); home && !array.getPerVpe())
      placedAt[array.getSymName()] = unsigned(*home);
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

  /// Links between the PE and the arrays that recurrences lead through from this one.
  unsigned linksFrom(unsigned pe, ArrayOp array) {
    unsigned links = 0;
    for (const ArrayGroup &group : groups)
      if (llvm::is_contained(group, array.getSymName()))
        for (StringRef other : group)
          if (auto placed = placedAt.find(other); placed != placedAt.end())
            links += mrrg.hops(pe, placed->second) + mrrg.hops(placed->second, pe);
    return links;
  }

  /// The PE where the loops that use the array wait least, or nothing if it has no room.
  std::optional<unsigned> homeFor(ArrayOp array, unsigned copies, ArrayRef<unsigned> taken) {
    using Price = std::tuple<unsigned, unsigned, unsigned>; // cycles beyond, links, accesses
    std::optional<unsigned> best;
    Price least{};
    for (unsigned pe : homes) {
      if (isGathered.contains(array) && overlay.pes[pe].lacks(extra::Gather))
        continue;
      if (llvm::is_contained(taken, pe) || beats[pe] + beatsOf(array) > overlay.vrfBeats)
        continue;
      Price price{0, plan.together ? linksFrom(pe, array) : 0, 0};
      for (const Use &use : uses[array]) {
        unsigned read = reads[use.graph][pe], written = writes[use.graph][pe];
        unsigned cycles = std::max(
            unsigned(llvm::divideCeil(read + llvm::divideCeil(use.reads.size(), copies), ports)),
            written + unsigned(use.writes.size()));
        std::get<0>(price) += cycles - std::min(cycles, intervalOf(use));
        std::get<2>(price) += read + written;
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
    if (places.empty()) {
      placed.fits = false;
      return keep(array);
    }
    SmallVector<ArrayOp> arrays{array};
    array.setHome(places.front());
    placedAt[array.getSymName()] = places.front();
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

  const Overlay &grid() const { return plan.grid ? plan.grid->overlay : overlay; }

  HandlerOp handler;
  const Overlay &overlay;
  const HomePlan &plan;
  map::Mrrg mrrg;
  unsigned ports;
  SmallVector<unsigned> homes;
  PlacedArrays placed;
  llvm::StringMap<unsigned> placedAt; ///< by array: its PE, or that of its first copy
  ArrayRef<unsigned> intervals;       ///< by graph, if arrays were everywhere
  ArrayRef<ArrayGroup> groups;
  std::vector<std::vector<unsigned>> reads, writes; ///< by graph and PE
  std::vector<unsigned> beats;                      ///< by PE: taken by arrays
  llvm::MapVector<ArrayOp, SmallVector<Use>> uses;
  llvm::SmallPtrSet<Operation *, 8> isFixed, isInterlocked, isGathered;
};

} // namespace

PlacedArrays placeArrays(HandlerOp handler, const Overlay &overlay, const HomePlan &plan,
                         const FreeArrays &free) {
  return Spreader(handler, overlay, plan, free).run();
}

} // namespace acis::dfg
