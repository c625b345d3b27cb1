// Constants of a slot. A context word holds two; a node that needs more, or one whose
// slot it shares with others, takes the rest from `mov` nodes. So does a node that takes 64
// bits from outside of the loop where its slot works on fewer.
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

/// Bits that a slot with this operation works on; 0: as many as its ports need.
unsigned slotBits(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return bitsOf(reduce.getType());
  auto node = dyn_cast<ComputeOp>(op);
  if (!node)
    return 0;
  return bitsOf(isCompare(node.getOp()) ? node.getInputs()[0].getType() : node.getType());
}

/// A slot takes an argument of 64 bits only if it works on 64 bits.
bool isTooWide(Value constant, unsigned bits) {
  return bits != 0 && bits < 64 && bitsOf(constant.getType()) == 64 &&
         !constant.getDefiningOp<ConstOp>();
}

using Constants = llvm::SmallMapVector<Key, Value, 4>;

/// Constants that operands are, last, so that they go first; in front of them the initial
/// values of what is carried, which have to be in the slot.
void addConstants(Operation *op, Constants &constants) {
  for (unsigned operand : wireOperands(op))
    if (Carriage from = carriageOf(op->getOperand(operand)); from.init)
      constants.insert({keyOf(from.init), from.init});
  for (unsigned operand : wireOperands(op))
    if (Value value = op->getOperand(operand); isScalar(value))
      constants.insert({keyOf(value), value});
}

/// An operand that is carried, with the initial value `init`, comes from a mov.
bool moveCarried(GraphOp graph, Operation *op, Value init) {
  for (unsigned operand : wireOperands(op)) {
    Value value = op->getOperand(operand);
    Carriage from = carriageOf(value);
    if (!from.init || keyOf(from.init) != keyOf(init))
      continue;
    OpBuilder builder(op);
    auto mov = ComputeOp::create(builder, op->getLoc(), value.getType(), OpKind::Mov, value);
    for (OpOperand &use : op->getOpOperands())
      if (use.get() == value)
        use.set(mov.getResult());
    return true;
  }
  return false;
}

/// The node's operands that are this constant come from a mov.
void moveOut(GraphOp graph, Operation *op, Value value) {
  auto isIt = [&](Value operand) { return isScalar(operand) && keyOf(operand) == keyOf(value); };
  if (llvm::none_of(wireOperands(op),
                    [&](unsigned operand) { return isIt(op->getOperand(operand)); }))
    return;
  OpBuilder builder(op);
  Type beat = VectorType::get({int64_t(graph.getVf())}, value.getType());
  auto mov = ComputeOp::create(builder, op->getLoc(), beat, OpKind::Mov, ValueRange{value});
  for (unsigned operand : wireOperands(op))
    if (isIt(op->getOperand(operand)))
      op->setOperand(operand, mov.getResult());
}

/// The same, and what is carried from this initial value.
void moveAllOut(GraphOp graph, Operation *op, Value value) {
  moveOut(graph, op, value);
  while (moveCarried(graph, op, value))
    ;
}

/// A `mov` to fewer bits takes the lower word.
bool truncates(Operation *op) {
  auto node = dyn_cast<ComputeOp>(op);
  return node && node.getOp() == OpKind::Mov;
}

} // namespace

void limitConstants(GraphOp graph) {
  for (Operation &op : llvm::make_early_inc_range(*graph.getBlock())) {
    Constants constants;
    addConstants(&op, constants);
    constants.remove_if([&](auto &constant) {
      if (truncates(&op) || !isTooWide(constant.second, slotBits(&op)))
        return false;
      moveAllOut(graph, &op, constant.second);
      return true;
    });
    unsigned implied = impliedConstants(&op);
    while (!constants.empty() && constants.size() + implied > SlotConstants) {
      auto [key, value] = constants.back();
      moveAllOut(graph, &op, value);
      constants.pop_back();
    }
  }
}

void prepareCarries(GraphOp graph) {
  OpBuilder builder(graph);
  auto move = [&](Operation *before, OpOperand &use) {
    builder.setInsertionPoint(before);
    Type beat = VectorType::get({int64_t(graph.getVf())}, elementOf(use.get().getType()));
    use.set(ComputeOp::create(builder, before->getLoc(), beat, OpKind::Mov, use.get()));
  };
  for (auto carry : llvm::to_vector(graph.getBlock()->getOps<CarryOp>())) {
    Value value = carry.getValue();
    auto inner = value.getDefiningOp<CarryOp>();
    bool joins = inner && inner != carry && !inner.getRow() && !carry.getRow() &&
                 keyOf(inner.getInit()) == keyOf(carry.getInit()) &&
                 carriageOf(carry).distance <= isa::MaxFirst;
    if (isScalar(value) || (inner && !joins))
      move(carry, carry.getValueMutable());
  }
  llvm::SmallPtrSet<Operation *, 8> taken;
  for (auto last : llvm::to_vector(graph.getBlock()->getOps<LastOp>())) {
    Operation *from = last.getValue().getDefiningOp();
    if (!from || !mlir::isa<ComputeOp>(from) || !taken.insert(from).second)
      move(last, last.getValueMutable());
  }
}

bool relieveSlot(GraphOp graph, const GraphProblem &graphProblem, const map::Mapping &mapping) {
  struct Slot {
    Constants constants;
    unsigned implied = 0, bits = 0;
  };
  std::map<std::pair<unsigned, unsigned>, Slot> slots; // PE, time in the interval
  for (auto [node, op] : llvm::enumerate(graphProblem.nodes)) {
    const map::Placement &at = mapping.places[node];
    Slot &slot = slots[{at.pe, at.time % mapping.ii}];
    addConstants(op, slot.constants);
    slot.implied += impliedConstants(op);
    slot.bits = std::max(slot.bits, slotBits(op));
  }
  // A unit's constants alone are few and narrow enough: some port has one.
  for (auto [node, op] : llvm::enumerate(graphProblem.nodes)) {
    const map::Placement &at = mapping.places[node];
    Slot &slot = slots[{at.pe, at.time % mapping.ii}];
    Constants own;
    if (!mlir::isa<ComputeOp, ReduceOp>(op))
      addConstants(op, own);
    auto wide =
        llvm::find_if(own, [&](auto &constant) { return isTooWide(constant.second, slot.bits); });
    if (wide != own.end()) {
      moveAllOut(graph, op, wide->second);
      return true;
    }
    if (own.empty() || slot.constants.size() + slot.implied <= SlotConstants)
      continue;
    moveAllOut(graph, op, own.back().second);
    return true;
  }
  return false;
}

} // namespace acis::dfg
