// Verifiers, builders and folders of the dfg ops.
#include "passes/dfg/DfgDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

#include "passes/dfg/DfgInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "passes/dfg/DfgOps.cpp.inc"

ArrayOp dfg::arrayOf(Operation *access) {
  auto symbol = access->getAttrOfType<FlatSymbolRefAttr>("array");
  auto handler = access->getParentOfType<HandlerOp>();
  if (!symbol || !handler)
    return {};
  // A handler has few arrays: a walk is quicker than a symbol table per query.
  for (auto array : handler.getOps<ArrayOp>())
    if (array.getSymNameAttr() == symbol.getAttr())
      return array;
  return {};
}

bool dfg::sameAddress(VrfReadOp read, VrfWriteOp write) {
  return read.getArrayAttr() == write.getArrayAttr() && read.getPe() == write.getPe() &&
         read.getIndex() == write.getIndex() && read.getLane() == write.getLane() &&
         read.getShift() == write.getShift() && read.getBits() == write.getBits() &&
         read.getPosition() == write.getPosition();
}

bool dfg::isZero(Value value) {
  auto constant = value.getDefiningOp<ConstOp>();
  if (!constant)
    return false;
  if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
    return number.getValue().isPosZero();
  auto integer = dyn_cast<IntegerAttr>(constant.getValue());
  return integer && integer.getValue().isZero();
}

Carriage dfg::carriageOf(Value value) {
  Carriage result{value, {}, 0, false};
  while (auto carry = result.value.getDefiningOp<CarryOp>()) {
    if (carry.getRow() && result.distance == 0)
      return {carry.getValue(), carry.getInit(), carry.getDistance(), /*row=*/true};
    if (!isZero(carry.getInit()))
      result.init = carry.getInit();
    result.distance += carry.getDistance();
    result.value = carry.getValue();
    if (result.distance > 2 * isa::MaxFirst)
      break; // values that only change places, until prepareCarries() gives them a node
  }
  return result;
}

OpFoldResult ConstOp::fold(FoldAdaptor) { return getValue(); }

void ComputeOp::build(OpBuilder &builder, OperationState &state, Type type, OpKind op,
                      ValueRange inputs) {
  state.addTypes(type);
  state.addOperands(inputs);
  state.addAttribute(getOpAttrName(state.name), OpKindAttr::get(builder.getContext(), op));
}

//===- Structure ----------------------------------------------------------===//

LogicalResult HandlerOp::verifyRegions() {
  for (Operation &op : getBody().front())
    if (!mlir::isa<ArrayOp, NestOp>(op))
      return op.emitOpError("is not allowed in a dfg.handler; it holds dfg.array and dfg.nest");
  return success();
}

int64_t ArrayOp::getSliceElements() {
  int64_t elements = 1;
  for (int64_t size : getPerVpe() ? getShape().drop_front() : getShape())
    elements *= size;
  return elements;
}

LogicalResult ArrayOp::verify() {
  if (getShape().empty() || llvm::any_of(getShape(), [](int64_t s) { return s <= 0; }))
    return emitOpError("'") << getSymName() << "' needs a shape of positive sizes";
  if (getPerVpe() && getShape().size() < 2)
    return emitOpError("'") << getSymName()
                            << "' is per_vpe and has one dimension; the first is the VPE, so it "
                               "needs two or more";
  if (!getElement().isIntOrFloat() || bitsOf(getElement()) < 8 || bitsOf(getElement()) > 64)
    return emitOpError("'") << getSymName() << "' has elements of type " << getElement()
                            << "; allowed are i8, i16, i32, i64, f32 and f64";
  if (std::optional<ElementsAttr> initial = getInitial()) {
    if (!getPersistent())
      return emitOpError("'") << getSymName()
                              << "' has initial values and is not persistent; only what is kept "
                                 "between invocations is loaded once";
    ShapedType type = initial->getShapedType();
    if (type.getElementType() != getElement() || type.getShape() != getShape())
      return emitOpError("'") << getSymName() << "' has initial values of type " << type
                              << ", which is not that of the array";
  }
  return success();
}

LogicalResult NestOp::verify() {
  Block &block = getBody().front();
  if (block.getArgumentTypes() != TypeRange(getFunctionType().getInputs()))
    return emitOpError("'") << getSymName() << "' has body arguments that differ from its type";
  for (Type type : getFunctionType().getInputs())
    if (!type.isSignlessInteger(32) && !type.isSignlessInteger(64) && !type.isF32() &&
        !type.isF64())
      return emitOpError("'") << getSymName() << "' has an argument of type " << type
                              << "; allowed are i32, i64, f32 and f64";
  if (block.empty() || !mlir::isa<ReturnOp>(block.back()))
    return emitOpError("'") << getSymName() << "' does not end with dfg.return";
  return success();
}

