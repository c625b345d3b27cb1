// See NewAccess.h.
#include "passes/dfg/transforms/NewAccess.h"

using namespace mlir;

namespace acis::dfg {

OperationState newAccess(Location loc, StringRef name, OpBuilder &builder) {
  OperationState state(loc, name);
  state.addAttribute("offset", builder.getI64IntegerAttr(0));
  state.addAttribute("scales", builder.getDenseI64ArrayAttr({}));
  state.addAttribute("arity", builder.getDenseI32ArrayAttr({}));
  return state;
}

OperationState newArrayAccess(Location loc, StringRef name, FlatSymbolRefAttr array,
                              const ArrayOperands &operands, OpBuilder &builder) {
  OperationState state = newAccess(loc, name, builder);
  SmallVector<int32_t> segments;
  auto add = [&](Value value) {
    segments.push_back(value ? 1 : 0);
    if (value)
      state.addOperands(value);
  };
  if (operands.data)
    add(operands.data);
  segments.append({0, 0}); // vpe, terms
  add(operands.index);
  if (operands.data)
    add(operands.predicate);
  else
    state.addTypes(operands.read);
  state.addAttribute("operandSegmentSizes", builder.getDenseI32ArrayAttr(segments));
  state.addAttribute("array", array);
  return state;
}

OperationState newWrite(Location loc, StringRef name, Value data, Value predicate,
                        OpBuilder &builder) {
  OperationState state = newAccess(loc, name, builder);
  state.addOperands(data);
  if (predicate)
    state.addOperands(predicate);
  state.addAttribute("operandSegmentSizes",
                     builder.getDenseI32ArrayAttr({1, 0, predicate ? 1 : 0}));
  return state;
}

void setUp(AccessOpInterface made, AccessOpInterface from, const Position &at, StringRef also) {
  made.setPosition(at);
  for (StringRef name : {StringRef("elem"), StringRef("is_signed"), StringRef("guarded"), also})
    if (Attribute attr = from->getAttr(name))
      made->setAttr(name, attr);
}

} // namespace acis::dfg
