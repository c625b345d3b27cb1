// Order edges between accesses of the same array and between those of memory, and the check that
// memory which is read ahead is not written meanwhile.
#include "passes/dfg/Marks.h"
#include "passes/dfg/Ranges.h"
#include "passes/dfg/map/MapGraph.h"

using namespace mlir;

namespace acis::dfg {
namespace {

/// Distances above this cannot matter: no schedule of one iteration is that long.
constexpr unsigned MaxDistance = 4096;

/// An access with its position split into what the sequencer moves and the rest.
struct Access {
  unsigned node;
  Operation *op;
  bool write;
  Position rest;  ///< without the terms of %i0 and %i1, offset 0
  int64_t offset; ///< unit of the position
  int64_t step0, step1;
  unsigned width; ///< units that one access covers
};

enum class Order { Never, Exact, Unknown };
struct Dependence {
  Order order = Order::Never;
  unsigned distance = 0;
};

/// How iterations follow each other: `inner` to a row, `count` in all or at most if that is known.
struct Iterations {
  explicit Iterations(GraphOp graph) : inner(graph.getInner()) {
    std::optional<int64_t> trip = graph.getConstantTrip();
    if (trip || (trip = graph.getMostTrip()))
      count = llvm::divideCeil(uint64_t(*trip), uint64_t(graph.getPer())) * inner;
  }
  /// Iterations further apart than this do not exist or do not matter.
  int64_t maxDistance() const {
    return count ? int64_t(std::min<uint64_t>(MaxDistance, *count ? *count - 1 : 0)) : MaxDistance;
  }

  unsigned inner;
  std::optional<uint64_t> count;
};

/// Whether two accesses touch the same, where one begins so many units behind the other.
bool meet(const Access &one, const Access &other, int64_t ahead) {
  return ahead < int64_t(one.width) && -ahead < int64_t(other.width);
}

/// The smallest distance d >= 1 at which `later` in iteration i + d touches what
/// `earlier` touched in iteration i, for accesses that move alike. With i0 + d
/// = q * inner + r, an iteration either stays in its row (carry q) or enters the
/// next one (carry q + 1); both happen for some i.
Dependence carried(const Access &earlier, const Access &later, const Iterations &iterations) {
  int64_t last = iterations.maxDistance(), inner = iterations.inner;
  if (last < 1)
    return {};
  if (!earlier.rest.sameTerms(later.rest) || earlier.step0 != later.step0 ||
      earlier.step1 != later.step1)
    return {Order::Unknown, 1};
  const int64_t gap = earlier.offset - later.offset;
  auto meets = [&](int64_t moved) { return meet(earlier, later, moved - gap); };
  for (int64_t d = 1; d <= last; ++d) {
    int64_t q = d / inner, r = d % inner;
    if (meets(earlier.step0 * r + earlier.step1 * q))
      return {Order::Exact, static_cast<unsigned>(d)};
    if (r && meets(earlier.step0 * (r - inner) + earlier.step1 * (q + 1)))
      return {Order::Exact, static_cast<unsigned>(d)};
  }
  return {};
}

bool mayMeetNow(const Access &a, const Access &b) {
  if (!a.rest.sameTerms(b.rest) || a.step0 != b.step0 || a.step1 != b.step1)
    return true;
  return meet(a, b, b.offset - a.offset);
}

Access split(unsigned node, Operation *op, GraphOp graph, unsigned width) {
  Access access{node, op, llvm::isa<VrfWriteOp, MemWriteOp>(op), {}, 0, 0, 0, width};
  access.rest = cast<AccessOpInterface>(op).getPosition();
  access.step0 = access.rest.coefficient(graph.getI0());
  access.step1 = access.rest.coefficient(graph.getI1());
  access.rest.remove(graph.getI0());
  access.rest.remove(graph.getI1());
  access.rest.simplify();
  access.offset = access.rest.offset;
  access.rest.offset = 0;
  return access;
}

Value indexOf(Operation *op) {
  if (auto read = dyn_cast<VrfReadOp>(op))
    return read.getIndex();
  return cast<VrfWriteOp>(op).getIndex();
}

/// The index is unsigned up to this; what may be larger may be negative.
template <typename OpT> std::optional<int64_t> largestIndex(OpT op) {
  uint64_t most = greatest(op.getIndex());
  if (std::optional<uint32_t> shift = op.getShift())
    most >>= *shift;
  if (std::optional<uint32_t> bits = op.getBits())
    most = std::min(most, llvm::maskTrailingOnes<uint64_t>(*bits));
  return most <= INT32_MAX ? std::optional(int64_t(most)) : std::nullopt;
}

/// The elements, first and last, of which an access of a register file touches some. Only
/// where the sequencer does not move it.
std::optional<std::pair<int64_t, int64_t>> reachOf(const Access &access) {
  if (!access.rest.terms.empty() || access.step0 || access.step1)
    return std::nullopt;
  std::optional<int64_t> index = 0;
  if (indexOf(access.op))
    index = access.write ? largestIndex(cast<VrfWriteOp>(access.op))
                         : largestIndex(cast<VrfReadOp>(access.op));
  if (!index)
    return std::nullopt;
  return std::pair(access.offset, access.offset + (*index + 1) * access.width - 1);
}

/// Whether the import has found them to be in different parts of the array.
bool inOtherParts(const Access &a, const Access &b) {
  auto first = a.op->getAttrOfType<IntegerAttr>(PartAttr);
  auto second = b.op->getAttrOfType<IntegerAttr>(PartAttr);
  return first && second && first != second;
}

bool apart(const Access &a, const Access &b) {
  if (inOtherParts(a, b))
    return true;
  auto first = reachOf(a), second = reachOf(b);
  return first && second && (first->second < second->first || second->second < first->first);
}

/// Reads and writes through the interlock are kept in order by the register file.
bool interlocked(Operation *read, Operation *write) {
  auto store = cast<VrfWriteOp>(write);
  return store.getInterlock() && sameAddress(cast<VrfReadOp>(read), store);
}

class ArrayOrder {
public:
  ArrayOrder(GraphOp graph, GraphProblem &graphProblem) : iterations(graph), result(graphProblem) {}

