// Works on what the importer leaves: calls of nests in the control function, and the
// nests. One loop at a time, since analyses are built anew after each.
#include "passes/import/DoubleBuffer.h"

#include "passes/dfg/transforms/DescribeNest.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace acis::import {
namespace {

enum class Use : uint8_t { None, Read, Fill, Other };

/// The nest if it copies memory into an array, with the read wherever it stands round the innermost
/// loop.
std::optional<dfg::DescribedNest> copyOf(dfg::NestOp nest) {
  dfg::DescribedNest copy = dfg::describe(nest);
  const bool isLoad = dfg::isCopy(copy) && copy.form.accesses[0].object == nest::Object::Memory &&
                      copy.form.accesses[1].object == nest::Object::Array &&
                      copy.form.accesses[1].level + 1 == copy.loops.size();
  return isLoad ? std::optional(std::move(copy)) : std::nullopt;
}

dfg::VrfWriteOp writeOf(const dfg::DescribedNest &copy) {
  return cast<dfg::VrfWriteOp>(dfg::AccessOpInterface(copy.accesses[1]).getOperation());
}

/// Whether a copy leaves no element of the array as it was.
bool overwritesAll(const dfg::DescribedNest &copy) {
  dfg::VrfWriteOp write = writeOf(copy);
  dfg::ArrayOp array = dfg::arrayOf(write);
  const nest::Access &access = copy.form.accesses[1];
  if (access.indexScale || write.getPredicate() || access.offset != 0 || access.alignment != 0)
    return false;
  SmallVector<std::pair<int64_t, int64_t>> steps; // step and count
  bool everyVpe = !array.getPerVpe();
  for (auto [level, loop] : enumerate(copy.loops)) {
    const std::optional<uint64_t> trip = copy.form.levels[level].trip;
    if (!trip || !access.steps[level])
      return false;
    if (write.getVpe() != dfg::LoopOp(loop).getIndex())
      steps.push_back({access.step(unsigned(level)), int64_t(*trip)});
    else
      everyVpe = access.step(unsigned(level)) == 0 && write.getVpeOffset().value_or(0) == 0 &&
                 int64_t(*trip) == array.getShape()[0];
  }
  llvm::sort(steps);
  int64_t covered = 1;
  for (auto [step, count] : steps) {
    if (step != covered)
      return false;
    covered *= count;
  }
  return everyVpe && covered == array.getSliceElements();
}

Use useOf(dfg::NestOp nest, StringRef array) {
  bool reads = false, writes = false;
  nest.walk([&](dfg::VrfReadOp read) { reads |= read.getArray() == array; });
  nest.walk([&](dfg::VrfWriteOp write) { writes |= write.getArray() == array; });
  if (!writes)
    return reads ? Use::Read : Use::None;
  const auto copy = copyOf(nest);
  return copy && overwritesAll(*copy) ? Use::Fill : Use::Other;
}

class Rotator {
public:
  Rotator(Function &control, dfg::HandlerOp handler, const ImportOptions &options,
          Diagnostics &remarks)
      : control(control), handler(handler), options(options), remarks(remarks),
        libraryImpl(Triple(control.getParent()->getTargetTriple())), library(libraryImpl),
        assumptions(control), dominators(control), loops(dominators),
        evolution(control, library, assumptions, dominators, loops) {
    for (Instruction &inst : instructions(control))
      if (auto *call = dyn_cast<CallInst>(&inst); call && nestOf(*call))
        calls.push_back(call);
  }

  /// Whether a loop was rotated. `done`: arrays that need no second look.
  bool run(StringSet<> &done);

private:
  std::string prefix() { return ("acis.nest." + handler.getSymName() + ".").str(); }
  dfg::NestOp nestOf(const CallInst &call);
  CallInst *loadInLoop(dfg::ArrayOp array);
  std::string reasonAgainst(dfg::ArrayOp array, CallInst &load);
  bool isShared(dfg::ArrayOp array);
  bool fits(dfg::ArrayOp array, const Loop &loop);
  SmallVector<CallInst *> unroll(Loop &loop);
  void rename(CallInst &call, StringRef from, StringRef to);

