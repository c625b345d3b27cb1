// Builds mapping problems node by node, as the suite's loops are written down.
#pragma once

#include "passes/mapper/Problem.h"

#include <initializer_list>
#include <string>

namespace acis::map::suite {

class GraphBuilder {
public:
  Problem problem;

  unsigned node(NodeKind kind, std::string name, std::optional<unsigned> pe = {},
                UnitClass unit = UnitClass::Integer);
  /// An operation; operand k of it is values[k].
  unsigned op(const std::string &name, std::initializer_list<unsigned> values,
              UnitClass unit = UnitClass::Integer);
  unsigned fop(const std::string &name, std::initializer_list<unsigned> values) {
    return op(name, values, UnitClass::Float);
  }
  /// A register-file read at an affine address, or at the address that `index` gives.
  unsigned load(const std::string &name);
  unsigned load(const std::string &name, unsigned index);
  unsigned store(const std::string &name, unsigned data);
  unsigned store(const std::string &name, unsigned data, unsigned index);
  unsigned streamIn() { return node(NodeKind::StreamIn, "in"); }
  unsigned streamOut(unsigned data);

  void value(unsigned from, unsigned to, unsigned operand, unsigned distance = 0);
  void order(unsigned from, unsigned to, unsigned latency, unsigned distance);
  /// The value of `from`, `distance` iterations ago, as the next free operand of `to`.
  void carry(unsigned from, unsigned to, unsigned distance = 1);
};

} // namespace acis::map::suite
