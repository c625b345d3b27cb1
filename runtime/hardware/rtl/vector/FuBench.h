// Test bench of the functional units: a simulation of acis_fu with two lanes, and what the
// kernels of the other engines (runtime/engine/device/Element.h) say of the same operands.
#pragma once

#include "backend/isa/Context.h"

#include <verilated.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace acis::rtl {

enum class FuClass : unsigned { Integer, Convert, Float, Divide };

/// An operation with its types, in containers of 32 or 64 bits.
struct Operation {
  isa::Op op;
  isa::Type type, from;
  unsigned laneBits;
  bool operator==(const Operation &) const = default;
};
std::string describe(const Operation &operation);
/// Every operation of a class, with every valid pair of types and both containers.
std::vector<Operation> operationsOf(FuClass unit);

/// Two lanes of 32 bits or one of 64.
using Beat = uint64_t;
struct Operands {
  Beat a, b, c;
};

/// One simulated unit.
class Fu {
public:
  virtual ~Fu() = default;
  virtual unsigned latency() const = 0;
  /// One clock cycle. If enabled, the operation is taken and the result moves on; returns
  /// the result of the operation that was taken `latency` enabled cycles before.
  virtual Beat cycle(bool enable, const Operation &operation, const Operands &operands) = 0;
};
/// A class that Verilator made of acis_fu.
template <typename Simulation> class SimulatedFu : public Fu {
public:
  explicit SimulatedFu(unsigned latency) : cycles(latency) {}
  ~SimulatedFu() override { simulation.final(); }
  unsigned latency() const override { return cycles; }
  Beat cycle(bool enable, const Operation &operation, const Operands &operands) override {
    simulation.clk_i = 0;
    simulation.en_i = enable;
    simulation.valid_i = enable;
    simulation.op_i = unsigned(operation.op);
    simulation.type_i = unsigned(operation.type);
    simulation.from_i = unsigned(operation.from);
    simulation.wide_i = operation.laneBits == 64;
    simulation.a_i = operands.a;
    simulation.b_i = operands.b;
    simulation.c_i = operands.c;
    simulation.eval();
    const Beat result = simulation.result_o;
    simulation.clk_i = 1;
    simulation.eval();
    return result;
  }

private:
  VerilatedContext context;
  Simulation simulation{&context};
  unsigned cycles;
};

struct Mismatch {
  Operation operation;
  Operands operands;
  Beat expected, found;
};
std::string describe(const Mismatch &mismatch);

/// Sends operations through a unit, one a cycle, and compares every result. A mismatch is
/// kept, up to a number of them.
class FuCheck {
public:
  explicit FuCheck(Fu &unit) : unit(unit), waiting(unit.latency()) {}
  /// All operands with one operation; `gaps`: with cycles in between that are not enabled.
  void run(const Operation &operation, const std::vector<Operands> &operands, bool gaps = false);
  /// Until every result was compared.
  void drain();
  const std::vector<Mismatch> &mismatches() const { return wrong; }
  uint64_t count() const { return compared; }

private:
  void step(const Operation &operation, const Operands &operands, Beat expected, bool live);
  struct Expected {
    Operation operation{};
    Operands operands{};
    Beat value = 0;
    bool live = false;
  };
  Fu &unit;
  std::vector<Expected> waiting; ///< a ring
  size_t next = 0;
  uint64_t compared = 0, gapState = 1;
  std::vector<Mismatch> wrong;
};

} // namespace acis::rtl
