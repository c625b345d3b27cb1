// Reads the numbers of a report off the mapped graphs.
#include "compiler/driver/MlirMessages.h"
#include "compiler/driver/Report.h"
#include "passes/dfg/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace acis::driver {
namespace {

unsigned valueOr0(std::optional<uint32_t> value) { return value.value_or(0); }

std::string textOr(std::optional<llvm::StringRef> text) { return text.value_or("").str(); }

template <typename Report> void setPlace(Report &report, mlir::Location location) {
  if (mlir::FileLineColLoc place = placeOf(location)) {
    report.file = place.getFilename().str();
    report.line = place.getLine();
    report.column = place.getColumn();
  }
}

unsigned distanceOf(mlir::Operation *op, unsigned operand) {
  auto compute = llvm::dyn_cast<dfg::ComputeOp>(op);
  if (!compute || !compute.getDistances())
    return 0;
  return (*compute.getDistances())[operand - compute.getInputs().getBeginOperandIndex()];
}

WireReport reportWire(mlir::Operation *op, unsigned operand, unsigned from, dfg::RouteAttr route) {
  WireReport wire;
  wire.from = from;
  wire.operand = operand;
  wire.distance = distanceOf(op, operand);
  wire.delay = route.getDelay();
  llvm::ArrayRef<unsigned> words = route.getWords();
  for (size_t at = 0; at + 4 <= words.size(); at += 4)
    wire.route.push_back({words[at], words[at + 1], words[at + 2], words[at + 3]});
  return wire;
}

/// The nodes that the mapper placed, in the order of the graph.
std::vector<NodeReport> reportNodes(dfg::GraphOp graph) {
  llvm::DenseMap<mlir::Operation *, unsigned> ids;
  for (mlir::Operation &op : *graph.getBlock())
    if (op.hasAttr("place"))
      ids[&op] = ids.size();
  std::vector<NodeReport> nodes;
  for (mlir::Operation &op : *graph.getBlock()) {
    auto place = op.getAttrOfType<dfg::PlaceAttr>("place");
    if (!place)
      continue;
    NodeReport &node = nodes.emplace_back();
    node.name = op.getName().stripDialect().str();
    if (auto compute = llvm::dyn_cast<dfg::ComputeOp>(op))
      node.name = dfg::stringifyOpKind(compute.getOp()).str();
    setPlace(node, op.getLoc());
    node.pe = place.getPe();
    node.time = place.getTime();
    auto routes = op.getAttrOfType<mlir::ArrayAttr>("routes");
    for (auto [operand, attr] :
         llvm::enumerate(routes ? routes.getValue() : decltype(routes.getValue())())) {
      auto route = llvm::cast<dfg::RouteAttr>(attr);
      auto from = ids.find(op.getOperand(operand).getDefiningOp());
      if (!route.getWords().empty() && from != ids.end())
        node.wires.push_back(reportWire(&op, operand, from->second, route));
    }
  }
  return nodes;
}

/// Bytes that the accesses of one kind move in an iteration.
template <typename OpT> unsigned streamBytes(dfg::GraphOp graph) {
  unsigned bytes = 0;
  graph.walk([&](OpT access) {
    mlir::Type type;
    bool isSplat = false;
    if constexpr (std::is_same_v<OpT, dfg::StreamReadOp>) {
      type = access.getElem().value_or(access.getType());
      isSplat = access.getSplat();
    } else {
      type = access.getElem().value_or(access.getValue().getType());
    }
    bytes += dfg::bitsOf(type) / 8 * (isSplat ? 1 : graph.getVf());
  });
  return bytes;
}

NestReport reportNest(dfg::HandlerOp handler, dfg::NestOp nest, dfg::GraphOp graph, unsigned numPes,
                      const MapTimes &times) {
  NestReport report;
  report.handler = handler.getSymName().str();
  report.name = nest.getSymName().str();
  setPlace(report, nest.getLoc());
  report.isVectorLoad = bool(graph.getVpes());
  report.ii = valueOr0(graph.getIi());
  report.resMii = valueOr0(graph.getResMii());
  report.recMii = valueOr0(graph.getRecMii());
  report.lowerBound = graph.getLowerBound().value_or(std::max(report.resMii, report.recMii));
  report.boundReason = graph.getBoundReason().value_or("").str();
  report.resReason = textOr(graph.getResReason());
  report.recReason = textOr(graph.getRecReason());
  report.vf = graph.getVf();
  report.laneBits = graph.getLaneBits();
  dfg::GraphSize before = dfg::initialSize(nest), after = dfg::currentSize(nest);
  report.initial = {before.nodes, before.edges};
  report.optimised = {after.nodes, after.edges};
  if (auto trip = graph.getConstantTrip())
    report.trip = *trip;
  report.mapMilliseconds = times.lookup(graph);
  report.nodesByPe.resize(numPes);
  report.nodes = reportNodes(graph);
  report.inBytes = streamBytes<dfg::StreamReadOp>(graph);
  report.outBytes = streamBytes<dfg::StreamWriteOp>(graph);
  for (const NodeReport &node : report.nodes) {
    if (node.pe < numPes)
      report.nodesByPe[node.pe]++;
    report.stages = std::max(report.stages, node.time / std::max(report.ii, 1u) + 1);
  }
  return report;
}

} // namespace

std::vector<NestReport> reportNests(mlir::ModuleOp mapped, unsigned numPes, const MapTimes &times) {
  std::vector<NestReport> reports;
  for (auto handler : mapped.getOps<dfg::HandlerOp>())
    for (auto nest : handler.getBody().getOps<dfg::NestOp>())
      for (auto graph : nest.getBody().getOps<dfg::GraphOp>())
        reports.push_back(reportNest(handler, nest, graph, numPes, times));
  return reports;
}

} // namespace acis::driver
