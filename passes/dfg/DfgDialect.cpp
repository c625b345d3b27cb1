// Registration, attributes, and small questions about operations and types.
#include "passes/dfg/DfgDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

#include "passes/dfg/DfgDialect.cpp.inc"
#include "passes/dfg/DfgEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "passes/dfg/DfgAttrs.cpp.inc"

// DfgAttrs.td repeats the names of Ops.def, because TableGen cannot read it.
#define ACIS_OP(Name, Mnemonic, Class, Operands)                                                   \
  static_assert(unsigned(OpKind::Name) == unsigned(isa::Op::Name),                                 \
                "DfgAttrs.td and Ops.def list " #Name " at different places");
#include "backend/isa/Ops.def"

void DfgDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "passes/dfg/DfgAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "passes/dfg/DfgOps.cpp.inc"
      >();
}

UnitClass dfg::unitOf(OpKind op) {
  static constexpr UnitClass classes[] = {
#define ACIS_OP(Name, Mnemonic, Class, Operands) UnitClass::Class,
#include "backend/isa/Ops.def"
  };
  return classes[unsigned(op)];
}

Extras dfg::extrasOf(OpKind op) {
  const bool moves = op == OpKind::Iota || op == OpKind::Lane || op == OpKind::Slide;
  return moves ? extra::Moves : op == OpKind::Fma ? extra::Fused : 0;
}

bool dfg::needsGather(Operation *access) {
  auto graph = access->getParentOfType<GraphOp>();
  if (!graph || graph.getScalar())
    return false;
  if (auto lane = access->getAttrOfType<IntegerAttr>("lane"))
    return lane.getInt() != 0;
  if (auto read = dyn_cast<VrfReadOp>(access))
    return bool(read.getIndex());
  auto write = dyn_cast<VrfWriteOp>(access);
  return write && write.getIndex();
}

unsigned dfg::operandsOf(OpKind op) {
  static constexpr uint8_t operands[] = {
#define ACIS_OP(Name, Mnemonic, Class, Operands) Operands,
#include "backend/isa/Ops.def"
  };
  return operands[unsigned(op)];
}

bool dfg::isCompare(OpKind op) {
  return (op >= OpKind::Eq && op <= OpKind::Ule) || (op >= OpKind::Feq && op <= OpKind::Fle);
}

Type dfg::elementOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getElementType() : type;
}

unsigned dfg::bitsOf(Type type) { return elementOf(type).getIntOrFloatBitWidth(); }

std::optional<int64_t> dfg::constantOf(Value value) {
  auto constant = value.getDefiningOp<ConstOp>();
  if (!constant)
    return std::nullopt;
  if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
    return integer.getValue().getSExtValue();
  return std::nullopt;
}

StringRef dfg::nameOf(Location loc, StringRef otherwise) {
  StringRef name = otherwise;
  loc->walk([&](Location part) {
    auto named = dyn_cast<NameLoc>(part);
    if (!named)
      return WalkResult::advance();
    name = named.getName().getValue();
    return WalkResult::interrupt();
  });
  return name;
}

//===- #dfg.route ---------------------------------------------------------===//

static constexpr StringLiteral placeNames[] = {"bus", "link", "reg"};

Attribute RouteAttr::parse(AsmParser &parser, Type) {
  SmallVector<unsigned> words;
  auto parseStep = [&]() -> ParseResult {
    unsigned pe = 0, time = 0, index = 0;
    StringRef name;
    // '@' followed by a digit is not a token of MLIR, hence the colon.
    if (parser.parseInteger(pe) || parser.parseColon() || parser.parseInteger(time) ||
        parser.parseKeyword(&name))
      return failure();
    const auto *place = llvm::find(placeNames, name);
    if (place == std::end(placeNames))
      return parser.emitError(parser.getCurrentLocation())
             << "a route has no place '" << name << "'; places are bus, link and reg";
    if (place != placeNames && parser.parseInteger(index))
      return failure();
    words.append({pe, time, unsigned(place - placeNames), index});
    return success();
  };
  unsigned delay = 0;
  if (parser.parseLess())
    return {};
  if (failed(parser.parseOptionalGreater())) {
    if (parser.parseCommaSeparatedList(parseStep))
      return {};
    if (succeeded(parser.parseOptionalKeyword("delay")) && parser.parseInteger(delay))
      return {};
    if (parser.parseGreater())
      return {};
  }
  return RouteAttr::get(parser.getContext(), words, delay);
}

void RouteAttr::print(AsmPrinter &printer) const {
  printer << "<";
  ArrayRef<unsigned> words = getWords();
  for (size_t i = 0; i < words.size(); i += 4) {
    if (i)
      printer << ", ";
    printer << words[i] << ":" << words[i + 1] << " " << placeNames[words[i + 2]];
    if (words[i + 2] != 0)
      printer << " " << words[i + 3];
  }
  if (getDelay())
    printer << " delay " << getDelay();
  printer << ">";
}

LogicalResult RouteAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<unsigned> words, unsigned) {
  if (words.size() % 4)
    return emitError() << "a route has " << words.size() << " numbers; a step has 4";
  for (size_t i = 2; i < words.size(); i += 4)
    if (words[i] > 2)
      return emitError() << "a route has place " << words[i] << "; places are 0 to 2";
  return success();
}
