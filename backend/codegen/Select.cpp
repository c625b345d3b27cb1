// Handlers and nests one after the other; the parts are in Select*.cpp.
#include "backend/codegen/Select.h"

#include "backend/codegen/SelectInternal.h"
#include "backend/regalloc/VrfAlloc.h"
#include "passes/dfg/NestPlaces.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Module.h"

namespace acis::codegen {
namespace {

/// acis.launch names a context of the binary with 7 bits.
constexpr unsigned MaxLaunchable = 128;

class HandlerSelector {
public:
  HandlerSelector(dfg::HandlerOp handler, const llvm::Module &control, const Overlay &overlay,
                  const llvm::StringMap<unsigned> &shared, MProgram &program)
      : handler(handler), overlay(overlay), shared(shared), program(program),
        function(control.getFunction(handler.getSymName())) {}

  llvm::Error run();

private:
  llvm::Error allocateArrays();
  llvm::Error selectNest(dfg::NestOp nest, MHandler &result);
  llvm::Error checkContexts(const MHandler &result);
  llvm::Error selectGraph(dfg::GraphOp graph, MNest &nest);
  void notePurpose(dfg::GraphOp graph, MNest &nest);

  dfg::HandlerOp handler;
  const Overlay &overlay;
  const llvm::StringMap<unsigned> &shared; ///< registers of arrays of several handlers
  MProgram &program;
  const llvm::Function *function;
  ArrayPlaces arrays;
};

unsigned vfOf(dfg::ArrayOp op, const Overlay &overlay) {
  unsigned laneBits = op.getLaneBits().value_or(dfg::bitsOf(op.getElement()) > 32 ? 64 : 32);
  return overlay.lanes * 32 / laneBits;
}

regalloc::Array describe(dfg::ArrayOp op, const Overlay &overlay) {
  regalloc::Array array;
  array.name = op.getSymName().str();
  unsigned line = 0, column = 0;
  std::string file;
  if (sourceLine(op.getLoc(), file, line, column))
    array.where = file + ":" + std::to_string(line);
  unsigned vf = vfOf(op, overlay);
  array.beats = (op.getSliceElements() + vf - 1) / vf;
  array.perVpe = op.getPerVpe();
  array.vpes = array.perVpe ? op.getShape()[0] : 0;
  array.pe = op.getHome().value_or(0);
  return array;
}

llvm::Error HandlerSelector::allocateArrays() {
  llvm::SmallVector<dfg::ArrayOp> ops(handler.getOps<dfg::ArrayOp>());
  std::vector<regalloc::Array> list;
  for (dfg::ArrayOp op : ops) {
    list.push_back(describe(op, overlay));
    if (auto known = shared.find(op.getSymName()); known != shared.end() && op.getPersistent())
      list.back().vreg = known->second;
  }
  if (function && !function->isDeclaration()) {
    const llvm::StringMap<dfg::Lifetime> lives = dfg::arrayLifetimes(handler, *function);
    for (regalloc::Array &array : list)
      if (auto life = lives.find(array.name); life != lives.end())
        array.lifetime = {life->second.first, life->second.last};
  }
  auto assignment = regalloc::allocate(list, overlay);
  if (!assignment) {
    const regalloc::NoRoom &noRoom = assignment.error();
    return failAt(ops[noRoom.array], noRoom.refusal);
  }
  if (Status status = regalloc::verify(list, *assignment, overlay); !status)
    return faultAt(handler, "register allocation is wrong: " + status.error().what);
  for (auto [array, op, vreg] : llvm::zip_equal(list, ops, assignment->vreg))
    arrays[array.name] = {vreg,         array.beats, vfOf(op, overlay),
                          array.perVpe, array.pe,    op.getSliceElements()};
  for (dfg::ArrayOp op : ops)
    addTables(op, arrays[op.getSymName()], program.handlers.size(), overlay, program.tables);
  return llvm::Error::success();
}

void HandlerSelector::notePurpose(dfg::GraphOp graph, MNest &nest) {
  graph.walk([&](dfg::MemReadOp) { nest.readsMemory = true; });
  graph.walk([&](dfg::MemWriteOp) { nest.writesMemory = true; });
}

llvm::Error HandlerSelector::selectGraph(dfg::GraphOp graph, MNest &nest) {
  ScalarBuilder scalars(nest.scalar);
  auto vector = matchVector(graph, arrays, overlay, scalars);
  if (!vector)
    return vector.takeError();
  if (*vector) {
    nest.isVector = true;
    nest.vector = std::move(**vector);
    return llvm::Error::success();
  }
  nest.scalar.nodes.clear();
  ScalarBuilder launchScalars(nest.scalar);
  isa::LoopContext loop;
  loop.ii = graph.getVpes() ? 1 : graph.getIi().value_or(0);
  loop.laneBits = graph.getLaneBits();
  if (loop.laneBits == 64 && !overlay.isWide())
    return failAt(graph, Refusal(Why::NoWideUnits, overlay.name));
  loop.scalar = graph.getScalar();
  loop.innerCount = graph.getInner();
  loop.numResults = graph.getNumResults();
  if (loop.numResults > isa::MaxResults)
    return failAt(graph, Refusal(Why::TooManyResults, graph.getNumResults(), isa::MaxResults));
  if (!loop.ii)
    return faultAt(graph, "a graph without an interval; run dfg-map before code generation");
  nest.results.resize(loop.numResults);
  if (llvm::Error error = buildTrip(graph, launchScalars, nest.launch))
    return error;
  nest.launch.context = program.contexts.size();
  llvm::Error error = graph.getVpes()
                          ? buildTransfer(graph, arrays, overlay, launchScalars, loop, nest)
                          : buildContext(graph, arrays, overlay, launchScalars, nest.launch.context,
                                         loop, nest, program.lines);
  if (error)
    return error;
  if (nest.launch.args.size() > overlay.arguments)
    return failAt(graph,
                  Refusal(Why::TooManyArguments, nest.launch.args.size(), overlay.arguments));
  loop.numArgs = nest.launch.args.size();
  program.contexts.push_back({nest.callee, std::move(loop)});
  return llvm::Error::success();
}

llvm::Error HandlerSelector::selectNest(dfg::NestOp op, MHandler &result) {
  MNest nest;
  nest.callee = dfg::calleeOf(handler, op.getSymName());
  llvm::SmallVector<dfg::GraphOp> graphs(op.getOps<dfg::GraphOp>());
  if (graphs.size() != 1)
    return faultAt(op, "nest '" + op.getSymName() + "' has " + llvm::Twine(graphs.size()) +
                           " graphs; code generation needs one (run the dfg passes first)");
  notePurpose(graphs[0], nest);
  if (llvm::Error error = selectGraph(graphs[0], nest))
    return error;
  ScalarBuilder scalars(nest.scalar);
  for (auto ret : op.getOps<dfg::ReturnOp>())
    for (mlir::Value value : ret.getOperands()) {
      auto node = scalars.node(value);
      if (!node)
        return node.takeError();
      nest.returned.push_back(*node);
    }
  result.nests.push_back(std::move(nest));
  return llvm::Error::success();
}

/// All loops of a handler are loaded together; those of a file have numbers. The error is at the
/// largest, which can be left out.
llvm::Error HandlerSelector::checkContexts(const MHandler &result) {
  unsigned slots = 0;
  for (unsigned c = 0; c < result.numContexts; ++c)
    slots += program.contexts[result.firstContext + c].loop.ii;
  const bool hasNumbers = program.contexts.size() <= MaxLaunchable;
  if (slots <= overlay.contextSlots && hasNumbers)
    return llvm::Error::success();
  dfg::GraphOp largest;
  handler.walk([&](dfg::GraphOp graph) {
    if (!largest || graph.getIi().value_or(0) > largest.getIi().value_or(0))
      largest = graph;
  });
  return failAt(largest, slots <= overlay.contextSlots
                             ? Refusal(Why::TooManyContexts, MaxLaunchable)
                             : Refusal(Why::TooManySlots, handler.getSymName(), slots,
                                       result.numContexts, overlay.contextSlots));
}

llvm::Error HandlerSelector::run() {
  if (llvm::Error error = allocateArrays())
    return error;
  MHandler result;
  result.name = handler.getSymName().str();
  result.firstContext = program.contexts.size();
  for (auto nest : handler.getOps<dfg::NestOp>())
    if (llvm::Error error = selectNest(nest, result))
      return error;
  result.numContexts = program.contexts.size() - result.firstContext;
  if (llvm::Error error = checkContexts(result))
    return error;
  program.handlers.push_back(std::move(result));
  return llvm::Error::success();
}

/// Static arrays of several handlers: each has one place, whatever else a handler has.
llvm::Expected<llvm::StringMap<unsigned>> placeShared(mlir::ModuleOp mapped,
                                                      const Overlay &overlay) {
  llvm::MapVector<llvm::StringRef, llvm::SmallVector<dfg::ArrayOp, 2>> byName;
  for (auto handler : mapped.getOps<dfg::HandlerOp>())
    for (auto op : handler.getOps<dfg::ArrayOp>())
      if (op.getPersistent())
        byName[op.getSymName()].push_back(op);
  std::vector<regalloc::Array> list;
  llvm::SmallVector<dfg::ArrayOp> shared;
  for (auto &[name, ops] : byName) {
    if (ops.size() < 2)
      continue;
    shared.push_back(ops.front());
    list.push_back(describe(ops.front(), overlay));
    for (dfg::ArrayOp op : ops)
      if (describe(op, overlay).pe != list.back().pe || op.getShape() != ops.front().getShape() ||
          vfOf(op, overlay) != vfOf(ops.front(), overlay))
        return faultAt(op, "static array '" + name +
                               "' has another place or width in another "
                               "handler; run dfg-share-arrays before code generation");
  }
  auto assignment = regalloc::allocate(list, overlay);
  if (!assignment)
    return failAt(shared[assignment.error().array], assignment.error().refusal);
  llvm::StringMap<unsigned> places;
  for (auto [array, vreg] : llvm::zip_equal(list, assignment->vreg))
    places[array.name] = vreg;
  return places;
}

} // namespace

llvm::Expected<MProgram> select(mlir::ModuleOp mapped, const llvm::Module &control,
                                const Overlay &overlay) {
  MProgram program;
  auto shared = placeShared(mapped, overlay);
  if (!shared)
    return shared.takeError();
  for (auto handler : mapped.getOps<dfg::HandlerOp>())
    if (llvm::Error error = HandlerSelector(handler, control, overlay, *shared, program).run())
      return error;
  return program;
}

} // namespace acis::codegen