LogicalResult ReturnOp::verify() {
  auto nest = cast<NestOp>((*this)->getParentOp());
  if (getResults().getTypes() != TypeRange(nest.getFunctionType().getResults()))
    return emitOpError("does not return what nest '") << nest.getSymName() << "' declares";
  return success();
}

// A trip count is given once, and comes from outside all loops.
template <typename OpT> static LogicalResult verifyTrip(OpT op) {
  if (bool(op.getTrip()) == op.getConstantTrip().has_value())
    return op.emitOpError("needs either a value or a constant as its trip count");
  if (op.getConstantTrip().value_or(0) < 0)
    return op.emitOpError("has trip count ") << *op.getConstantTrip() << "; it cannot be negative";
  if (Value trip = op.getTrip())
    if (trip.getParentBlock() != &op->template getParentOfType<NestOp>().getBody().front())
      return op.emitOpError("has a trip count computed inside the nest; only a nest argument "
                            "or a constant is allowed: leave the outer loop in control code");
  return success();
}

static LogicalResult verifyYield(Operation *op, Region &body) {
  auto yield = dyn_cast<YieldOp>(body.front().back());
  if (!yield)
    return op->emitOpError("does not end with dfg.yield");
  if (yield.getOperandTypes() != op->getResultTypes())
    return yield.emitOpError("yields other types than the results of '") << op->getName() << "'";
  return success();
}

LogicalResult LoopOp::verify() {
  if (failed(verifyTrip(*this)))
    return failure();
  if (getBlock()->getNumArguments() != 1 + getInits().size() || !getIndex().getType().isInteger(32))
    return emitOpError("needs an i32 index and one argument per carried value");
  for (auto [argument, init, type] : llvm::zip(getCarried(), getInits(), getResultTypes()))
    if (argument.getType() != type || init.getType() != type)
      return emitOpError("carries ") << init.getType() << " as " << argument.getType() << " to "
                                     << type << "; all three must be equal";
  return verifyYield(*this, getBody());
}

LogicalResult GraphOp::verify() {
  if (failed(verifyTrip(*this)))
    return failure();
  if (getBlock()->getNumArguments() != (getVpes() ? 3u : 2u))
    return emitOpError("has ") << getBlock()->getNumArguments() << " block arguments; expected "
                               << (getVpes() ? "%i0, %i1 and %vpe" : "%i0 and %i1");
  if (getInner() < 1 || getInner() > 0xffff)
    return emitOpError("has an inner count of ") << getInner() << "; allowed are 1 to 65535";
  if (getPer() != 1 && (getPer() != getVf() || getInner() != 1))
    return emitOpError("has per ") << getPer() << "; allowed are 1, or vf with inner 1";
  if (getScalar() && (getVf() != 1 || getPer() != 1))
    return emitOpError("is scalar and has vf ") << getVf() << " per " << getPer() << "; both are 1";
  if (getLaneBits() != 32 && getLaneBits() != 64)
    return emitOpError("has lane_bits ") << getLaneBits() << "; allowed are 32 and 64";
  return verifyYield(*this, getBody());
}

//===- Nodes --------------------------------------------------------------===//

