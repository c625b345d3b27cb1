// Random graphs of a given shape.
#include "passes/mapper/Random.h"
#include "passes/mapper/suite/GraphBuilder.h"
#include "passes/mapper/suite/Suite.h"

#include <algorithm>

namespace acis::map::suite {
namespace {

class Generator {
public:
  Generator(const Shape &shape, uint64_t seed) : shape(shape), random(seed) {}

  Problem run() {
    values.push_back(b.load("x"));
    while (b.problem.nodes.size() < shape.nodes)
      addNode();
    for (unsigned i = 0; i < shape.recurrences; ++i)
      closeCycle();
    for (unsigned i = 0; i < shape.fanOut; ++i)
      spread();
    return std::move(b.problem);
  }

private:
  bool percent(unsigned p) { return random.below(100) < p; }

  unsigned someValue() {
    unsigned size = unsigned(values.size());
    unsigned most = shape.locality == 0 ? size : std::min(size, shape.locality);
    return values[size - 1 - random.below(most)];
  }

  void addNode() {
    if (percent(shape.loadPercent)) {
      values.push_back(percent(25) ? b.load("load", someValue()) : b.load("load"));
      return;
    }
    if (percent(shape.storePercent)) {
      b.store("store", someValue());
      return;
    }
    UnitClass unit = percent(shape.floatPercent) ? UnitClass::Float : UnitClass::Integer;
    unsigned id = b.node(NodeKind::Compute, "op", {}, unit);
    unsigned operands = percent(15) ? 3 : percent(70) ? 2 : 1;
    for (unsigned operand = 0; operand < operands; ++operand)
      b.value(someValue(), id, operand, percent(4) ? 1 + random.below(2) : 0);
    values.push_back(id);
  }

  /// The free operand of a node that has one, or 3.
  unsigned freeOperand(unsigned node) const {
    unsigned used = 0;
    for (const Edge &edge : b.problem.edges)
      if (edge.to == node && !edge.order)
        used = std::max(used, edge.operand + 1);
    return used;
  }

  /// Follows operands backwards from some operation and joins the end with the start.
  void closeCycle() {
    for (unsigned attempt = 0; attempt < 50; ++attempt) {
      unsigned last = values[random.below(unsigned(values.size()))], at = last;
      for (unsigned length = 1; length < shape.recurrenceLength; ++length) {
        unsigned before = at;
        for (const Edge &edge : b.problem.edges)
          if (edge.to == at && edge.distance == 0 &&
              b.problem.nodes[edge.from].kind == NodeKind::Compute)
            before = edge.from;
        if (before == at)
          break;
        at = before;
      }
      if (b.problem.nodes[last].kind != NodeKind::Compute || freeOperand(at) > 2 ||
          b.problem.nodes[at].kind != NodeKind::Compute)
        continue;
      b.carry(last, at, 1);
      return;
    }
  }

  void spread() {
    for (unsigned attempt = 0; attempt < 50; ++attempt) {
      unsigned node = random.below(unsigned(b.problem.nodes.size()));
      if (b.problem.nodes[node].kind != NodeKind::Compute || freeOperand(node) > 2)
        continue;
      b.value(values[0], node, freeOperand(node));
      return;
    }
  }

  const Shape &shape;
  Random random;
  GraphBuilder b;
  std::vector<unsigned> values;
};

} // namespace

Problem randomGraph(const Shape &shape, uint64_t seed) { return Generator(shape, seed).run(); }

} // namespace acis::map::suite
