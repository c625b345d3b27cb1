// See FuBench.h.
#include "runtime/hardware/rtl/vector/FuBench.h"

#include "runtime/engine/device/Element.h"

#include <cstdio>

namespace acis::rtl {

using isa::Op;
using isa::Type;

static constexpr std::array<Type, 6> Types = {Type::I8,  Type::I16, Type::I32,
                                              Type::I64, Type::F32, Type::F64};

static bool usesFrom(Op op) { return op == Op::Sext || (op >= Op::Sitofp && op <= Op::Fpconv); }

std::string describe(const Operation &operation) {
  static const char *const names[] = {"i8", "i16", "i32", "i64", "f32", "f64"};
  std::string text =
      std::string(isa::mnemonic(operation.op)) + "." + names[unsigned(operation.type)];
  if (usesFrom(operation.op))
    text += std::string(".") + names[unsigned(operation.from)];
  return text + "/" + std::to_string(operation.laneBits);
}

std::string describe(const Mismatch &mismatch) {
  char text[160];
  std::snprintf(text, sizeof text, "a %016llx b %016llx c %016llx: expected %016llx, found %016llx",
                static_cast<unsigned long long>(mismatch.operands.a),
                static_cast<unsigned long long>(mismatch.operands.b),
                static_cast<unsigned long long>(mismatch.operands.c),
                static_cast<unsigned long long>(mismatch.expected),
                static_cast<unsigned long long>(mismatch.found));
  return describe(mismatch.operation) + ": " + text;
}

static std::pair<Op, Op> rangeOf(FuClass unit) {
  switch (unit) {
  case FuClass::Integer:
    return {Op::Mov, Op::Sext};
  case FuClass::Convert:
    return {Op::Sitofp, Op::Fpconv};
  case FuClass::Float:
    return {Op::Fadd, Op::Fle};
  case FuClass::Divide:
    break;
  }
  return {Op::Sdiv, Op::Fsqrt};
}

std::vector<Operation> operationsOf(FuClass unit) {
  std::vector<Operation> all;
  const auto [first, last] = rangeOf(unit);
  auto add = [&all](Op op) {
    for (unsigned laneBits : {32u, 64u})
      for (Type type : Types)
        for (Type from : Types)
          if ((usesFrom(op) || from == Type::I8) && element::validTypes(op, type, from, laneBits))
            all.push_back({op, type, from, laneBits});
  };
  for (unsigned op = unsigned(first); op <= unsigned(last); ++op)
    add(Op(op));
  if (unit == FuClass::Integer)
    add(Op::Rotl); // its code is behind those of the other classes
  return all;
}

void FuCheck::step(const Operation &operation, const Operands &operands, Beat expected, bool live) {
  const Beat found = unit.cycle(true, operation, operands);
  Expected &oldest = waiting[next];
  if (oldest.live) {
    ++compared;
    if (found != oldest.value && wrong.size() < 20)
      wrong.push_back({oldest.operation, oldest.operands, oldest.value, found});
  }
  oldest = {operation, operands, expected, live};
  next = next + 1 == waiting.size() ? 0 : next + 1;
}

void FuCheck::run(const Operation &operation, const std::vector<Operands> &operands, bool gaps) {
  const size_t n = operands.size();
  std::vector<Beat> a(n), b(n), c(n), expected(n);
  for (size_t i = 0; i < n; ++i)
    a[i] = operands[i].a, b[i] = operands[i].b, c[i] = operands[i].c;
  if (operation.laneBits == 64)
    element::kernel<uint64_t>(operation.op, operation.type,
                              operation.from)(expected.data(), a.data(), b.data(), c.data(), n);
  else
    element::kernel<uint32_t>(operation.op, operation.type, operation.from)(
        reinterpret_cast<uint32_t *>(expected.data()), reinterpret_cast<const uint32_t *>(a.data()),
        reinterpret_cast<const uint32_t *>(b.data()), reinterpret_cast<const uint32_t *>(c.data()),
        2 * n);
  for (size_t i = 0; i < n; ++i) {
    while (gaps) {
      gapState = gapState * 6364136223846793005u + 1442695040888963407u;
      if (gapState >> 62 != 0)
        break;
      unit.cycle(false, operation, {~operands[i].a, operands[i].b, operands[i].c});
    }
    step(operation, operands[i], expected[i], true);
  }
}

void FuCheck::drain() {
  for (size_t i = 0; i < waiting.size(); ++i)
    step({Op::Mov, Type::I32, Type::I8, 32}, {}, 0, false);
}

} // namespace acis::rtl
