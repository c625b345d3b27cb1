// One check per property, none of which asks the pass that gives it.
#include "passes/dfg/Properties.h"

#include "passes/dfg/DfgDialect.h"
#include "passes/dfg/Refuse.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace acis::dfg {
namespace {

bool haveOneHome(ModuleOp module) {
  llvm::StringMap<std::optional<unsigned>> homes;
  for (auto handler : module.getOps<HandlerOp>())
    for (auto array : handler.getOps<ArrayOp>()) {
      if (!array.getPersistent())
        continue;
      auto [known, isNew] = homes.try_emplace(array.getSymName(), array.getHome());
      if (!isNew && known->second != array.getHome())
        return false;
    }
  return true;
}

bool areArraysPlaced(ModuleOp module) {
  return !module
              .walk([](ArrayOp array) {
                return array.getPerVpe() || array.getHome() ? WalkResult::advance()
                                                            : WalkResult::interrupt();
              })
              .wasInterrupted();
}

bool areGraphsFlat(ModuleOp module) {
  return !module
              .walk([](NestOp nest) {
                const bool isFlat = llvm::range_size(nest.getBody().getOps<GraphOp>()) == 1 &&
                                    nest.getBody().getOps<LoopOp>().empty();
                return isFlat ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

bool areGraphsMapped(ModuleOp module) {
  return !module
              .walk([](GraphOp graph) {
                return graph.getVpes() || graph.getIi() ? WalkResult::advance()
                                                        : WalkResult::interrupt();
              })
              .wasInterrupted();
}

struct Check {
  Properties property;
  const char *text;
  bool (*holds)(ModuleOp module);
};

constexpr Check Checks[] = {
    {Properties::OneHome, "one home", haveOneHome},
    {Properties::PlacedArrays, "placed arrays", areArraysPlaced},
    {Properties::FlatGraphs, "flat graphs", areGraphsFlat},
    {Properties::MappedGraphs, "mapped graphs", areGraphsMapped},
};

bool has(Properties all, Properties one) { return (all & one) == one; }

class VerifyProperties : public PassWrapper<VerifyProperties, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyProperties)

  VerifyProperties(Properties properties, std::string where)
      : properties(properties), where(std::move(where)) {}

private:
  void runOnOperation() override {
    std::string broken = firstBroken(properties, getOperation());
    if (broken.empty())
      return;
    refuse(getOperation().getLoc(), fault("internal error: not '" + broken + "' " + where));
    signalPassFailure();
  }

  Properties properties;
  std::string where;
};

} // namespace

std::string textOf(Properties properties) {
  std::string text;
  for (const Check &check : Checks)
    if (has(properties, check.property))
      text += (text.empty() ? "" : ", ") + std::string(check.text);
  return text;
}

std::string firstBroken(Properties properties, ModuleOp module) {
  for (const Check &check : Checks)
    if (has(properties, check.property) && !check.holds(module))
      return check.text;
  return {};
}

std::unique_ptr<Pass> createVerifyPropertiesPass(Properties properties, std::string where) {
  return std::make_unique<VerifyProperties>(properties, std::move(where));
}

} // namespace acis::dfg
