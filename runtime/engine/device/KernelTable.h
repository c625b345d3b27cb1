// Builds a table of element loops for a range of operations. Included by the
// Kernel*.cpp files only, each of which instantiates one range.
#pragma once

#include "runtime/engine/device/Element.h"

#include <array>
#include <cstring>
#include <utility>

namespace acis::element {

inline constexpr unsigned NumTypes = 6;

/// Typing rule of one operation, known at compile time.
constexpr bool typesAllowed(isa::Op op, isa::Type type, isa::Type from, unsigned laneBits) {
  using isa::Op;
  if (bits(type) > laneBits)
    return false;
  switch (op) {
  case Op::Nop:
    return false;
  case Op::Mov:
  case Op::Select:
  case Op::Lane:
  case Op::Slide:
    return true;
  case Op::Sext:
    return !isFloat(type) && !isFloat(from) && bits(from) <= laneBits;
  case Op::Sitofp:
  case Op::Uitofp:
    return isFloat(type) && !isFloat(from) && bits(from) <= laneBits;
  case Op::Fptosi:
  case Op::Fptoui:
    return !isFloat(type) && isFloat(from) && bits(from) <= laneBits;
  case Op::Fpconv:
    return isFloat(type) && isFloat(from) && bits(from) <= laneBits;
  case Op::Fdiv:
  case Op::Fsqrt:
    return isFloat(type);
  default:
    return isFloat(type) == (op >= Op::Fadd && op <= Op::Fle);
  }
}
constexpr bool usesFrom(isa::Op op) {
  return op == isa::Op::Sext || (op >= isa::Op::Sitofp && op <= isa::Op::Fpconv);
}
/// Number of operands that the loop reads.
constexpr unsigned operandsOf(isa::Op op) {
  switch (op) {
#define ACIS_OP(Name, Mnemonic, Class, Operands)                                                   \
  case isa::Op::Name:                                                                              \
    return Operands;
#include "backend/isa/Ops.def"
  }
  return 0;
}

/// A chunk is computed before it is stored, so that the compiler makes vector code of it
/// even where dst is an operand.
template <isa::Op O, isa::Type T, isa::Type From, typename C>
void loop(C *dst, const C *a, const C *b, const C *c, size_t n) {
  auto element = [&](size_t i) {
    const C y = operandsOf(O) > 1 ? b[i] : C(0), z = operandsOf(O) > 2 ? c[i] : C(0);
    return apply<O, T, From, C>(a[i], y, z);
  };
  constexpr size_t chunk = 64 / sizeof(C);
  size_t i = 0;
  for (; i + chunk <= n; i += chunk) {
    C results[chunk];
    for (size_t k = 0; k < chunk; ++k)
      results[k] = element(i + k);
    std::memcpy(dst + i, results, sizeof results);
  }
  for (; i < n; ++i)
    dst[i] = element(i);
}

template <typename C, isa::Op O, isa::Type T, isa::Type From> constexpr Kernel<C> entry() {
  if constexpr (typesAllowed(O, T, From, sizeof(C) * 8) && (usesFrom(O) || From == isa::Type::I8))
    return &loop<O, T, From, C>;
  else
    return nullptr;
}

template <typename C> using OpTable = std::array<Kernel<C>, NumTypes * NumTypes>;

template <typename C, isa::Op O, size_t... I>
constexpr OpTable<C> opTable(std::index_sequence<I...>) {
  return {entry<C, O, isa::Type(I / NumTypes), isa::Type(I % NumTypes)>()...};
}
template <typename C, isa::Op First, size_t... I> constexpr auto tables(std::index_sequence<I...>) {
  return std::array<OpTable<C>, sizeof...(I)>{
      opTable<C, isa::Op(unsigned(First) + I)>(std::make_index_sequence<NumTypes * NumTypes>())...};
}

/// Looks an operation of [First, Last] up.
template <typename C, isa::Op First, isa::Op Last>
Kernel<C> find(isa::Op op, isa::Type type, isa::Type from) {
  static constexpr auto all =
      tables<C, First>(std::make_index_sequence<unsigned(Last) - unsigned(First) + 1>());
  const unsigned fromIndex = usesFrom(op) ? unsigned(from) : 0;
  return all[unsigned(op) - unsigned(First)][unsigned(type) * NumTypes + fromIndex];
}

template <typename C> Kernel<C> integerKernel(isa::Op, isa::Type, isa::Type);
template <typename C> Kernel<C> convertKernel(isa::Op, isa::Type, isa::Type);
template <typename C> Kernel<C> floatKernel(isa::Op, isa::Type, isa::Type);
template <typename C> Kernel<C> divideKernel(isa::Op, isa::Type, isa::Type);

} // namespace acis::element
