// Building the integer operations that surround a launch.
#include "backend/codegen/MProgram.h"

#include <algorithm>

namespace acis::codegen {

unsigned ScalarCode::add(ScalarNode node) {
  auto known = std::find(nodes.begin(), nodes.end(), node);
  if (known != nodes.end())
    return known - nodes.begin();
  nodes.push_back(std::move(node));
  return nodes.size() - 1;
}

unsigned ScalarCode::constant(uint64_t value, unsigned bits) {
  uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  ScalarNode node;
  node.kind = ScalarNode::Kind::Const;
  node.bits = bits;
  node.value = value & mask;
  return add(node);
}

unsigned ScalarCode::arg(unsigned index, unsigned bits) {
  ScalarNode node;
  node.kind = ScalarNode::Kind::Arg;
  node.bits = bits;
  node.value = index;
  return add(node);
}

bool ScalarCode::isConstant(unsigned node, uint64_t &value) const {
  value = nodes[node].value;
  return nodes[node].kind == ScalarNode::Kind::Const;
}

unsigned ScalarCode::sum(unsigned a, unsigned b) {
  uint64_t x, y;
  bool xConst = isConstant(a, x), yConst = isConstant(b, y);
  if (xConst && yConst)
    return constant(x + y);
  if (xConst && x == 0)
    return b;
  if (yConst && y == 0)
    return a;
  ScalarNode node;
  node.kind = ScalarNode::Kind::Compute;
  node.op = isa::Op::Add;
  node.operands = {a, b};
  return add(node);
}

unsigned ScalarCode::product(unsigned a, unsigned b) {
  uint64_t x, y;
  bool xConst = isConstant(a, x), yConst = isConstant(b, y);
  if (xConst && yConst)
    return constant(x * y);
  if ((xConst && x == 0) || (yConst && y == 0))
    return constant(0);
  if (xConst && x == 1)
    return b;
  if (yConst && y == 1)
    return a;
  ScalarNode node;
  node.kind = ScalarNode::Kind::Compute;
  node.op = isa::Op::Mul;
  node.operands = {a, b};
  return add(node);
}

} // namespace acis::codegen