  Function &control;
  dfg::HandlerOp handler;
  const ImportOptions &options;
  Diagnostics &remarks;
  TargetLibraryInfoImpl libraryImpl;
  TargetLibraryInfo library;
  AssumptionCache assumptions;
  DominatorTree dominators;
  LoopInfo loops;
  ScalarEvolution evolution;
  SmallVector<CallInst *> calls;
};

dfg::NestOp Rotator::nestOf(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  StringRef name = callee ? callee->getName() : StringRef();
  if (!name.consume_front(prefix()))
    return {};
  return mlir::SymbolTable::lookupNearestSymbolFrom<dfg::NestOp>(
      handler, mlir::StringAttr::get(handler.getContext(), name));
}

/// The call in a loop of the control code that copies memory into the array.
CallInst *Rotator::loadInLoop(dfg::ArrayOp array) {
  for (CallInst *call : calls) {
    const auto copy = copyOf(nestOf(*call));
    if (copy && writeOf(*copy).getArray() == array.getSymName() &&
        loops.getLoopFor(call->getParent()))
      return call;
  }
  return nullptr;
}

bool Rotator::isShared(dfg::ArrayOp array) {
  auto module = handler->getParentOfType<mlir::ModuleOp>();
  return array.getPersistent() && llvm::any_of(module.getOps<dfg::HandlerOp>(), [&](auto other) {
           return other != handler &&
                  mlir::SymbolTable::lookupSymbolIn(other, array.getSymNameAttr());
         });
}

/// Room for one more array, as if all lived on one PE, and for the contexts of one more turn.
bool Rotator::fits(dfg::ArrayOp array, const Loop &loop) {
  auto vregs = [&](dfg::ArrayOp op) {
    uint64_t beats = divideCeil(op.getSliceElements() * dfg::bitsOf(op.getElement()) / 32 + 1,
                                options.cost.machine().lanes);
    return divideCeil(beats, std::max(options.cost.machine().vregBeats(), 1u));
  };
  uint64_t used = vregs(array);
  StringSet<> counted; // persistent arrays are there in every handler that uses them
  handler->getParentOfType<mlir::ModuleOp>().walk([&](dfg::ArrayOp other) {
    bool isOurs = other->getParentOp() == handler;
    if ((isOurs || other.getPersistent()) && counted.insert(other.getSymName()).second)
      used += vregs(other);
  });
  uint64_t nests =
      calls.size() + llvm::count_if(calls, [&](CallInst *call) { return loop.contains(call); });
  return used <= Overlay::NumVregs && nests <= options.cost.fewLoops();
}

/// Empty if the array can have two copies.
std::string Rotator::reasonAgainst(dfg::ArrayOp array, CallInst &load) {
  Loop &loop = *loops.getLoopFor(load.getParent());
  if (!overwritesAll(*copyOf(nestOf(load))))
    return "a load does not overwrite all of it";
  BasicBlock *latch = loop.getLoopLatch();
  if (!latch || !dominators.dominates(load.getParent(), latch))
    return "not every turn of the loop loads it";
  for (CallInst *call : calls) {
    Use use = call == &load ? Use::None : useOf(nestOf(*call), array.getSymName());
    if (use == Use::None)
      continue;
    if (use != Use::Read)
      return "a turn changes it after the load";
    if (!loop.contains(call) || !dominators.dominates(&load, call))
      return "it is also read where its load in this turn has not been";
  }
  if (isShared(array))
    return "another handler uses it, too";
  if (!fits(array, loop))
    return "the overlay has no room for two of it";
  return {};
}

/// Makes two turns of the loop one; gives the calls of the second.
SmallVector<CallInst *> Rotator::unroll(Loop &loop) {
  simplifyLoop(&loop, &dominators, &loops, &evolution, &assumptions, nullptr,
               /*PreserveLCSSA=*/false);
  formLCSSARecursively(loop, dominators, &loops, &evolution);
  UnrollLoopOptions unrolling{};
  unrolling.Count = 2;
  unrolling.Force = true;
  unrolling.ForgetAllSCEV = true;
  TargetTransformInfo target(control.getDataLayout());
  OptimizationRemarkEmitter emitter(&control);
  SmallPtrSet<CallInst *, 16> before(calls.begin(), calls.end());
  if (UnrollLoop(&loop, unrolling, &loops, &evolution, &dominators, &assumptions, &target, &emitter,
                 /*PreserveLCSSA=*/true) == LoopUnrollResult::Unmodified)
    return {};
  SmallVector<CallInst *> second;
  for (Instruction &inst : instructions(control))
    if (auto *call = dyn_cast<CallInst>(&inst); call && nestOf(*call) && !before.contains(call))
      second.push_back(call);
  return second;
}

/// Lets the call use a copy of its nest that names the array otherwise.
void Rotator::rename(CallInst &call, StringRef from, StringRef to) {
  dfg::NestOp nest = nestOf(call);
  if (useOf(nest, from) == Use::None)
    return;
  mlir::OpBuilder builder(nest);
  builder.setInsertionPointToEnd(nest->getBlock());
  auto copy = cast<dfg::NestOp>(builder.clone(*nest));
  unsigned number = llvm::range_size(handler.getOps<dfg::NestOp>()) - 1;
  copy.setSymName("k" + std::to_string(number));
  auto name = mlir::FlatSymbolRefAttr::get(handler.getContext(), to);
  copy.walk([&](mlir::Operation *op) {
    if (auto read = dyn_cast<dfg::VrfReadOp>(op); read && read.getArray() == from)
      read.setArrayAttr(name);
    if (auto write = dyn_cast<dfg::VrfWriteOp>(op); write && write.getArray() == from)
      write.setArrayAttr(name);
  });
  FunctionCallee callee = control.getParent()->getOrInsertFunction(
      prefix() + copy.getSymName().str(), call.getFunctionType(),
      call.getCalledFunction()->getAttributes());
  call.setCalledFunction(callee);
}

bool Rotator::run(StringSet<> &done) {
  for (auto array : handler.getOps<dfg::ArrayOp>()) {
    std::string name = array.getSymName().str();
    CallInst *load = done.insert(name).second ? loadInLoop(array) : nullptr;
    if (!load)
      continue;
    std::string why = reasonAgainst(array, *load);
    remarks.push_back(Diagnostic::at(
        *load,
        Refusal(Why::Said,
                why.empty()
                    ? "'" + name + "' has two buffers: a load runs beside what uses the one before"
                    : "'" + name + "' is not double-buffered: " + why),
        Severity::Remark));
    if (!why.empty())
      continue;
    SmallVector<CallInst *> second = unroll(*loops.getLoopFor(load->getParent()));
    if (second.empty())
      continue;
    std::string other = name + ".1";
    auto copy = cast<dfg::ArrayOp>(mlir::OpBuilder(array).clone(*array));
    copy.setSymName(other);
    copy->moveAfter(array);
    done.insert(other);
    for (CallInst *call : second)
      rename(*call, name, other);
    return true;
  }
  return false;
}

} // namespace

void doubleBuffer(Function &control, dfg::HandlerOp handler, const ImportOptions &options,
                  Diagnostics &remarks) {
  StringSet<> done;
  while (Rotator(control, handler, options, remarks).run(done)) {
  }
}

} // namespace acis::import