// In a graph beats have vf elements of at most lane_bits.
static LogicalResult verifyBeats(Operation *op) {
  auto graph = dyn_cast<GraphOp>(op->getParentOp());
  auto check = [&](Type type) -> LogicalResult {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector)
      return success();
    if (!graph)
      return op->emitOpError("has type ") << type << " outside of a dfg.graph; use the scalar";
    if (vector.getDimSize(0) != int64_t(graph.getVf()) || bitsOf(type) > graph.getLaneBits())
      return op->emitOpError("has type ")
             << type << "; beats of this graph are " << graph.getVf() << " elements of at most "
             << graph.getLaneBits() << " bits";
    return success();
  };
  for (Type type : op->getOperandTypes())
    if (failed(check(type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(check(type)))
      return failure();
  if (auto routes = op->getAttrOfType<ArrayAttr>("routes"))
    if (routes.size() != op->getNumOperands())
      return op->emitOpError("has ")
             << routes.size() << " routes for " << op->getNumOperands() << " operands";
  return success();
}

static LogicalResult verifyOperandCount(Operation *op, OpKind kind, size_t found, size_t allowed) {
  if (found == allowed)
    return success();
  return op->emitOpError() << "'" << stringifyOpKind(kind) << "' has " << found
                           << " operands; expected " << allowed;
}

// What the types of an operation have to be to each other.
static LogicalResult verifyTypes(ComputeOp op) {
  OpKind kind = op.getOp();
  UnitClass unit = unitOf(kind);
  Type result = elementOf(op.getType());
  SmallVector<Type, 3> in;
  for (Type type : op.getInputs().getTypes())
    in.push_back(elementOf(type));
  auto wrong = [&](const Twine &what) {
    return op.emitOpError() << "'" << stringifyOpKind(kind) << "' " << what;
  };
  if (isCompare(kind)) {
    if (!result.isInteger(1) || in[0] != in[1])
      return wrong("needs two operands of one type and gives i1");
    bool isFloat = unit == UnitClass::Float;
    return mlir::isa<FloatType>(in[0]) == isFloat
               ? success()
               : wrong(isFloat ? "compares floating-point values" : "compares integers");
  }
  if (unit == UnitClass::Convert)
    return success();
  bool floatOnly = unit == UnitClass::Float || kind == OpKind::Fdiv || kind == OpKind::Fsqrt;
  if (floatOnly && !mlir::isa<FloatType>(result))
    return wrong("needs floating-point operands");
  bool anyType = kind == OpKind::Select || kind == OpKind::Mov || kind == OpKind::Lane ||
                 kind == OpKind::Slide;
  if (!floatOnly && !anyType && mlir::isa<FloatType>(result))
    return wrong("needs integer operands");
  if (kind == OpKind::Select &&
      (!mlir::isa<IntegerType>(in[0]) || in[1] != result || in[2] != result))
    return wrong("needs an integer and two operands of the result's type");
  bool converts = kind == OpKind::Select || kind == OpKind::Mov || kind == OpKind::Sext;
  if (!converts && llvm::any_of(in, [&](Type type) { return type != result; }))
    return wrong("needs operands of the result's type");
  return success();
}

LogicalResult ComputeOp::verify() {
  OpKind kind = getOp();
  if (kind == OpKind::Nop)
    return emitOpError("cannot be 'nop'");
  if (failed(verifyOperandCount(*this, kind, getInputs().size(), operandsOf(kind))) ||
      failed(verifyTypes(*this)))
    return failure();
  bool inGraph = mlir::isa<GraphOp>((*this)->getParentOp());
  bool laneOp = kind == OpKind::Lane || kind == OpKind::Slide;
  if ((laneOp || kind == OpKind::Iota) && !inGraph)
    return emitOpError() << "'" << stringifyOpKind(kind) << "' is only allowed in a dfg.graph";
  if (laneOp != getImmediate().has_value())
    return emitOpError() << "'" << stringifyOpKind(kind)
                         << (laneOp ? "' needs an immediate" : "' has no immediate");
  if (auto distances = getDistances()) {
    if (!inGraph)
      return emitOpError("has distances outside of a dfg.graph");
    if (distances->size() != getInputs().size())
      return emitOpError("has ") << distances->size() << " distances for " << getInputs().size()
                                 << " operands";
  }
  return verifyBeats(*this);
}

LogicalResult CarryOp::verify() {
  if (getDistance() < 1 || getDistance() > isa::MaxFirst)
    return emitOpError("has distance ") << getDistance() << "; allowed are 1 to " << isa::MaxFirst;
  if (getRow() && getDistance() != 1)
    return emitOpError("starts anew in each row and has distance ")
           << getDistance() << "; allowed is 1";
  if (elementOf(getType()) != getInit().getType() ||
      elementOf(getType()) != elementOf(getValue().getType()))
    return emitOpError("carries ") << getValue().getType() << " from " << getInit().getType()
                                   << " as " << getType() << "; the element type must be one";
  return verifyBeats(*this);
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyOperandCount(*this, getOp(), getInputs().size() + 1, operandsOf(getOp()))))
    return failure();
  if (getIdentity().getType() != getType())
    return emitOpError("has an identity of type ")
           << getIdentity().getType() << " and a result of type " << getType();
  for (Operation *user : (*this)->getUsers())
    if (!mlir::isa<YieldOp>(user))
      return emitOpError("is used by '")
             << user->getName() << "'; its value exists only after the loop";
  return verifyBeats(*this);
}

