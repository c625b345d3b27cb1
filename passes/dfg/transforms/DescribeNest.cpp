// Loops to levels, positions to steps.
#include "passes/dfg/transforms/DescribeNest.h"

#include "passes/dfg/Refuse.h"
#include "passes/dfg/transforms/Reductions.h"
#include "passes/dfg/transforms/Transfer.h"

#include <numeric>

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

Type acis::dfg::valueType(AccessOpInterface access) {
  if (access->getNumResults())
    return access->getResult(0).getType();
  return access->getOperand(0).getType();
}

int64_t acis::dfg::elementBytes(AccessOpInterface access) {
  auto elem = access->getAttrOfType<TypeAttr>("elem");
  return bitsOf(elem ? elem.getValue() : valueType(access)) / 8;
}

bool acis::dfg::isPassedOn(LoopOp outer, unsigned number, LoopOp inner, unsigned innerNumber) {
  Value argument = outer.getCarried()[number];
  return inner.getInits()[innerNumber] == argument && argument.hasOneUse() &&
         outer.getBlock()->getTerminator()->getOperand(number) == inner.getResult(innerNumber);
}

/// The same for all that both carry.
static bool isPassedOn(LoopOp outer, LoopOp inner) {
  if (inner.getInits().size() != outer.getInits().size())
    return false;
  for (unsigned number = 0; number < outer.getInits().size(); ++number)
    if (!isPassedOn(outer, number, inner, number))
      return false;
  return true;
}

/// The value as a loop further in carries it, if `loop` only passes it on.
static std::optional<std::pair<LoopOp, unsigned>> passedOn(LoopOp loop, unsigned number) {
  Value argument = loop.getCarried()[number];
  auto inner = argument.hasOneUse() ? dyn_cast<LoopOp>(*argument.user_begin()) : LoopOp();
  for (unsigned k = 0; inner && k < inner.getInits().size(); ++k)
    if (isPassedOn(loop, number, inner, k) && inner.getResult(k).hasOneUse())
      return std::pair(inner, k);
  return std::nullopt;
}

bool acis::dfg::dependsOn(Value value, BlockArgument argument, llvm::DenseSet<Value> &seen) {
  if (value == argument)
    return true;
  if (!seen.insert(value).second)
    return false;
  if (auto other = dyn_cast<BlockArgument>(value)) {
    const unsigned number = other.getArgNumber();
    return other.getOwner() == argument.getOwner() && number > 0 &&
           dependsOn(other.getOwner()->getTerminator()->getOperand(number - 1), argument, seen);
  }
  bool found = mlir::isa<LoopOp>(value.getDefiningOp());
  for (Value operand : value.getDefiningOp()->getOperands())
    found |= dependsOn(operand, argument, seen);
  return found;
}

namespace {

class Describer {
public:
  explicit Describer(NestOp nest) {
    result.op = nest;
    result.laneBits = laneBitsOf(nest);
  }

  DescribedNest run() {
    result.op.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto loop = dyn_cast<LoopOp>(op))
        addLoop(loop);
    });
    result.op.walk<WalkOrder::PreOrder>([&](AccessOpInterface op) { addAccess(op); });
    for (auto [level, loop] : llvm::enumerate(result.loops))
      for (unsigned number = 0; number < LoopOp(loop).getInits().size(); ++number)
        addCarried(loop, unsigned(level), number);
    return std::move(result);
  }

