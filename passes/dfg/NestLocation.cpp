// See NestLocation.h. A fused location of one place, with the nest's symbol as its metadata.
#include "passes/dfg/NestLocation.h"

#include "passes/dfg/DfgDialect.h"

using namespace mlir;

void acis::dfg::nameNests(ModuleOp module) {
  module.walk([](NestOp nest) {
    auto handler = nest->getParentOfType<HandlerOp>();
    const auto symbol = SymbolRefAttr::get(handler.getSymNameAttr(),
                                           {FlatSymbolRefAttr::get(nest.getSymNameAttr())});
    nest->walk([&](Operation *op) {
      op->setLoc(FusedLoc::get(op->getLoc()->getContext(), {op->getLoc()}, symbol));
    });
  });
}

std::string acis::dfg::nestOf(Location location) {
  std::string name;
  location->walk([&](Location part) {
    auto fused = dyn_cast<FusedLoc>(part);
    auto symbol = fused ? dyn_cast_or_null<SymbolRefAttr>(fused.getMetadata()) : SymbolRefAttr();
    if (!symbol || symbol.getNestedReferences().empty())
      return WalkResult::advance();
    name =
        (symbol.getRootReference().getValue() + "/" + symbol.getLeafReference().getValue()).str();
    return WalkResult::interrupt();
  });
  return name;
}