// Terms name loop indices, nest arguments or constants; at most one index each.
static LogicalResult verifyPosition(Operation *op, const Position &position) {
  auto isIndex = [](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && !mlir::isa<NestOp>(argument.getOwner()->getParentOp());
  };
  for (const Term &term : position.terms)
    for (Value value : {term.a, term.b}) {
      if (!value)
        continue;
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        auto loop = dyn_cast<LoopOp>(argument.getOwner()->getParentOp());
        if (loop && argument.getArgNumber() != 0)
          return op->emitOpError("has a carried value in its position; a position is made of "
                                 "loop indices, nest arguments and constants");
      } else if (!value.getDefiningOp<ConstOp>()) {
        return op->emitOpError("has a computed value in its position; a position is made of "
                               "loop indices, nest arguments and constants (an array access "
                               "may have one as its index)");
      }
      if (term.b && isIndex(term.a) && isIndex(term.b))
        return op->emitOpError("multiplies two loop indices in its position");
    }
  return success();
}

template <typename OpT> static LogicalResult verifyAccess(OpT op) {
  if (failed(verifyPosition(op, op.getPosition())))
    return failure();
  return verifyBeats(op);
}

// `elem` is an integer narrower than the integer value.
static LogicalResult verifyElem(Operation *op, std::optional<Type> elem, Type value) {
  if (!elem)
    return success();
  if (!elem->isIntOrIndex() || !elementOf(value).isSignlessInteger() ||
      bitsOf(*elem) >= bitsOf(value) || bitsOf(*elem) < 8)
    return op->emitOpError("has elements of type ")
           << *elem << " for " << value << "; expected a narrower integer of 8 bits or more";
  return success();
}

template <typename OpT> static LogicalResult verifyPortRead(OpT op) {
  if (op.getIsSigned() && !op.getElem())
    return op.emitOpError("is signed and has no 'as' type to extend from");
  if (op.getSplat() && !mlir::isa<GraphOp>(op->getParentOp()))
    return op.emitOpError("is splat outside of a dfg.graph");
  if (failed(verifyElem(op, op.getElem(), op.getType())))
    return failure();
  return verifyAccess(op);
}

LogicalResult StreamReadOp::verify() { return verifyPortRead(*this); }
LogicalResult MemReadOp::verify() { return verifyPortRead(*this); }

template <typename OpT> static LogicalResult verifyPortWrite(OpT op) {
  if (failed(verifyElem(op, op.getElem(), op.getValue().getType())))
    return failure();
  return verifyAccess(op);
}

LogicalResult StreamWriteOp::verify() {
  if (getPredicate() && !getAppend())
    return emitOpError("has a condition and does not append; only what follows without a gap can "
                       "be left out");
  auto graph = (*this)->getParentOfType<GraphOp>();
  if (getAppend() && graph && !graph.getScalar())
    return emitOpError("appends in a graph of lanes; they are sent by whole beats");
  return verifyPortWrite(*this);
}
LogicalResult MemWriteOp::verify() { return verifyPortWrite(*this); }

template <typename OpT> static LogicalResult verifyVrf(OpT op, Type type) {
  ArrayOp array = arrayOf(op);
  if (!array)
    return op.emitOpError("names no array of this handler: '") << op.getArray() << "'";
  if (elementOf(type) != array.getElement())
    return op.emitOpError("has type ")
           << type << "; array '" << op.getArray() << "' holds " << array.getElement();
  bool inGraph = mlir::isa<GraphOp>(op->getParentOp());
  if (op.getVpe() && !op.getVpeOffset())
    return op.emitOpError("has a VPE without its offset");
  if (Value vpe = op.getVpe()) {
    auto argument = dyn_cast<BlockArgument>(vpe);
    auto loop = argument ? dyn_cast<LoopOp>(argument.getOwner()->getParentOp()) : LoopOp();
    if (!loop || argument != loop.getIndex())
      return op.emitOpError("takes the VPE from a value that is no loop index; index the first "
                            "dimension of '")
             << op.getArray() << "' with a loop's index plus a constant";
  }
  if (!inGraph && array.getPerVpe() != op.getVpeOffset().has_value())
    return op.emitOpError("array '")
           << op.getArray()
           << (array.getPerVpe() ? "' is per_vpe: the access needs vpe(..)"
                                 : "' is not per_vpe: the access has no vpe(..)");
  if (bool(op.getIndex()) != op.getIndexScale().has_value())
    return op.emitOpError("needs an index and its scale, or neither");
  if (!op.getIndex() && (op.getLane() || op.getShift() || op.getBits() || op.getZeroLimit()))
    return op.emitOpError("has address generator settings and no index");
  return verifyAccess(op);
}

LogicalResult VrfReadOp::verify() { return verifyVrf(*this, getType()); }
LogicalResult VrfWriteOp::verify() { return verifyVrf(*this, getValue().getType()); }
