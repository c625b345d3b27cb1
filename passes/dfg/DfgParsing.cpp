// Text form and builders of the ops with regions: nest, loop and graph.
#include "passes/dfg/DfgDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace acis::dfg;

using Argument = OpAsmParser::Argument;

// `%n` or `16`, after `keyword`.
static ParseResult parseTrip(OpAsmParser &parser, StringRef keyword, OperationState &result,
                             StringRef attribute, bool &isValue) {
  int64_t constant = 0;
  if (parser.parseKeyword(keyword))
    return failure();
  OptionalParseResult integer = parser.parseOptionalInteger(constant);
  isValue = !integer.has_value();
  if (!isValue) {
    if (*integer)
      return failure();
    result.addAttribute(attribute, parser.getBuilder().getI64IntegerAttr(constant));
    return success();
  }
  OpAsmParser::UnresolvedOperand trip;
  return failure(parser.parseOperand(trip) ||
                 parser.resolveOperand(trip, parser.getBuilder().getI32Type(), result.operands));
}

template <typename OpT> static void printTrip(OpAsmPrinter &printer, OpT op) {
  if (op.getTrip())
    printer << op.getTrip();
  else
    printer << op.getConstantTrip().value_or(0);
}

//===- nest ---------------------------------------------------------------===//

void NestOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type) {
  state.addAttribute(getSymNameAttrName(state.name), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  Block &block = state.addRegion()->emplaceBlock();
  for (Type input : type.getInputs())
    block.addArgument(input, state.location);
}

ParseResult NestOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<Argument> arguments;
  SmallVector<Type> inputs, results;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name), result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true))
    return failure();
  if (succeeded(parser.parseOptionalArrow()) &&
      (parser.parseLParen() || parser.parseTypeList(results) || parser.parseRParen()))
    return failure();
  for (const Argument &argument : arguments)
    inputs.push_back(argument.type);
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(parser.getBuilder().getFunctionType(inputs, results)));
  return failure(parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
                 parser.parseRegion(*result.addRegion(), arguments));
}

void NestOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  llvm::interleaveComma(getBody().getArguments(), printer,
                        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ')';
  if (!getFunctionType().getResults().empty()) {
    printer << " -> (";
    llvm::interleaveComma(getFunctionType().getResults(), printer);
    printer << ')';
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getSymNameAttrName(), getFunctionTypeAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

// Arguments keep the names that the importer gave them by location.
static void nameArguments(Region &region, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    if (StringRef name = nameOf(argument.getLoc(), ""); !name.empty())
      setName(argument, name);
}

void NestOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameArguments(region, setName);
}

//===- loop ---------------------------------------------------------------===//

static void buildLoopBody(OpBuilder &builder, OperationState &state, ValueRange inits) {
  Block &block = state.addRegion()->emplaceBlock();
  block.addArgument(builder.getI32Type(), state.location);
  for (Value init : inits) {
    block.addArgument(init.getType(), init.getLoc());
    state.addTypes(init.getType());
  }
  state.addOperands(inits);
}

void LoopOp::build(OpBuilder &builder, OperationState &state, Value trip, ValueRange inits) {
  state.addOperands(trip);
  buildLoopBody(builder, state, inits);
  state.addAttribute(getOperandSegmentSizesAttrName(state.name),
                     builder.getDenseI32ArrayAttr({1, int32_t(inits.size())}));
}

void LoopOp::build(OpBuilder &builder, OperationState &state, int64_t trip, ValueRange inits) {
  state.addAttribute(getConstantTripAttrName(state.name), builder.getI64IntegerAttr(trip));
  buildLoopBody(builder, state, inits);
  state.addAttribute(getOperandSegmentSizesAttrName(state.name),
                     builder.getDenseI32ArrayAttr({0, int32_t(inits.size())}));
}

ParseResult LoopOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<Argument> arguments(1);
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  bool tripIsValue = false;
  if (parser.parseArgument(arguments[0]) ||
      parseTrip(parser, "to", result, getConstantTripAttrName(result.name), tripIsValue))
    return failure();
  arguments[0].type = parser.getBuilder().getI32Type();
  if (succeeded(parser.parseOptionalKeyword("iter_args"))) {
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseAssignmentList(arguments, inits) || parser.parseArrow() ||
        parser.parseLParen() || parser.parseTypeList(result.types) || parser.parseRParen() ||
        parser.resolveOperands(inits, result.types, loc, result.operands))
      return failure();
    for (auto [argument, type] : llvm::zip(llvm::drop_begin(arguments), result.types))
      argument.type = type;
  }
  result.addAttribute(
      getOperandSegmentSizesAttrName(result.name),
      parser.getBuilder().getDenseI32ArrayAttr({int32_t(tripIsValue), int32_t(inits.size())}));
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), arguments))
    return failure();
  Block &block = result.regions[0]->front();
  if (block.empty() || !block.back().hasTrait<OpTrait::IsTerminator>()) {
    OpBuilder builder(parser.getContext());
    builder.setInsertionPointToEnd(&block);
    YieldOp::create(builder, result.location);
  }
  return success();
}

void LoopOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getIndex() << " to ";
  printTrip(printer, *this);
  if (!getInits().empty()) {
    printer << " iter_args(";
    llvm::interleaveComma(llvm::zip(getCarried(), getInits()), printer, [&](auto pair) {
      printer << std::get<0>(pair) << " = " << std::get<1>(pair);
    });
    printer << ") -> (";
    llvm::interleaveComma(getResultTypes(), printer);
    printer << ')';
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getConstantTripAttrName(), getOperandSegmentSizesAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/!getInits().empty());
}

void LoopOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameArguments(region, setName);
}

//===- graph --------------------------------------------------------------===//

ParseResult GraphOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<Argument> arguments;
  bool tripIsValue = false;
  Builder &builder = parser.getBuilder();
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren) ||
      parseTrip(parser, "trip", result, getConstantTripAttrName(result.name), tripIsValue))
    return failure();
  for (Argument &argument : arguments)
    argument.type = builder.getI32Type();
  for (StringRef name : {"inner", "per", "vf", "lane_bits"}) {
    int32_t number = 0;
    if (parser.parseKeyword(name) || parser.parseInteger(number))
      return failure();
    result.addAttribute(name, builder.getI32IntegerAttr(number));
  }
  if (succeeded(parser.parseOptionalArrow()) &&
      (parser.parseLParen() || parser.parseTypeList(result.types) || parser.parseRParen()))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), arguments))
    return failure();
  Block &block = result.regions[0]->front();
  if (block.empty() || !block.back().hasTrait<OpTrait::IsTerminator>()) {
    OpBuilder builder(parser.getContext());
    builder.setInsertionPointToEnd(&block);
    YieldOp::create(builder, result.location);
  }
  return success();
}

void GraphOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(getBody().getArguments(), printer);
  printer << ") trip ";
  printTrip(printer, *this);
  printer << " inner " << getInner() << " per " << getPer() << " vf " << getVf() << " lane_bits "
          << getLaneBits();
  if (getNumResults()) {
    printer << " -> (";
    llvm::interleaveComma(getResultTypes(), printer);
    printer << ')';
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getConstantTripAttrName(), getInnerAttrName(), getPerAttrName(),
                            getVfAttrName(), getLaneBitsAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/getNumResults() != 0);
}

void GraphOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  static constexpr StringLiteral names[] = {"i0", "i1", "vpe"};
  for (auto [argument, name] : llvm::zip(region.getArguments(), names))
    setName(argument, name);
}
