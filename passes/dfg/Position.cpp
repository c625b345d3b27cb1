// Arithmetic on positions and their text form.
#include "passes/dfg/Position.h"
#include "passes/dfg/DfgDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace acis::dfg;

static bool sameFactors(const Term &x, const Term &y) {
  return (x.a == y.a && x.b == y.b) || (x.a == y.b && x.b == y.a);
}

void Position::simplify() {
  SmallVector<Term, 4> kept;
  for (Term term : terms) {
    for (Value *factor : {&term.b, &term.a}) {
      if (!*factor)
        continue;
      if (std::optional<int64_t> c = constantOf(*factor)) {
        term.scale *= *c;
        *factor = {};
      }
    }
    if (!term.a)
      std::swap(term.a, term.b);
    if (!term.a) {
      offset += term.scale;
      continue;
    }
    auto *same = llvm::find_if(kept, [&](const Term &k) { return sameFactors(k, term); });
    if (same != kept.end())
      same->scale += term.scale;
    else
      kept.push_back(term);
  }
  llvm::erase_if(kept, [](const Term &t) { return t.scale == 0; });
  terms = std::move(kept);
}

int64_t Position::coefficient(Value index) const {
  int64_t sum = 0;
  for (const Term &term : terms)
    if (term.a == index && !term.b)
      sum += term.scale;
  return sum;
}

const Term *Position::productWith(Value index) const {
  for (const Term &term : terms)
    if (term.b && (term.a == index || term.b == index))
      return &term;
  return nullptr;
}

void Position::remove(Value index) {
  llvm::erase_if(terms, [&](const Term &t) { return t.a == index && !t.b; });
}

void Position::substitute(Value index, Value value, int64_t scale, int64_t shift) {
  SmallVector<Term, 4> result;
  for (Term term : terms) {
    if (term.b == index)
      std::swap(term.a, term.b);
    if (term.a != index) {
      result.push_back(term);
      continue;
    }
    assert(term.b != index && "a loop index times itself is not affine");
    if (value)
      result.push_back({term.scale * scale, value, term.b});
    if (shift == 0)
      continue;
    if (term.b)
      result.push_back({term.scale * shift, term.b, {}});
    else
      offset += term.scale * shift;
  }
  terms = std::move(result);
  simplify();
}

bool Position::sameTerms(const Position &other) const {
  return terms.size() == other.terms.size() && llvm::all_of(terms, [&](const Term &t) {
           return llvm::any_of(
               other.terms, [&](const Term &o) { return o.scale == t.scale && sameFactors(o, t); });
         });
}

bool Position::operator==(const Position &other) const {
  return offset == other.offset && sameTerms(other);
}

PositionParts acis::dfg::splitPosition(const Position &position) {
  PositionParts parts;
  for (const Term &term : position.terms) {
    parts.terms.push_back(term.a);
    if (term.b)
      parts.terms.push_back(term.b);
    parts.scales.push_back(term.scale);
    parts.arity.push_back(term.b ? 2 : 1);
  }
  return parts;
}

Position acis::dfg::readPosition(ValueRange terms, int64_t offset, ArrayRef<int64_t> scales,
                                 ArrayRef<int32_t> arity) {
  Position position;
  position.offset = offset;
  unsigned next = 0;
  for (auto [scale, factors] : llvm::zip(scales, arity)) {
    position.terms.push_back({scale, terms[next], factors == 2 ? terms[next + 1] : Value()});
    next += factors;
  }
  return position;
}

// One product: values and integers in any order, at most two values.
static ParseResult parseProduct(OpAsmParser &parser,
                                SmallVectorImpl<OpAsmParser::UnresolvedOperand> &terms,
                                int64_t &scale, int32_t &values) {
  scale = 1;
  values = 0;
  do {
    int64_t number = 0;
    OptionalParseResult integer = parser.parseOptionalInteger(number);
    if (integer.has_value()) {
      if (*integer)
        return failure();
      scale *= number;
      continue;
    }
    SMLoc loc = parser.getCurrentLocation();
    OpAsmParser::UnresolvedOperand value;
    if (parser.parseOperand(value))
      return failure();
    if (++values > 2)
      return parser.emitError(loc, "a term of a position has at most two values");
    terms.push_back(value);
  } while (succeeded(parser.parseOptionalStar()));
  return success();
}

ParseResult acis::dfg::parsePosition(OpAsmParser &parser,
                                     SmallVectorImpl<OpAsmParser::UnresolvedOperand> &terms,
                                     IntegerAttr &offset, DenseI64ArrayAttr &scales,
                                     DenseI32ArrayAttr &arity) {
  SmallVector<int64_t> scaleList;
  SmallVector<int32_t> arityList;
  int64_t constant = 0;
  do {
    int64_t scale = 0;
    int32_t values = 0;
    if (parseProduct(parser, terms, scale, values))
      return failure();
    if (values == 0) {
      constant += scale;
      continue;
    }
    scaleList.push_back(scale);
    arityList.push_back(values);
  } while (succeeded(parser.parseOptionalPlus()));
  Builder &builder = parser.getBuilder();
  offset = builder.getI64IntegerAttr(constant);
  scales = builder.getDenseI64ArrayAttr(scaleList);
  arity = builder.getDenseI32ArrayAttr(arityList);
  return success();
}

void acis::dfg::printPosition(OpAsmPrinter &printer, Operation *, OperandRange terms,
                              IntegerAttr offset, DenseI64ArrayAttr scales,
                              DenseI32ArrayAttr arity) {
  Position position = readPosition(terms, offset.getInt(), scales.asArrayRef(), arity.asArrayRef());
  for (const Term &term : position.terms) {
    if (&term != position.terms.begin())
      printer << " + ";
    printer << term.a;
    if (term.b)
      printer << " * " << term.b;
    if (term.scale != 1)
      printer << " * " << term.scale;
  }
  if (position.terms.empty())
    printer << position.offset;
  else if (position.offset != 0)
    printer << " + " << position.offset;
}

ParseResult acis::dfg::parseVpe(OpAsmParser &parser,
                                std::optional<OpAsmParser::UnresolvedOperand> &vpe,
                                IntegerAttr &offset) {
  if (failed(parser.parseOptionalKeyword("vpe")))
    return success();
  int64_t constant = 0;
  if (parser.parseLParen())
    return failure();
  OpAsmParser::UnresolvedOperand value;
  OptionalParseResult operand = parser.parseOptionalOperand(value);
  if (operand.has_value()) {
    if (*operand)
      return failure();
    vpe = value;
    if (succeeded(parser.parseOptionalPlus()) && parser.parseInteger(constant))
      return failure();
  } else if (parser.parseInteger(constant)) {
    return failure();
  }
  offset = parser.getBuilder().getI64IntegerAttr(constant);
  return parser.parseRParen();
}

void acis::dfg::printVpe(OpAsmPrinter &printer, Operation *, Value vpe, IntegerAttr offset) {
  if (!offset)
    return;
  printer << "vpe(";
  if (vpe)
    printer << vpe;
  if (vpe && offset.getInt() != 0)
    printer << " + ";
  if (!vpe || offset.getInt() != 0)
    printer << offset.getInt();
  printer << ")";
}
