// The RV32IM scalar unit, shared by both engines: registers, program counter, and
// one instruction per step. Everything outside goes through a ScalarPort.
#pragma once

#include "runtime/engine/scalar/Decoder.h"
#include "runtime/engine/scalar/ScalarPort.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace acis::scalar {

enum class Step : uint8_t {
  Retired,
  Waiting, ///< the port is not ready; nothing has changed
  Ended,   ///< wfi retired; start() begins the next invocation
  Trapped, ///< trapReason() and pc() say why and where
};

/// Cycles of an instruction that are the implementation's choice; all others take one,
/// divisions 32.
struct Costs {
  unsigned jump = 1, product = 1; ///< jump: and branches that are taken
};

class ScalarUnit {
public:
  explicit ScalarUnit(Costs costs = {}) : costs(costs) {}
  /// `vectorWords`: 32-bit containers of one vector register, 0 without vector instructions,
  /// which are undefined then. Elements narrower than 32 bits take a whole container. `wide`:
  /// vectors may have elements of 64 bits.
  void load(std::span<const uint32_t> code, uint32_t vectorWords, bool wide = true);
  /// Registers as at the entry of a handler.
  void start(uint32_t entry, uint32_t scratchBytes);
  Step step(ScalarPort &port);
  /// Steps until one does anything else than retire, or `steps`, which counts them and to which
  /// the port may add, is past `limit`: then the answer is Retired.
  Step run(ScalarPort &port, uint64_t &steps, uint64_t limit);

  /// Cycles that the instruction retired last takes.
  unsigned cost() const { return lastCost; }
  /// What the next step asks of its port.
  Question question() const {
    const bool code = programCounter % 4 == 0 && programCounter / 4 < table.size();
    return code ? questionOf(table[programCounter / 4].opcode) : Question::None;
  }
  uint32_t pc() const { return programCounter; }
  uint32_t reg(unsigned index) const { return x[index]; }
  void setReg(unsigned index, uint32_t value) {
    if (index != 0)
      x[index] = value;
  }
  const std::string &trapReason() const { return reason; }
  /// Instructions retired since load(), by opcode.
  const std::array<uint64_t, NumOpcodes> &retired() const { return counts; }

private:
  Step next(ScalarPort &port);
  Step execute(const Decoded &d, ScalarPort &port);
  Step outside(const Decoded &d, ScalarPort &port);
  Step memory(const Decoded &d, ScalarPort &port);
  Step csr(const Decoded &d, ScalarPort &port);
  Step setVector(const Decoded &d);
  Step jump(uint32_t target, unsigned rd); // rd gets where it came from
  Step finish(Answer answer, ScalarPort &port);
  Step finish(Answer answer, ScalarPort &port, unsigned rd, uint32_t value);
  Step retire(unsigned rd, uint32_t value) {
    setReg(rd, value);
    programCounter += 4;
    return Step::Retired;
  }
  Step trap(std::string why);

  Costs costs;
  std::vector<Decoded> table;
  std::array<uint32_t, 32> x{};
  std::array<uint64_t, NumOpcodes> counts{};
  std::string reason;
  uint32_t programCounter = 0, vectorWords = 0;
  uint32_t widest = 3; ///< log2 of the bytes of the widest element of a vector
  uint32_t vl = 0;
  uint8_t sewBytes = 4, lmul = 1;
  bool vectorValid = false; ///< vsetvli was executed in this invocation
  unsigned lastCost = 1;
};

} // namespace acis::scalar
