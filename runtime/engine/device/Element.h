// What an operation of backend/isa/Ops.def computes: one definition for both
// engines and for every test that wants it.
//
// A lane is a container C of 32 or 64 bits (uint32_t, uint64_t). Elements narrower
// than their container are zero-extended. Three levels:
//   apply<Op, Type, From, C>   one element, everything known at compile time
//   kernel<C>()                a loop over n elements, chosen at run time
//   evaluateBeat()             one beat of a slot, lane moves included
#pragma once

#include "backend/isa/Context.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

// A product and a sum are rounded separately unless the operation is fma.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

namespace acis::element {

template <isa::Type T>
inline constexpr unsigned Bits = T == isa::Type::I8                           ? 8
                                 : T == isa::Type::I16                        ? 16
                                 : T == isa::Type::I32 || T == isa::Type::F32 ? 32
                                                                              : 64;
constexpr bool isFloat(isa::Type type) { return type == isa::Type::F32 || type == isa::Type::F64; }
constexpr unsigned bits(isa::Type type) {
  switch (type) {
  case isa::Type::I8:
    return 8;
  case isa::Type::I16:
    return 16;
  case isa::Type::I32:
  case isa::Type::F32:
    return 32;
  case isa::Type::I64:
  case isa::Type::F64:
    return 64;
  }
  return 64;
}

template <unsigned N>
using UInt = std::conditional_t<
    N == 8, uint8_t,
    std::conditional_t<N == 16, uint16_t, std::conditional_t<N == 32, uint32_t, uint64_t>>>;
template <isa::Type T> using Unsigned = UInt<Bits<T>>;
template <isa::Type T> using Signed = std::make_signed_t<Unsigned<T>>;
template <isa::Type T> using Float = std::conditional_t<Bits<T> == 32, float, double>;

/// The bits of a floating-point result, NaN made canonical.
template <typename F> inline auto canonical(F value) {
  using U = std::conditional_t<sizeof(F) == 4, uint32_t, uint64_t>;
  constexpr U nan = sizeof(F) == 4 ? U(0x7fc00000) : U(0x7ff8000000000000);
  return value != value ? nan : std::bit_cast<U>(value);
}
template <isa::Type T, typename C> inline Float<T> asFloat(C lane) {
  return std::bit_cast<Float<T>>(static_cast<UInt<Bits<T>>>(lane));
}

template <isa::Op O, isa::Type T, isa::Type From, typename C> inline C applyInteger(C a, C b, C c) {
  using isa::Op;
  using U = Unsigned<T>;
  using S = Signed<T>;
  using W = std::conditional_t<Bits<T> == 64, uint64_t, uint32_t>; // no promotion to int
  const U x = U(a), y = U(b);
  [[maybe_unused]] const unsigned amount = unsigned(y) % Bits<T>;
  if constexpr (O == Op::Mov)
    return x;
  else if constexpr (O == Op::Add)
    return U(W(x) + W(y));
  else if constexpr (O == Op::Sub)
    return U(W(x) - W(y));
  else if constexpr (O == Op::Mul)
    return U(W(x) * W(y));
  else if constexpr (O == Op::And)
    return U(x & y);
  else if constexpr (O == Op::Or)
    return U(x | y);
  else if constexpr (O == Op::Xor)
    return U(x ^ y);
  else if constexpr (O == Op::Shl)
    return U(W(x) << amount);
  else if constexpr (O == Op::Lshr)
    return U(x >> amount);
  else if constexpr (O == Op::Ashr)
    return U(S(x) >> amount);
  else if constexpr (O == Op::Rotl)
    return U(W(x) << amount | W(x) >> (Bits<T> - amount) % Bits<T>);
  else if constexpr (O == Op::Smin)
    return S(x) < S(y) ? x : y;
  else if constexpr (O == Op::Smax)
    return S(x) < S(y) ? y : x;
  else if constexpr (O == Op::Umin)
    return x < y ? x : y;
  else if constexpr (O == Op::Umax)
    return x < y ? y : x;
  else if constexpr (O == Op::Eq)
    return x == y;
  else if constexpr (O == Op::Ne)
    return x != y;
  else if constexpr (O == Op::Slt)
    return S(x) < S(y);
  else if constexpr (O == Op::Sle)
    return S(x) <= S(y);
  else if constexpr (O == Op::Ult)
    return x < y;
  else if constexpr (O == Op::Ule)
    return x <= y;
  else if constexpr (O == Op::Select)
    return a != 0 ? U(b) : U(c);
  else
    return U(S(Signed<From>(Unsigned<From>(a)))); // Sext
}

/// Towards zero, saturating; NaN gives the largest number.
template <typename I, typename F> inline I saturate(F x) {
  using Limits = std::numeric_limits<I>;
  constexpr F past = F(2) * F(I(1) << (Limits::digits - 1)); // largest + 1
  constexpr F least = std::is_signed_v<I> ? -past : F(0);
  if (!(x < past)) // NaN as well
    return Limits::max();
  return x <= least ? Limits::min() : I(x);
}

template <isa::Op O, isa::Type T, isa::Type From, typename C> inline C applyConvert(C a) {
  using isa::Op;
  if constexpr (O == Op::Sitofp)
    return canonical(Float<T>(Signed<From>(Unsigned<From>(a))));
  else if constexpr (O == Op::Uitofp)
    return canonical(Float<T>(Unsigned<From>(a)));
  else if constexpr (O == Op::Fptosi)
    return Unsigned<T>(saturate<Signed<T>>(asFloat<From>(a)));
  else if constexpr (O == Op::Fptoui)
    return saturate<Unsigned<T>>(asFloat<From>(a));
  else
    return canonical(Float<T>(asFloat<From>(a))); // Fpconv
}

template <isa::Op O, isa::Type T, typename C> inline C applyFloat(C a, C b, C c) {
  using isa::Op;
  using U = Unsigned<T>;
  constexpr U sign = U(1) << (Bits<T> - 1);
  const auto x = asFloat<T>(a), y = asFloat<T>(b), z = asFloat<T>(c);
  if constexpr (O == Op::Fadd)
    return canonical(x + y);
  else if constexpr (O == Op::Fsub)
    return canonical(x - y);
  else if constexpr (O == Op::Fmul)
    return canonical(x * y);
  else if constexpr (O == Op::Fmac) {
    const auto product = x * y;
    return canonical(product + z);
  } else if constexpr (O == Op::Fma)
    return canonical(std::fma(x, y, z));
  else if constexpr (O == Op::Fmin) {
    // Equal operands are equal bits or zeros of two signs: the or is -0.
    const U least = x == y ? U(a) | U(b) : (x < y || y != y) ? U(a) : U(b);
    return canonical(std::bit_cast<Float<T>>(least));
  } else if constexpr (O == Op::Fmax) {
    const U most = x == y ? U(a) & U(b) : (x > y || y != y) ? U(a) : U(b);
    return canonical(std::bit_cast<Float<T>>(most));
  } else if constexpr (O == Op::Fneg)
    return U(U(a) ^ sign);
  else if constexpr (O == Op::Fabs)
    return U(U(a) & U(~sign));
  else if constexpr (O == Op::Feq)
    return x == y;
  else if constexpr (O == Op::Flt)
    return x < y;
  else
    return x <= y; // Fle
}

template <isa::Op O, isa::Type T, typename C> inline C applyDivide(C a, C b) {
  using isa::Op;
  using U = Unsigned<T>;
  using S = Signed<T>;
  [[maybe_unused]] const U x = U(a), y = U(b);
  if constexpr (O == Op::Sdiv) {
    const bool overflow = S(x) == std::numeric_limits<S>::min() && S(y) == S(-1);
    return y == 0 ? U(~U(0)) : overflow ? x : U(S(x) / S(y));
  } else if constexpr (O == Op::Srem) {
    const bool overflow = S(x) == std::numeric_limits<S>::min() && S(y) == S(-1);
    return y == 0 ? x : overflow ? U(0) : U(S(x) % S(y));
  } else if constexpr (O == Op::Udiv)
    return y == 0 ? U(~U(0)) : U(x / y);
  else if constexpr (O == Op::Urem)
    return y == 0 ? x : U(x % y);
  else if constexpr (O == Op::Fdiv)
    return canonical(asFloat<T>(a) / asFloat<T>(b));
  else
    return canonical(std::sqrt(asFloat<T>(a))); // Fsqrt
}

/// Result lane of operation O on lanes a, b, c. Not for nop, iota, lane, slide.
template <isa::Op O, isa::Type T, isa::Type From, typename C> inline C apply(C a, C b, C c) {
  using isa::Op;
  if constexpr ((O >= Op::Mov && O <= Op::Sext) || O == Op::Rotl)
    return applyInteger<O, T, From, C>(a, b, c);
  else if constexpr (O >= Op::Sitofp && O <= Op::Fpconv)
    return applyConvert<O, T, From, C>(a);
  else if constexpr (O >= Op::Fadd && O <= Op::Fle)
    return applyFloat<O, T, C>(a, b, c);
  else
    return applyDivide<O, T, C>(a, b);
}

/// Whether a slot may hold this operation with these types in containers of
/// `laneBits` bits. `from` matters for sext and conversions only.
bool validTypes(isa::Op op, isa::Type type, isa::Type from, unsigned laneBits);

/// The operation with which the partial results of an accumulation by `op` are
/// folded (fadd for fmac and fma), or nop if `op` cannot accumulate.
isa::Op foldOp(isa::Op op);

/// dst[i] = op(a[i], b[i], c[i]) for i < n; dst may be one of the operands. All
/// four must be valid; operands the operation does not have are not read.
template <typename C> using Kernel = void (*)(C *dst, const C *a, const C *b, const C *c, size_t n);

/// The loop for an operation, nullptr for nop, iota, lane, slide and for types that
/// are not valid.
template <typename C> Kernel<C> kernel(isa::Op op, isa::Type type, isa::Type from);
template <> Kernel<uint32_t> kernel<uint32_t>(isa::Op, isa::Type, isa::Type);
template <> Kernel<uint64_t> kernel<uint64_t>(isa::Op, isa::Type, isa::Type);

/// One element in a 64-bit container; types must be valid, no lane moves.
uint64_t evaluate(isa::Op op, isa::Type type, isa::Type from, uint64_t a, uint64_t b, uint64_t c);

/// One beat of `slot`'s operation in iteration `iteration`; accumulation is the
/// caller's. Beats are beatBytes long, 8-byte aligned; operands that the operation
/// does not have may be nullptr. `result` may be an operand except for slide.
void evaluateBeat(const isa::Slot &slot, unsigned laneBits, unsigned beatBytes, uint64_t iteration,
                  const void *a, const void *b, const void *c, void *result);

/// Folds an accumulation's AccPartials beats at `partials` (in place, clobbered)
/// into one element: partials pairwise, then lanes pairwise.
uint64_t foldPartials(isa::Op op, isa::Type type, unsigned laneBits, unsigned beatBytes,
                      void *partials);

} // namespace acis::element