private:
  /// The innermost level around an operation.
  unsigned levelOf(Operation *op) const {
    auto around = op->getParentOfType<LoopOp>();
    while (around && around == result.rolled)
      around = around->getParentOfType<LoopOp>();
    return around ? unsigned(llvm::find(result.loops, around) - result.loops.begin()) : nest::None;
  }

  void addLoop(LoopOp loop) {
    if (loop->hasAttr("rolled")) {
      result.rolled = loop;
      return;
    }
    nest::Level level;
    level.around = levelOf(loop);
    level.trip = loop.getConstantTrip();
    level.isNumberUsed = llvm::any_of(loop.getIndex().getUses(), isOfValue);
    auto outer = dyn_cast<LoopOp>(loop->getParentOp());
    level.isPassedThrough = outer && isPassedOn(outer, loop);
    for (Operation &op : *loop.getBlock())
      level.size += !mlir::isa<LoopOp>(op);
    result.loops.push_back(loop);
    result.form.levels.push_back(std::move(level));
  }

  /// Whether a loop's number is used for more than a place that it moves.
  static bool isOfValue(OpOperand &use) {
    Operation *user = use.getOwner();
    auto read = dyn_cast<VrfReadOp>(user);
    auto write = dyn_cast<VrfWriteOp>(user);
    const bool isWritten = user->getNumResults() == 0 && use.getOperandNumber() == 0;
    return !mlir::isa<AccessOpInterface>(user) || isWritten ||
           use.get() == (read    ? read.getIndex()
                         : write ? write.getIndex()
                                 : Value());
  }

  /// Describes what no loop around passes on.
  void addCarried(LoopOp loop, unsigned level, unsigned number) {
    auto outer = dyn_cast<LoopOp>(loop->getParentOp());
    for (unsigned k = 0; outer && k < outer.getInits().size(); ++k)
      if (passedOn(outer, k) == std::pair(loop, number))
        return;
    CarriedOps ops{loop, number, {}, {}, {}};
    while (auto inner = passedOn(loop, number))
      std::tie(loop, number) = *inner;
    ops.next = loop.getBlock()->getTerminator()->getOperand(number);
    BlockArgument argument = loop.getCarried()[number];
    nest::Carried value;
    value.level = level;
    value.updatedIn = levelOf(loop.getBlock()->getTerminator());
    llvm::DenseSet<Value> seen;
    auto update = ops.next.getDefiningOp<ComputeOp>();
    if (update && update->hasOneUse() && argument.hasOneUse() && *argument.user_begin() == update &&
        identityOf(update.getOp(), update.getType())) {
      value.kind = nest::Carried::Kind::Reduction;
      ops.update = update;
      ops.term = update.getInputs()[update.getInputs()[0] == argument ? 1 : 0];
      describeReduction(ops, value);
    } else if (!dependsOn(ops.next, argument, seen)) {
      value.kind = nest::Carried::Kind::Previous;
      value.isUsedBehind = !ops.result().use_empty();
      value.isReadBehindWrite = isReadBehindWrite(loop, seen);
    }
    result.carried.push_back(ops);
    result.form.carried.push_back(value);
  }

  void describeReduction(const CarriedOps &ops, nest::Carried &value) const {
    ComputeOp update = ops.update;
    auto start = ops.init().getDefiningOp<ConstOp>();
    auto number = start ? dyn_cast<FloatAttr>(start.getValue()) : FloatAttr();
    const bool isSum = update.getOp() == OpKind::Fadd;
    value.inOrder = isSum && !update.getReassoc();
    value.inOrderOfLanes = isSum && update.getReassoc();
    value.isNarrow = isSum && bitsOf(update.getType()) < result.laneBits;
    value.startsElsewhere = mlir::isa<FloatType>(update.getType()) &&
                            !(number && (!isSum || number.getValue().isZero()));
  }

  /// Whether `read`, of which the next iteration needs some value as soon as it takes what is
  /// carried, has a read behind a write to the same array or memory that is not done by then.
  bool isReadBehindWrite(LoopOp loop, const llvm::DenseSet<Value> &read) const {
    bool isNeeded = false;
    SmallVector<const nest::Access *> writes;
    for (Operation &op : loop.getBlock()->without_terminator()) {
      isNeeded |= llvm::any_of(op.getOperands(), [&](Value operand) {
        return llvm::is_contained(loop.getCarried(), operand);
      });
      auto number = result.numbers.find(&op);
      if (number == result.numbers.end())
        continue;
      const nest::Access &access = result.form.accesses[number->second];
      if (access.isWrite && isNeeded)
        writes.push_back(&access);
      else if (!access.isWrite && read.contains(op.getResult(0)) &&
               llvm::any_of(writes, [&](const nest::Access *write) {
                 return write->object == access.object && write->name == access.name;
               }))
        return true;
    }
    return false;
  }

  void addAccess(AccessOpInterface op) {
    nest::Access access;
    describeObject(op, access);
    access.level = levelOf(op);
    access.type = numberOf(types, valueType(op), std::equal_to<>());
    Position rest = op.getPosition();
    rest.simplify();
    for (LoopOp loop : result.loops) {
      const bool isConstant = !rest.productWith(loop.getIndex());
      access.steps.push_back(isConstant ? std::optional(rest.coefficient(loop.getIndex()))
                                        : std::nullopt);
      if (isConstant)
        rest.remove(loop.getIndex());
    }
    access.offset = rest.offset;
    for (const Term &term : rest.terms)
      access.alignment = std::gcd(access.alignment, term.scale);
    access.origin = numberOf(origins, rest,
                             [](const Position &a, const Position &b) { return a.sameTerms(b); });
    result.numbers[op] = unsigned(result.accesses.size());
    result.accesses.push_back(op);
    result.form.accesses.push_back(std::move(access));
  }

  static void describeObject(AccessOpInterface op, nest::Access &access) {
    Operation *raw = op.getOperation();
    access.isWrite = mlir::isa<StreamWriteOp, MemWriteOp, VrfWriteOp>(raw);
    if (mlir::isa<VrfReadOp, VrfWriteOp>(raw)) {
      access.object = nest::Object::Array;
      access.name = arrayOf(raw).getSymName();
      if (auto scale = raw->getAttrOfType<IntegerAttr>("index_scale"))
        access.indexScale = scale.getInt();
      return;
    }
    access.size = elementBytes(op);
    if (mlir::isa<MemReadOp, MemWriteOp>(raw)) {
      access.object = nest::Object::Memory;
      access.name = "memory";
      return;
    }
    auto write = dyn_cast<StreamWriteOp>(raw);
    access.object = write ? nest::Object::Output : nest::Object::Input;
    access.name = write ? "out" : "in";
    access.appends = write && write.getAppend();
  }

  /// The number of what was equal before, or a new one.
  template <typename T, typename Equal>
  static unsigned numberOf(SmallVectorImpl<T> &known, const T &value, Equal equal) {
    for (auto [number, other] : llvm::enumerate(known))
      if (equal(other, value))
        return unsigned(number);
    known.push_back(value);
    return unsigned(known.size() - 1);
  }

  DescribedNest result;
  SmallVector<Type> types;
  SmallVector<Position> origins;
};

} // namespace

