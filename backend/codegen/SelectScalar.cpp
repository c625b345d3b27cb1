// Numbers of the scalar unit: values outside of graphs, positions, trip counts.
#include "backend/codegen/SelectInternal.h"
#include "passes/dfg/NestLocation.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace acis::codegen {

bool sourceLine(mlir::Location loc, std::string &file, unsigned &line, unsigned &column) {
  if (auto place = llvm::dyn_cast<mlir::FileLineColLoc>(loc)) {
    file = place.getFilename().str();
    line = place.getLine();
    column = place.getColumn();
    return true;
  }
  if (auto name = llvm::dyn_cast<mlir::NameLoc>(loc))
    return sourceLine(name.getChildLoc(), file, line, column);
  if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(loc))
    return sourceLine(call.getCallee(), file, line, column);
  if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(loc))
    for (mlir::Location part : fused.getLocations())
      if (sourceLine(part, file, line, column))
        return true;
  return false;
}

llvm::Error failAt(mlir::Operation *op, Refusal refusal) {
  std::string file;
  unsigned line = 0, column = 0;
  // What has no line is at the line of the loop or the handler that it is in.
  const std::string nest = op ? dfg::nestOf(op->getLoc()) : "";
  while (op && !sourceLine(op->getLoc(), file, line, column))
    op = op->getParentOp();
  return llvm::make_error<SourceError>(file, line, column, std::move(refusal), nest);
}

llvm::Error faultAt(mlir::Operation *op, const llvm::Twine &what) {
  return failAt(op, fault(what.str()));
}

isa::Type typeOf(mlir::Type type) {
  type = dfg::elementOf(type);
  if (type.isF32())
    return isa::Type::F32;
  if (type.isF64())
    return isa::Type::F64;
  switch (type.getIntOrFloatBitWidth()) {
  case 64:
    return isa::Type::I64;
  case 32:
    return isa::Type::I32;
  case 16:
    return isa::Type::I16;
  default:
    return isa::Type::I8;
  }
}

uint64_t bitsOfConstant(mlir::Attribute value) {
  if (auto number = llvm::dyn_cast<mlir::FloatAttr>(value))
    return number.getValue().bitcastToAPInt().getZExtValue();
  return llvm::cast<mlir::IntegerAttr>(value).getValue().getZExtValue();
}

llvm::Expected<unsigned> ScalarBuilder::node(mlir::Value value) {
  auto it = known.find(value);
  if (it != known.end())
    return it->second;
  unsigned bits = dfg::bitsOf(value.getType());
  mlir::Operation *op = value.getDefiningOp();
  unsigned made = 0;
  if (!op) {
    made = code.arg(llvm::cast<mlir::BlockArgument>(value).getArgNumber(), bits);
  } else if (auto constant = llvm::dyn_cast<dfg::ConstOp>(op)) {
    made = code.constant(bitsOfConstant(constant.getValue()), bits);
  } else if (llvm::isa<dfg::GraphOp>(op)) {
    ScalarNode result;
    result.kind = ScalarNode::Kind::Result;
    result.bits = bits;
    result.value = llvm::cast<mlir::OpResult>(value).getResultNumber();
    made = code.add(result);
  } else if (auto compute = llvm::dyn_cast<dfg::ComputeOp>(op)) {
    llvm::Expected<unsigned> inner = this->compute(compute);
    if (!inner)
      return inner;
    made = *inner;
  } else {
    return faultAt(op, "'" + op->getName().getStringRef() +
                           "' outside of a graph; the scalar unit cannot do it");
  }
  known[value] = made;
  return made;
}

llvm::Expected<unsigned> ScalarBuilder::compute(dfg::ComputeOp op) {
  using dfg::OpKind;
  OpKind kind = op.getOp();
  bool possible = dfg::unitOf(kind) == UnitClass::Integer && kind != OpKind::Iota &&
                  kind != OpKind::Lane && kind != OpKind::Slide && kind != OpKind::Nop;
  if (!possible)
    return failAt(op, Refusal(Why::NotScalar, dfg::stringifyOpKind(kind)));
  ScalarNode made;
  made.kind = ScalarNode::Kind::Compute;
  made.op = static_cast<isa::Op>(kind);
  made.bits = dfg::bitsOf(op.getType());
  for (mlir::Value input : op.getInputs()) {
    llvm::Expected<unsigned> operand = node(input);
    if (!operand)
      return operand;
    made.operands.push_back(*operand);
  }
  return code.add(made);
}

