#include "passes/import/ShareNests.h"

#include "passes/dfg/NestPlaces.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace acis::import {
namespace {

constexpr StringLiteral ArrayAttr = "array"; ///< of all accesses of arrays

bool equalButForName(mlir::Operation *a, mlir::Operation *b) {
  mlir::NamedAttrList ofA(a->getAttrDictionary()), ofB(b->getAttrDictionary());
  ofA.erase(mlir::SymbolTable::getSymbolAttrName());
  ofB.erase(mlir::SymbolTable::getSymbolAttrName());
  return ofA.getDictionary(a->getContext()) == ofB.getDictionary(b->getContext());
}

SmallVector<mlir::FlatSymbolRefAttr> arraysOf(dfg::NestOp nest) {
  SmallVector<mlir::FlatSymbolRefAttr> arrays;
  nest.walk([&](mlir::Operation *op) {
    if (auto array = op->getAttrOfType<mlir::FlatSymbolRefAttr>(ArrayAttr))
      arrays.push_back(array);
  });
  return arrays;
}

/// Arrays by the ones that take their places.
using Renaming = DenseMap<mlir::StringAttr, mlir::StringAttr>;

void rename(mlir::Operation *in, const Renaming &names) {
  in->walk([&](mlir::Operation *op) {
    if (auto array = op->getAttrOfType<mlir::FlatSymbolRefAttr>(ArrayAttr))
      if (mlir::StringAttr other = names.lookup(array.getAttr()))
        op->setAttr(ArrayAttr, mlir::FlatSymbolRefAttr::get(other));
  });
}

class Sharer {
public:
  Sharer(Function &control, dfg::HandlerOp handler)
      : control(control), handler(handler), lives(dfg::arrayLifetimes(handler, control)) {}

  /// Lets `first` stand for `second` if they are the same.
  bool share(dfg::NestOp first, dfg::NestOp second);

private:
  bool mayBeOne(mlir::StringAttr first, mlir::StringAttr second) const;
  std::optional<Renaming> renaming(dfg::NestOp first, dfg::NestOp second) const;

  Function &control;
  dfg::HandlerOp handler;
  StringMap<dfg::Lifetime> lives;
};

bool Sharer::mayBeOne(mlir::StringAttr first, mlir::StringAttr second) const {
  auto ofFirst = lives.find(first), ofSecond = lives.find(second);
  return ofFirst != lives.end() && ofSecond != lives.end() &&
         !ofFirst->second.overlaps(ofSecond->second) &&
         equalButForName(mlir::SymbolTable::lookupSymbolIn(handler, first),
                         mlir::SymbolTable::lookupSymbolIn(handler, second));
}

/// What the arrays of `second` would have to be called.
std::optional<Renaming> Sharer::renaming(dfg::NestOp first, dfg::NestOp second) const {
  const auto ofFirst = arraysOf(first), ofSecond = arraysOf(second);
  if (ofFirst.size() != ofSecond.size())
    return std::nullopt;
  Renaming names, back;
  for (auto [to, from] : zip_equal(ofFirst, ofSecond))
    if (names.try_emplace(from.getAttr(), to.getAttr()).first->second != to.getAttr() ||
        back.try_emplace(to.getAttr(), from.getAttr()).first->second != from.getAttr())
      return std::nullopt;
  const bool mayBe = all_of(names, [&](auto &name) {
    return name.first == name.second || mayBeOne(name.second, name.first);
  });
  return mayBe ? std::optional(std::move(names)) : std::nullopt;
}

bool Sharer::share(dfg::NestOp first, dfg::NestOp second) {
  Module &module = *control.getParent();
  Function *callee = module.getFunction(dfg::calleeOf(handler, first.getSymName()));
  Function *other = module.getFunction(dfg::calleeOf(handler, second.getSymName()));
  if (!callee || !other || callee->getFunctionType() != other->getFunctionType() ||
      !equalButForName(first, second))
    return false;
  const std::optional<Renaming> names = renaming(first, second);
  if (!names)
    return false;
  mlir::OwningOpRef<dfg::NestOp> renamed = cast<dfg::NestOp>(second->clone());
  rename(*renamed, *names);
  if (!mlir::OperationEquivalence::isRegionEquivalentTo(
          &first.getBody(), &renamed->getBody(), mlir::OperationEquivalence::IgnoreLocations))
    return false;
  other->replaceAllUsesWith(callee);
  other->eraseFromParent();
  second.erase();
  rename(handler, *names);
  for (auto [from, to] : *names)
    if (from != to)
      mlir::SymbolTable::lookupSymbolIn(handler, from)->erase();
  lives = dfg::arrayLifetimes(handler, control);
  return true;
}

} // namespace

void shareNests(Function &control, dfg::HandlerOp handler) {
  Sharer sharer(control, handler);
  SmallVector<dfg::NestOp> kept;
  for (dfg::NestOp nest : make_early_inc_range(handler.getOps<dfg::NestOp>()))
    if (none_of(kept, [&](dfg::NestOp first) { return sharer.share(first, nest); }))
      kept.push_back(nest);
}

} // namespace acis::import