DescribedNest acis::dfg::describe(NestOp nest) { return Describer(nest).run(); }

Location DescribedNest::placeOf(const nest::Obstacle &obstacle) const {
  if (obstacle.access != nest::None)
    return AccessOpInterface(accesses[obstacle.access]).getLoc();
  if (obstacle.carried != nest::None)
    return carried[obstacle.carried].next.getLoc();
  return LoopOp(loops[obstacle.level]).getLoc();
}

InFlightDiagnostic DescribedNest::refuse(const nest::Obstacle &obstacle) const {
  return acis::dfg::refuse(placeOf(obstacle), obstacle.refusal);
}

bool acis::dfg::isCopy(const DescribedNest &about) {
  uint64_t operations = 0;
  for (auto [number, level] : llvm::enumerate(about.form.levels)) {
    operations += level.size - 1; // but for the end of the loop
    if (level.around + 1 != number || !LoopOp(about.loops[number]).getInits().empty())
      return false;
  }
  if (about.accesses.size() != 2 || operations != 2)
    return false;
  Operation *read = AccessOpInterface(about.accesses[0]);
  Operation *write = AccessOpInterface(about.accesses[1]);
  return read->getNumResults() == 1 && write->getNumResults() == 0 &&
         write->getOperand(0) == read->getResult(0);
}