  void order(const Access &first, const Access &second) {
    if ((!first.write && !second.write) || apart(first, second))
      return;
    bool indexed = indexOf(first.op) || indexOf(second.op);
    if (first.node != second.node && (indexed || mayMeetNow(first, second)))
      add(first, second, 0);
    Dependence unknown{iterations.maxDistance() < 1 ? Order::Never : Order::Unknown, 1};
    Dependence forward = indexed ? unknown : carried(first, second, iterations);
    Dependence back = indexed ? unknown : carried(second, first, iterations);
    if (forward.order != Order::Never)
      add(first, second, forward.distance);
    if (first.node != second.node && back.order != Order::Never)
      add(second, first, back.distance);
  }

private:
  /// A write takes effect at the end of its cycle: what follows it waits one cycle,
  /// what must come before it may share the cycle.
  void add(const Access &from, const Access &to, unsigned distance) {
    if (distance && from.write && !to.write && interlocked(to.op, from.op))
      return;
    map::Edge edge;
    edge.from = from.node;
    edge.to = to.node;
    edge.distance = distance;
    edge.order = true;
    edge.latency = from.write ? 1 : 0;
    result.problem.edges.push_back(edge);
    result.operands.push_back(0);
  }

  Iterations iterations;
  GraphProblem &result;
};

/// What is written where an earlier iteration, or the same one, has read: the write does not wait
/// for the read as long as it needs no value of it, so it is told to.
void orderMemory(GraphOp graph, ArrayRef<Access> accesses, GraphProblem &graphProblem) {
  const Iterations iterations(graph);
  for (const Access &read : accesses)
    for (const Access &write : accesses) {
      if (read.write || !write.write)
        continue;
      const bool isNow = mayMeetNow(read, write);
      const Dependence later = isNow ? Dependence() : carried(read, write, iterations);
      if (!isNow && later.order == Order::Never)
        continue;
      map::Edge edge;
      edge.from = read.node;
      edge.to = write.node;
      edge.distance = later.distance;
      edge.order = true;
      graphProblem.problem.edges.push_back(edge);
      graphProblem.operands.push_back(0);
    }
}

/// The accesses of one iteration to a stream take place one after the other, by
/// position, and all before the first one of the next iteration.
template <typename OpT> void orderStream(GraphProblem &graphProblem) {
  SmallVector<std::pair<int64_t, unsigned>, 4> accesses; // position, node
  for (auto [id, op] : llvm::enumerate(graphProblem.nodes))
    if (auto access = dyn_cast<OpT>(op))
      accesses.push_back({access.getPosition().offset, unsigned(id)});
  if (accesses.size() < 2)
    return;
  llvm::sort(accesses);
  for (size_t i = 0; i < accesses.size(); ++i) {
    map::Edge edge;
    edge.from = accesses[i].second;
    edge.to = accesses[(i + 1) % accesses.size()].second;
    edge.distance = i + 1 == accesses.size() ? 1 : 0;
    edge.order = true;
    edge.latency = 1;
    graphProblem.problem.edges.push_back(edge);
    graphProblem.operands.push_back(0);
  }
}

/// Two ports keep no order between them, so no two stores may meet; those further apart
/// than a burst are in memory one after the other.
StatusOf<Refused> checkStores(GraphOp graph, ArrayRef<Access> accesses, unsigned burst) {
  Iterations iterations(graph);
  auto follows = [&](const Access &earlier, const Access &later) {
    Dependence found = carried(earlier, later, iterations);
    return found.order == Order::Exact && found.distance <= burst;
  };
  for (auto first = accesses.begin(); first != accesses.end(); ++first)
    for (auto second = std::next(first); second != accesses.end(); ++second) {
      if (!first->write || !second->write || !first->rest.sameTerms(second->rest))
        continue;
      if (!mayMeetNow(*first, *second) && !follows(*first, *second) && !follows(*second, *first))
        continue;
      return Refused{second->op->getLoc(), Refusal(Why::TwoStores), first->op->getLoc(),
                     "the other one is here"};
    }
  return {};
}

/// Iterations that run as the lanes of one beat, at most.
int64_t lanesInBeat(GraphOp graph) {
  std::optional<int64_t> most = graph.getConstantTrip();
  if (!most && graph.getMostTrip())
    most = int64_t(*graph.getMostTrip());
  const int64_t lanes = graph.getPer();
  return most && graph.getInner() == 1 ? std::min(*most, lanes) : lanes;
}

/// Whether an iteration reads what it itself has written by then: behind the write, or in a lane
/// for which an earlier one has. All lanes read before any writes.
bool readsItsOwn(const Access &write, const Access &read, GraphOp graph) {
  const bool isBehind = write.node < read.node, areLanes = graph.getPer() > 1;
  const bool isKnown = read.rest.sameTerms(write.rest) && read.step0 == write.step0 &&
                       read.step1 == write.step1 && read.width == write.width;
  if (!areLanes || !isKnown)
    return mayMeetNow(write, read) && (areLanes || isBehind);
  const int64_t ahead = write.offset - read.offset, element = write.width / graph.getVf();
  return ahead == 0 ? isBehind : ahead > 0 && ahead < element * lanesInBeat(graph);
}

StatusOf<Refused> checkMemory(GraphOp graph, ArrayRef<Access> accesses) {
  for (const Access &write : accesses)
    for (const Access &read : accesses) {
      if (!write.write || read.write)
        continue;
      if (!readsItsOwn(write, read, graph) &&
          carried(write, read, Iterations(graph)).order == Order::Never)
        continue;
      return Refused{read.op->getLoc(), Refusal(Why::ReadOfWritten), write.op->getLoc(),
                     "written here"};
    }
  return {};
}

/// Bytes of memory that one access touches.
unsigned memoryWidth(Operation *op, GraphOp graph) {
  Type type = llvm::isa<MemReadOp>(op) ? op->getResult(0).getType()
                                       : cast<MemWriteOp>(op).getValue().getType();
  if (auto elem = op->getAttrOfType<TypeAttr>("elem"))
    type = elem.getValue();
  unsigned bytes = std::max(1u, bitsOf(type) / 8);
  return op->hasAttr("splat") ? bytes : bytes * graph.getVf();
}

} // namespace

StatusOf<Refused> addDependences(GraphOp graph, const Overlay &overlay,
                                 GraphProblem &graphProblem) {
  SmallVector<Access> arrays, memory;
  for (auto [id, op] : llvm::enumerate(graphProblem.nodes)) {
    if (llvm::isa<VrfReadOp, VrfWriteOp>(op))
      arrays.push_back(split(id, op, graph, graph.getVf()));
    else if (llvm::isa<MemReadOp, MemWriteOp>(op))
      memory.push_back(split(id, op, graph, memoryWidth(op, graph)));
  }
  ArrayOrder orders(graph, graphProblem);
  for (auto first = arrays.begin(); first != arrays.end(); ++first)
    for (auto second = first; second != arrays.end(); ++second)
      if (arrayOf(first->op) == arrayOf(second->op) &&
          graphProblem.problem.nodes[first->node].pe == graphProblem.problem.nodes[second->node].pe)
        orders.order(*first, *second);
  orderStream<StreamReadOp>(graphProblem);
  orderStream<StreamWriteOp>(graphProblem);
  orderMemory(graph, memory, graphProblem);
  StatusOf<Refused> good = checkMemory(graph, memory);
  return good ? checkStores(graph, memory, overlay.memBurstBeats) : good;
}

} // namespace acis::dfg
