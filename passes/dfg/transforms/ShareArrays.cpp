// dfg-share-arrays: static arrays of several handlers live in one place.
#include "passes/dfg/Marks.h"
#include "passes/dfg/OverlayPass.h"
#include "passes/dfg/Passes.h"
#include "passes/dfg/transforms/Transfer.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace acis::dfg {
#define GEN_PASS_DEF_SHAREARRAYSPASS
#include "passes/dfg/Passes.h.inc"
} // namespace acis::dfg

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

namespace {

class ShareArrays : public OverlayPass<acis::dfg::impl::ShareArraysPassBase<ShareArrays>> {
public:
  using OverlayPass::OverlayPass;

private:
  LogicalResult runWith(const Overlay &overlay) override {
    for (auto handler : getOperation().getOps<HandlerOp>())
      for (auto array : handler.getOps<ArrayOp>())
        if (array.getPersistent())
          arrays[array.getSymNameAttr()].push_back(array);
    arrays.remove_if([](const auto &entry) { return entry.second.size() < 2; });
    for (auto &[name, places] : arrays)
      for (ArrayOp array : places)
        array->setAttr(SharedAttr, UnitAttr::get(&getContext()));
    placeWhole(overlay);
    agreeOnWidth();
    arrays.clear();
    return success();
  }

  /// In turn to the PEs with a register file, last PE first, as dfg-replicate does.
  void placeWhole(const Overlay &overlay) {
    SmallVector<unsigned> homes;
    for (unsigned pe = overlay.numPes(); pe-- > 0;)
      if (overlay.pes[pe].vrf)
        homes.push_back(pe);
    // What handlers do with them is not known yet: PEs that can do most.
    if (llvm::any_of(homes, [&](unsigned pe) { return !overlay.pes[pe].lacks(extra::Gather); }))
      llvm::erase_if(homes, [&](unsigned pe) { return overlay.pes[pe].lacks(extra::Gather); });
    unsigned next = 0;
    for (auto &[name, places] : arrays) {
      if (homes.empty() || places.front().getPerVpe())
        continue;
      unsigned home = places.front().getHome().value_or(homes[next++ % homes.size()]);
      for (ArrayOp array : places)
        array.setHome(home);
    }
  }

  /// What is wide in one handler is wide in all, which may widen other arrays there.
  void agreeOnWidth() {
    for (bool changed = !arrays.empty(); changed;) {
      changed = false;
      for (auto handler : getOperation().getOps<HandlerOp>())
        chooseLaneBits(handler);
      for (auto &[name, places] : arrays) {
        bool wide = llvm::any_of(places, [](ArrayOp array) { return array.getLaneBits() == 64u; });
        for (ArrayOp array : places)
          if (wide && array.getLaneBits() != 64u) {
            array.setLaneBits(64);
            changed = true;
          }
      }
    }
  }

  llvm::MapVector<StringAttr, SmallVector<ArrayOp, 2>> arrays; ///< by name, then handler
};

} // namespace

std::unique_ptr<Pass> acis::dfg::createShareArraysPass(const Overlay &overlay) {
  return createWith<ShareArrays>(overlay);
}
