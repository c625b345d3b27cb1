// An engine with a clock that can be run one cycle at a time and looked into: what two such
// engines are compared by (runtime/hardware/lockstep).
#pragma once

#include "runtime/engine/device/Device.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace acis {

namespace model {
struct Event; // runtime/engine/model/TraceLog.h
}

/// Cycles with nothing left to arrive after which a read is known to wait forever:
/// long enough for what is in the FIFO and the aligner to move.
inline constexpr unsigned StarvedCycles = 4;
/// A run without progress of any part for so long is given up.
inline constexpr uint64_t StuckCycles = 1u << 22;

/// State that the architecture defines, at the end of a cycle. A watched value counts only
/// where it has a meaning (`known`): the slot of a loop only while one runs.
struct CycleState {
  enum Value : unsigned {
    Cause,     ///< a Stall as the sequencer sees it, NumStalls: an iteration started or went on
    Running,   ///< the scalar unit is in an invocation
    Pc,        ///< of the instruction that is executed next
    Queue,     ///< launches that wait
    Loops,     ///< launches that run
    Transfers, ///< vector loads and stores that run
    Fold,      ///< cycles left of a fold
    Live,      ///< iterations in the pipeline
    Held,      ///< an interlock holds the array
    Slot,
    Inner, ///< i0 and i1 of the next iteration
    Outer,
    InShifted, ///< payload beats that wait for the input FIFO
    InFifo,    ///< beats
    InAligned, ///< bytes
    InCommands,
    OutPartial, ///< bytes in the packer
    OutFifo,    ///< beats
    OutCommands,
    X0,                ///< .. X0 + 31: registers of the scalar unit
    Result0 = X0 + 32, ///< .. Result0 + 15: words of results
    NumValues = Result0 + 16,
  };
  static const char *name(unsigned value);

  /// A 32-bit word of a register file that was written in the cycle.
  struct Write {
    uint32_t pe = 0, beat = 0, word = 0, value = 0;
    bool operator==(const Write &) const = default;
  };

  uint64_t cycle = 0;
  std::array<uint64_t, NumValues> values{};
  std::array<bool, NumValues> known{};
  std::vector<Write> writes;
  bool showsWrites = true; ///< false: `writes` is empty whatever was written

  void set(unsigned value, uint64_t to) {
    values[value] = to;
    known[value] = true;
  }
};

class SteppedDevice : public Device {
public:
  /// run() in parts: start(), then step() as long as it says so, then finish(), which returns
  /// what run() would.
  virtual Status start() = 0;
  /// A clock cycle. False if there was nothing left to do, or a trap: then there was none.
  virtual bool step() = 0;
  virtual Status finish() = 0;
  /// From now on step() keeps the state of its cycle.
  virtual void watch() = 0;
  virtual const CycleState &state() const = 0;

  /// What happened since load(), if the engine was made to record it; `acis-run --trace`
  /// writes it for a viewer. Engine rtl does not see where loops begin and end.
  virtual const std::vector<model::Event> &events() const = 0;
  /// "file:line" of an event, or "".
  virtual std::string lineOf(const model::Event &event) const = 0;
};

} // namespace acis