namespace {

/// What a term multiplies: one of the graph's indices and a rest of outer values.
struct Factors {
  mlir::Value index, rest;
  bool isSquare = false; ///< two indices
};

Factors factorsOf(dfg::GraphOp graph, const dfg::Term &term) {
  auto isIndex = [&](mlir::Value value) {
    auto argument = llvm::dyn_cast_if_present<mlir::BlockArgument>(value);
    return argument && argument.getOwner() == graph.getBlock();
  };
  bool a = isIndex(term.a), b = isIndex(term.b);
  if (a && b)
    return {term.a, term.b, true};
  if (b)
    return {term.b, term.a, false};
  if (a)
    return {term.a, term.b, false};
  return {};
}

} // namespace

llvm::Expected<SplitPosition> splitPosition(dfg::GraphOp graph, mlir::Operation *access,
                                            const dfg::Position &position, unsigned unit,
                                            ScalarBuilder &scalars) {
  ScalarCode &code = scalars.code;
  auto notAligned = [&] { return failAt(access, Refusal(Why::LanesPosition, unit)); };
  SplitPosition split;
  if (position.offset % unit)
    return notAligned();
  split.offset = position.offset / unit;
  split.vpeStride = code.constant(0);
  for (const dfg::Term &term : position.terms) {
    if (term.scale % int64_t(unit))
      return notAligned();
    int64_t scale = term.scale / int64_t(unit);
    Factors factors = factorsOf(graph, term);
    bool isVpe = factors.index && factors.index == graph.getVpe();
    if (factors.isSquare || (factors.index && factors.rest && !isVpe))
      return failAt(access, Refusal(Why::PositionStep));
    if (factors.index == graph.getI0() && factors.index) {
      split.stride0 += scale;
      continue;
    }
    if (factors.index == graph.getI1() && factors.index) {
      split.stride1 += scale;
      continue;
    }
    unsigned product = code.constant(scale);
    for (mlir::Value value : {isVpe ? mlir::Value() : term.a, isVpe ? factors.rest : term.b}) {
      if (!value)
        continue;
      llvm::Expected<unsigned> node = scalars.node(value);
      if (!node)
        return node.takeError();
      product = code.product(product, *node);
    }
    if (isVpe)
      split.vpeStride = code.sum(split.vpeStride, product);
    else
      split.base = split.base ? code.sum(*split.base, product) : product;
  }
  return split;
}

llvm::Error buildTrip(dfg::GraphOp graph, ScalarBuilder &scalars, LaunchInfo &launch) {
  ScalarCode &code = scalars.code;
  uint64_t per = graph.getPer(), inner = graph.getInner();
  if (std::optional<uint64_t> trip = graph.getConstantTrip()) {
    launch.iterations = code.constant((*trip + per - 1) / per * inner);
    launch.tail = code.constant(*trip % per);
    return llvm::Error::success();
  }
  llvm::Expected<unsigned> trip = scalars.node(graph.getTrip());
  if (!trip)
    return trip.takeError();
  auto compute = [&](isa::Op op, unsigned a, unsigned b) {
    ScalarNode node;
    node.kind = ScalarNode::Kind::Compute;
    node.op = op;
    node.operands = {a, b};
    return code.add(node);
  };
  unsigned iterations = *trip;
  launch.tail = code.constant(0);
  if (per > 1) {
    // Not (trip + per - 1) / per, which overflows for the largest counts.
    unsigned divisor = code.constant(per);
    launch.tail = compute(isa::Op::Urem, *trip, divisor);
    unsigned partial = compute(isa::Op::Ne, launch.tail, code.constant(0));
    iterations = code.sum(compute(isa::Op::Udiv, *trip, divisor), partial);
  }
  launch.iterations = code.product(iterations, code.constant(inner));
  return llvm::Error::success();
}

unsigned ArgTable::word(Word word) {
  auto it = llvm::find(words, word);
  if (it == words.end())
    it = words.insert(words.end(), word);
  return it - words.begin();
}

unsigned ArgTable::wide(unsigned node) {
  for (size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == Word{node, false} && words[i + 1] == Word{node, true})
      return i;
  words.push_back({node, false});
  words.push_back({node, true});
  return words.size() - 2;
}

} // namespace acis::codegen
