// See Generate.h.
#include "test/MapFuzz/Generate.h"

#include "passes/mapper/suite/GraphBuilder.h"

#include <algorithm>
#include <array>

namespace acis::map::fuzz {

Overlay randomOverlay(Random &random) {
  static const char *const topologies[] = {"chain", "mesh", "torus", "king", "onehop"};
  auto range = [&](unsigned least, unsigned most) {
    return std::to_string(least + random.below(most - least + 1));
  };
  unsigned rows = 1 + random.below(5), cols = 1 + random.below(5);
  bool oneCycle = random.below(3) == 0;
  std::string overrides;
  for (unsigned pe = 1; pe < rows * cols; ++pe) { // PE 0 has everything
    if (random.below(3) != 0)
      continue;
    std::string units = "\"integer\"";
    for (const char *unit : {"convert", "float", "divide"})
      units += random.below(2) != 0 ? ", \"" + std::string(unit) + "\"" : "";
    overrides += (overrides.empty() ? "" : ", ") + std::string("{\"pes\": [") + std::to_string(pe) +
                 "], \"units\": [" + units +
                 "], \"memory\": " + (random.below(2) != 0 ? "true" : "false") +
                 ", \"vrf\": " + (random.below(2) != 0 ? "true" : "false") + "}";
  }
  auto latency = [&](unsigned most) { return oneCycle ? std::string("1") : range(1, most); };
  std::string json =
      "{\"name\": \"random\", \"grid\": {\"rows\": " + std::to_string(rows) +
      ", \"cols\": " + std::to_string(cols) + ", \"topology\": \"" + topologies[random.below(5)] +
      "\", \"default\": {\"units\": [\"integer\", \"convert\", \"float\", \"divide\"], "
      "\"memory\": true, \"vrf\": true}, \"overrides\": [" +
      overrides + "]}, \"pe\": {\"lanes\": 4, \"latency\": {\"integer\": " + latency(6) +
      ", \"convert\": " + latency(6) + ", \"float\": " + latency(8) +
      ", \"divide\": " + latency(20) + "}, \"routeRegs\": " + range(1, 8) +
      ", \"operandDelay\": " + (random.below(2) != 0 ? "64" : range(4, 63)) +
      ", \"contextSlots\": 128, \"maxContexts\": 8}, \"vrf\": {\"beats\": 256, \"readPorts\": " +
      range(1, 2) +
      "}, \"memory\": {\"bytes\": 1048576, \"banks\": 2, \"interleaveBytes\": 4096, "
      "\"readLatency\": 48, \"writeLatency\": 42, \"burstBeats\": 64, \"outstanding\": 16}, "
      "\"stream\": {\"fifoBeats\": 16, \"headerBytes\": 42}, "
      "\"scalar\": {\"codeBytes\": 65536, \"scratchBytes\": 4096}, \"clockMhz\": 250}";
  Result<Overlay> overlay = Overlay::parse(json, "random.json");
  return *overlay; // a failure is a mistake above
}

namespace {

class Generator {
public:
  Generator(const Overlay &overlay, Random &random, unsigned mostNodes, bool runs)
      : overlay(overlay), random(random), runs(runs), size(1 + random.below(mostNodes)) {}

  Problem run() {
    values.push_back(b.streamIn());
    uses.push_back(0);
    while (b.problem.nodes.size() <= size)
      runs || random.below(3) != 0 ? compute() : access();
    if (random.below(3) == 0)
      closeCycle();
    collect();
    return std::move(b.problem);
  }

private:
  unsigned someValue() {
    unsigned count = unsigned(values.size());
    unsigned at =
        random.below(2) != 0 ? count - 1 - random.below(std::min(count, 4u)) : random.below(count);
    ++uses[at];
    return values[at];
  }
  void addValue(unsigned node) {
    values.push_back(node);
    uses.push_back(0);
  }
  unsigned distance() { return random.below(10) == 0 ? 1 + random.below(3) : 0; }

