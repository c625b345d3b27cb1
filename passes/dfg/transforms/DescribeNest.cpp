// Loops to levels, positions to steps.
#include "passes/dfg/transforms/DescribeNest.h"

#include "passes/dfg/Refuse.h"
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

bool acis::dfg::isPassedOn(LoopOp outer, LoopOp inner) {
  if (inner.getInits().size() != outer.getInits().size())
    return false;
  for (unsigned number = 0; number < outer.getInits().size(); ++number)
    if (!isPassedOn(outer, number, inner, number))
      return false;
  return true;
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
    level.isNumberUsed = llvm::any_of(loop.getIndex().getUsers(), [](Operation *user) {
      return !mlir::isa<AccessOpInterface>(user);
    });
    auto outer = dyn_cast<LoopOp>(loop->getParentOp());
    level.isPassedThrough = outer && isPassedOn(outer, loop);
    for (Operation &op : *loop.getBlock())
      level.size += !mlir::isa<LoopOp>(op);
    result.loops.push_back(loop);
    result.form.levels.push_back(std::move(level));
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
    if (access.object != nest::Object::Array)
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

LogicalResult DescribedNest::refuse(const nest::Obstacle &obstacle) const {
  if (obstacle.access != nest::None) {
    AccessOpInterface access = accesses[obstacle.access];
    return acis::dfg::refuse(access.getLoc(), obstacle.refusal);
  }
  LoopOp loop = loops[obstacle.level];
  return acis::dfg::refuse(loop.getLoc(), obstacle.refusal);
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
