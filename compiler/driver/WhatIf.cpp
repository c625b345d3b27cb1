// What would make a loop faster, answered by mapping it again.
#include "backend/overlay/Fields.h"
#include "compiler/driver/MlirMessages.h"
#include "compiler/driver/Report.h"
#include "passes/dfg/DfgDialect.h"
#include "passes/dfg/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace acis::driver {
namespace {

struct Change {
  const char *text;
  /// False if the machine has it already.
  bool (*apply)(Overlay &overlay);
};

bool memoryEverywhere(Overlay &overlay) {
  bool changed = false;
  for (PeKind &pe : overlay.pes)
    changed |= !std::exchange(pe.memory, true);
  return changed;
}

bool unitsEverywhere(Overlay &overlay) {
  bool changed = false;
  for (PeKind &pe : overlay.pes)
    for (bool &unit : pe.units)
      changed |= !std::exchange(unit, true);
  for (PeKind &pe : overlay.pes)
    changed |= std::exchange(pe.extras, extra::All) != extra::All;
  for (PeKind &pe : overlay.pes)
    for (unsigned &slots : pe.every)
      changed |= std::exchange(slots, 1u) != 1;
  return changed;
}

bool setTopology(Overlay &overlay, Topology topology) {
  overlay.topology = topology;
  overlay.links = overlay::deriveLinks(overlay.rows, overlay.cols, topology);
  return true;
}

bool moreLinks(Overlay &overlay) {
  if (overlay.rows == 1)
    return overlay.topology != Topology::OneHop && setTopology(overlay, Topology::OneHop);
  return overlay.topology != Topology::King && setTopology(overlay, Topology::King);
}

bool moreRows(Overlay &overlay) {
  if (overlay.numPes() * 2 > 256)
    return false;
  const std::vector<PeKind> before = overlay.pes;
  overlay.pes.insert(overlay.pes.end(), before.begin(), before.end());
  overlay.rows *= 2;
  return setTopology(overlay,
                     overlay.topology == Topology::Chain ? Topology::Mesh : overlay.topology);
}

bool shorterUnits(Overlay &overlay) {
  bool changed = false;
  for (unsigned &latency : overlay.latency)
    changed |= std::exchange(latency, std::max(latency / 2, 1u)) != latency;
  return changed;
}

constexpr Change changes[] = {
    {"memory ports on all PEs", memoryEverywhere},
    {"all kinds of units on all PEs", unitsEverywhere},
    {"diagonal links, or links that skip a PE in a chain", moreLinks},
    {"a second grid of the same size below", moreRows},
    {"units of half the latency", shorterUnits},
};

/// Intervals of the mapped graphs in the order of reportNests(); empty if one cannot be.
std::vector<unsigned> intervals(mlir::ModuleOp unmapped, const Overlay &overlay) {
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::cast<mlir::ModuleOp>(unmapped->clone());
  Diagnostics ignored;
  MlirMessages collect(*unmapped.getContext(), ignored);
  mlir::PassManager manager(unmapped.getContext(), mlir::ModuleOp::getOperationName());
  manager.addNestedPass<dfg::HandlerOp>(dfg::createMapPass(overlay));
  if (mlir::failed(manager.run(*module)))
    return {};
  std::vector<unsigned> found;
  for (auto handler : module->getOps<dfg::HandlerOp>())
    for (auto nest : handler.getBody().getOps<dfg::NestOp>())
      for (auto graph : nest.getBody().getOps<dfg::GraphOp>())
        found.push_back(graph.getIi().value_or(0));
  return found;
}

} // namespace

void askWhatIf(mlir::ModuleOp unmapped, const Overlay &overlay, std::vector<NestReport> &nests) {
  if (llvm::none_of(nests, [](const NestReport &nest) { return nest.ii > 1; }))
    return; // an iteration per cycle: no machine of this width does more
  for (const Change &change : changes) {
    Overlay other = overlay;
    if (!change.apply(other))
      continue;
    std::vector<unsigned> found = intervals(unmapped, other);
    if (found.size() != nests.size())
      continue;
    for (auto [nest, ii] : llvm::zip_equal(nests, found))
      if (nest.ii > 1 && ii != 0 && ii < nest.ii)
        nest.whatIf.push_back({change.text, ii});
  }
}

} // namespace acis::driver
