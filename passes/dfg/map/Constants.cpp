// Constants of a slot. A context word holds two; a node that needs more, or one whose
// slot it shares with others, takes the rest from `mov` nodes.
#include "passes/dfg/map/MapGraph.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

#include <map>

using namespace mlir;

namespace acis::dfg {
namespace {

constexpr unsigned SlotConstants = 2;

/// Constants of one value are one; arguments are told apart by themselves.
using Key = const void *;
Key keyOf(Value value) {
  if (auto constant = value.getDefiningOp<ConstOp>())
    return constant.getValue().getAsOpaquePointer();
  return value.getAsOpaquePointer();
}

bool isScalar(Value value) { return !mlir::isa<VectorType>(value.getType()); }

/// What code generation adds: the number of lane and slide, the neutral value of a
/// reduction, what extending and truncating one bit is made of.
unsigned impliedConstants(Operation *op) {
  if (mlir::isa<ReduceOp>(op))
    return 1;
  auto node = dyn_cast<ComputeOp>(op);
  if (!node)
    return 0;
  if (node.getImmediate())
    return 1;
  bool fromBit = node.getOp() == OpKind::Sext && bitsOf(node.getInputs()[0].getType()) == 1;
  bool toBit = node.getOp() == OpKind::Mov && bitsOf(node.getType()) == 1;
  return fromBit ? 2 : toBit ? 1 : 0;
}

using Constants = llvm::SmallMapVector<Key, Value, 4>;

void addConstants(Operation *op, Constants &constants) {
  for (unsigned operand : wireOperands(op))
    if (Value value = op->getOperand(operand); isScalar(value))
      constants.insert({keyOf(value), value});
}

/// The node's operands that are this constant come from a mov.
void moveOut(GraphOp graph, Operation *op, Value value) {
  OpBuilder builder(op);
  Type beat = VectorType::get({int64_t(graph.getVf())}, value.getType());
  auto mov = ComputeOp::create(builder, op->getLoc(), beat, OpKind::Mov, ValueRange{value});
  for (unsigned operand : wireOperands(op))
    if (isScalar(op->getOperand(operand)) && keyOf(op->getOperand(operand)) == keyOf(value))
      op->setOperand(operand, mov.getResult());
}

} // namespace

void limitConstants(GraphOp graph) {
  for (Operation &op : llvm::make_early_inc_range(*graph.getBlock())) {
    Constants constants;
    addConstants(&op, constants);
    unsigned implied = impliedConstants(&op);
    while (!constants.empty() && constants.size() + implied > SlotConstants) {
      moveOut(graph, &op, constants.back().second);
      constants.pop_back();
    }
  }
}

bool relieveSlot(GraphOp graph, const GraphProblem &graphProblem, const map::Mapping &mapping) {
  struct Slot {
    Constants constants;
    unsigned implied = 0;
  };
  std::map<std::pair<unsigned, unsigned>, Slot> slots; // PE, time in the interval
  for (auto [node, op] : llvm::enumerate(graphProblem.nodes)) {
    const map::Placement &at = mapping.places[node];
    Slot &slot = slots[{at.pe, at.time % mapping.ii}];
    addConstants(op, slot.constants);
    slot.implied += impliedConstants(op);
  }
  // A unit's constants alone are few enough: some port has one.
  for (auto [node, op] : llvm::enumerate(graphProblem.nodes)) {
    const map::Placement &at = mapping.places[node];
    Slot &slot = slots[{at.pe, at.time % mapping.ii}];
    Constants own;
    if (!mlir::isa<ComputeOp, ReduceOp>(op))
      addConstants(op, own);
    if (own.empty() || slot.constants.size() + slot.implied <= SlotConstants)
      continue;
    moveOut(graph, op, own.back().second);
    return true;
  }
  return false;
}

} // namespace acis::dfg
