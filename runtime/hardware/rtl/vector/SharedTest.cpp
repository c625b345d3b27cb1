// Units that lanes share against the kernels of the other engines: operations as close behind one
// another as the units take them, further apart, and closer, when the younger one counts.
#include "Fu_shared_narrow.h"
#include "Fu_shared_wide.h"
#include "runtime/engine/device/Element.h"
#include "runtime/hardware/rtl/vector/Operands.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>

namespace acis::rtl {
namespace {

constexpr unsigned Beats = 2; ///< of 64 bits each: four lanes
using Row = std::array<Beat, Beats>;

template <typename Simulation> class Shared {
public:
  Shared(unsigned every, unsigned latency) : every(every), latency(latency) {}
  ~Shared() { simulation.final(); }

  /// Issues the operation and goes on for so many cycles. Its result has to be there unless another
  /// one comes too early.
  void issue(const Operation &operation, const std::array<Operands, Beats> &operands,
             unsigned cycles) {
    const bool live = cycles >= every;
    Row expected{};
    for (unsigned beat = 0; beat < Beats; ++beat)
      expected[beat] = resultOf(operation, operands[beat]);
    if (live)
      due[now + latency] = {operation, expected};
    for (unsigned k = 0; k < cycles; ++k) {
      for (unsigned lane = 0; lane < 2 * Beats; ++lane) {
        // Nothing reads what is there behind the cycle of the operation.
        simulation.a_i[lane] = k == 0 ? half(operands[lane / 2].a, lane) : random();
        simulation.b_i[lane] = k == 0 ? half(operands[lane / 2].b, lane) : random();
        simulation.c_i[lane] = k == 0 ? half(operands[lane / 2].c, lane) : random();
      }
      simulation.valid_i = k == 0;
      simulation.op_i = k == 0 ? unsigned(operation.op) : 0;
      simulation.type_i = k == 0 ? unsigned(operation.type) : 0;
      simulation.from_i = k == 0 ? unsigned(operation.from) : 0;
      simulation.wide_i = k == 0 && operation.laneBits == 64;
      step();
    }
  }
  unsigned compared = 0;

private:
  static uint32_t half(Beat beat, unsigned lane) { return uint32_t(beat >> (lane % 2 * 32)); }

  static Beat resultOf(const Operation &operation, const Operands &in) {
    Beat a = in.a, b = in.b, c = in.c, result = 0;
    if (operation.laneBits == 64) {
      element::kernel<uint64_t>(operation.op, operation.type, operation.from)(&result, &a, &b, &c,
                                                                              1);
      return result;
    }
    for (unsigned lane = 0; lane < 2; ++lane) {
      const uint32_t x = half(a, lane), y = half(b, lane), z = half(c, lane);
      uint32_t one = 0;
      element::kernel<uint32_t>(operation.op, operation.type, operation.from)(&one, &x, &y, &z, 1);
      result |= uint64_t(one) << (32 * lane);
    }
    return result;
  }

  void step() {
    simulation.clk_i = 0;
    simulation.eval();
    if (const auto found = due.find(now); found != due.end()) {
      const auto &[operation, expected] = found->second;
      for (unsigned lane = 0; lane < 2 * Beats; ++lane)
        EXPECT_EQ(simulation.result_o[lane], half(expected[lane / 2], lane))
            << describe(operation) << ", lane " << lane;
      ++compared;
      due.erase(found);
    }
    simulation.clk_i = 1;
    simulation.eval();
    ++now;
  }

  struct Expected {
    Operation operation;
    Row value;
  };
  VerilatedContext context;
  Simulation simulation{&context};
  std::mt19937 random{1};
  unsigned every, latency;
  uint64_t now = 0;
  std::map<uint64_t, Expected> due; ///< by cycle
};

template <typename Simulation>
void check(FuClass unit, unsigned every, unsigned latency, bool wide) {
  Shared<Simulation> shared(every, latency);
  std::vector<Operation> operations = operationsOf(unit);
  if (!wide)
    std::erase_if(operations, [](const Operation &o) { return o.laneBits == 64; });
  std::mt19937 random{2};
  unsigned expected = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    const Operation &operation = operations[random() % operations.size()];
    RandomOperands make(i + 1);
    const std::vector<Operands> made = make.take(operation, Beats);
    ASSERT_EQ(made.size(), Beats);
    const unsigned apart = random() % 8 == 0   ? 1 + random() % (every - 1) // too early
                           : random() % 2 == 0 ? every
                                               : every + random() % (2 * latency);
    shared.issue(operation, {made[0], made[1]}, apart);
    expected += apart >= every;
  }
  // The last one is not waited for.
  EXPECT_GE(shared.compared + latency / every + 1, expected);
  EXPECT_GT(shared.compared, 3000u);
}

} // namespace

TEST(SharedFu, PairsOfLanes) {
  check<Fu_shared_wide>(FuClass::Divide, 2, ACIS_SHARED_WIDE_LATENCY, true);
}

TEST(SharedFu, OneForAllLanes) {
  check<Fu_shared_narrow>(FuClass::Convert, 4, ACIS_SHARED_NARROW_LATENCY, false);
}

} // namespace acis::rtl