  void compute() {
    auto unit = UnitClass(random.below(8) < 5 ? 0 : random.below(NumUnitClasses));
    std::optional<unsigned> pe;
    if (random.below(8) == 0)
      if (unsigned at = random.below(overlay.numPes()); overlay.pes[at].units[unsigned(unit)])
        pe = at;
    unsigned node = b.node(NodeKind::Compute, "op", pe, unit);
    static constexpr std::array<unsigned, NumUnitClasses> most{3, 1, 1, 2};
    unsigned operands = 1 + random.below(runs ? most[unsigned(unit)] : 3);
    for (unsigned operand = 0; operand < operands; ++operand)
      b.value(someValue(), node, operand, distance());
    addValue(node);
  }

  void access() {
    switch (random.below(5)) {
    case 0:
      addValue(random.below(2) != 0 ? b.load("load") : b.load("load", someValue()));
      break;
    case 1: {
      unsigned store = b.store("store", someValue());
      if (random.below(2) != 0)
        b.value(someValue(), store, 1);
      if (random.below(3) == 0)
        b.value(someValue(), store, 2);
      break;
    }
    case 2:
      if (memory++ == 0)
        addValue(b.node(NodeKind::MemRead, "read"));
      break;
    case 3:
      if (memoryOut++ == 0)
        b.value(someValue(), b.node(NodeKind::MemWrite, "write"), 0);
      break;
    default: {
      unsigned from = random.below(unsigned(b.problem.nodes.size()));
      unsigned to = random.below(unsigned(b.problem.nodes.size()));
      b.order(from, to, random.below(8), from < to ? 0 : 1 + random.below(4));
    }
    }
  }

  /// A later value becomes an operand of an earlier operation in the next iterations.
  void closeCycle() {
    unsigned from = values[random.below(unsigned(values.size()))];
    for (unsigned to = 0; to <= from; ++to) {
      if (b.problem.nodes[to].kind != NodeKind::Compute ||
          b.problem.nodes[to].unit != UnitClass::Integer || random.below(2) != 0)
        continue;
      unsigned used = 0;
      for (const Edge &edge : b.problem.edges)
        used += edge.to == to && !edge.order;
      if (used < 3) {
        b.value(from, to, used, 1 + random.below(3));
        return;
      }
    }
  }

  /// Everything that nobody uses goes out.
  void collect() {
    unsigned all = values.back();
    for (unsigned i = 0; runs && i + 1 < values.size(); ++i)
      if (uses[i] == 0)
        all = b.op("xor", {all, values[i]});
    b.streamOut(all);
  }

  const Overlay &overlay;
  Random &random;
  bool runs;
  unsigned size;
  suite::GraphBuilder b;
  std::vector<unsigned> values, uses; ///< nodes with a value; how often each is used
  unsigned memory = 0, memoryOut = 0;
};

} // namespace

Problem randomProblem(const Overlay &overlay, Random &random, unsigned mostNodes, bool runs) {
  return Generator(overlay, random, mostNodes, runs).run();
}

void makeExtrasScarce(Overlay &overlay, Problem &problem, Random &random) {
  for (unsigned pe = 1; pe < overlay.numPes(); ++pe)
    overlay.pes[pe].extras = Extras(random.below(extra::All + 1));
  for (Node &node : problem.nodes) {
    const auto extra = Extras(1 << random.below(4));
    const bool isAccess = node.kind == NodeKind::VrfRead || node.kind == NodeKind::VrfWrite;
    if (random.below(4) != 0 || !(isAccess || node.kind == NodeKind::Compute))
      continue;
    if (isAccess != (extra == extra::Gather) || (node.pe && overlay.pes[*node.pe].lacks(extra)))
      continue;
    node.extras = extra;
  }
  if (random.below(2) == 0)
    for (PeKind &pe : overlay.pes)
      for (UnitClass unit : {UnitClass::Convert, UnitClass::Divide})
        pe.every[unsigned(unit)] = 1u << random.below(3);
}

} // namespace acis::map::fuzz
