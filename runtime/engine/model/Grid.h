// The PEs: buses, functional-unit pipelines, links, registers, delay lines and
// register files, and what one cycle of array time does to them.
#pragma once

#include "runtime/engine/model/Beat.h"
#include "runtime/engine/model/MemorySystem.h"
#include "runtime/engine/model/Plan.h"
#include "runtime/engine/model/StreamIn.h"
#include "runtime/engine/model/StreamOut.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace acis::model {

/// One started launch.
struct Run {
  const Plan *plan = nullptr;
  uint32_t iterations = 0, tail = 0;
  std::array<uint32_t, isa::MaxArgs> args{};
  Beats constants;
  uint32_t pc = 0, context = 0;
  uint32_t issued = 0, live = 0; ///< iterations started; of these in the pipeline
  uint32_t inner = 0, outer = 0; ///< i0 and i1 of the next iteration
  uint64_t startCycle = 0;
};

/// The iteration that is in a stage.
struct StageInfo {
  Run *run = nullptr; ///< nullptr: none
  uint32_t iteration = 0, i0 = 0, i1 = 0;
  unsigned active = 0; ///< elements
};

/// What loops do with the ports of the register files in a clock cycle.
struct VrfUse {
  enum class Array : uint8_t {
    Empty,    ///< no element is due
    Moves,    ///< array time goes on
    Stands,   ///< a port is not ready
    Interlock ///< a read waits for a write
  } array = Array::Empty;
  std::vector<bool> writes, readsSecond; ///< by PE, if array time goes on

  bool mayWrite(unsigned pe) const {
    return array != Array::Interlock && !(array == Array::Moves && writes[pe]);
  }
  /// Over the second port, whose data stay while array time stands.
  bool mayRead(unsigned pe) const {
    return array == Array::Empty || (array == Array::Moves && !readsSecond[pe]);
  }
};

struct GridTrap {
  std::string what;
  uint32_t pc = 0, context = 0;
  unsigned pe = 0, slot = 0;
};

class Grid {
public:
  Grid(const Overlay &overlay, StreamIn &in, StreamOut &out, MemorySystem &memory,
       Counters &counters);
  void reset();

  /// The launch whose constants the routing fields carry: the last one started.
  const Run *routingRun = nullptr;
  /// Interlocked reads always wait, see ModelOptions::worstCase.
  bool assumeConflicts = false;
  /// Prepares for the first iteration of a plan: everything that values can be
  /// carried in is cleared, accumulations get their identity.
  void begin(const Run &run);
  static void fillConstants(Run &run, unsigned words);

  /// The iterations by stage, kept by the sequencer: stage t is in
  /// ring[(head + t) % ring.size()].
  std::vector<StageInfo> ring;
  unsigned head = 0;
  const StageInfo &stage(unsigned t) const {
    const size_t index = head + t;
    return ring[index < ring.size() ? index : index - ring.size()];
  }

  /// The port that is due in `slot` and not ready.
  std::optional<Stall> blocked(const Plan &plan, unsigned slot) const;
  /// Which PEs' reads and writes are due in `slot`.
  void describeUse(const Plan &plan, unsigned slot, VrfUse &use) const;
  /// First half of a cycle: ports and register files are looked at. Returns the cycles
  /// for which reads wait for interlocked writes.
  unsigned readPhase(const Plan &plan, unsigned slot);
  /// Second half: what was looked at is popped, units start (with an input latency in the first
  /// half), ports and register files are written, values move.
  void writePhase(const Plan &plan, unsigned slot);

  /// Folds accumulations and gives the results.
  void fold(const Run &run, std::array<uint32_t, 2 * isa::MaxResults> &results);

  // Register files, for vector loads and stores too.
  uint64_t *vrfBeat(unsigned pe, unsigned beat) { return vrf.at(pe * vrfBeats + beat); }
  /// Writes words into a PE's register file, as the host does before a handler runs.
  void preset(unsigned pe, size_t firstByte, std::span<const uint8_t> bytes);
  const std::optional<GridTrap> &trap() const { return failure; }
  /// The trap, of which the grid knows nothing then: it goes on until the array is there.
  GridTrap takeTrap() { return *std::exchange(failure, std::nullopt); }
  /// Where writes of the register files are kept, if anybody wants to know.
  std::vector<CycleState::Write> *observed = nullptr;
  /// Element `lane` of a beat was written.
  void note(unsigned pe, unsigned beat, unsigned laneBits, unsigned lane) {
    if (observed)
      noteWords(pe, beat, laneBits, lane);
  }

private:
  struct Pending {
    uint64_t time = 0; ///< array time of the write
    bool done = false;
    unsigned lanes = 0;
    std::vector<uint32_t> beats; ///< by lane; one entry if `lanes` is 1
    unsigned active = 0;
  };
  struct HazardState {
    std::vector<Pending> ring; ///< oldest at `first`
    unsigned first = 0, count = 0;
  };

  /// The sources that a slot reads: StreamIn, Vrf0, Vrf1, MemIn.
  static constexpr unsigned FirstRead = unsigned(isa::Source::StreamIn),
                            ReadsPerPe = unsigned(isa::Source::MemIn) - FirstRead + 1;
  /// Puts on the bus what a slot reads in this cycle: a beat of its own, or of a register file that
  /// is not written before the bus was used.
  void deliver(unsigned pe, isa::Source source, const uint64_t *beat);
  size_t heldAt(unsigned pe, unsigned read, uint64_t when) const {
    return 2 * (size_t(pe) * ReadsPerPe + read) + (when & 1);
  }
  void showBuses();
  void startUnits(const SlotPlan &actions, const Plan &plan);
  void noteWords(unsigned pe, unsigned beat, unsigned laneBits, unsigned lane);
  const uint64_t *resolve(const Input &input, const Run *run) const;
  /// The operand of an iteration.
  const uint64_t *operand(const Input &input, const StageInfo &info) const {
    if (input.first == isa::FirstOfRow ? info.i0 == 0 : info.iteration < input.first)
      return info.run->constants.at(input.initial);
    return resolve(input, info.run);
  }
  bool addresses(const isa::VrfAddress &address, const StageInfo &info, const uint64_t *index,
                 const uint64_t *predicate, unsigned laneBits, unsigned pe, unsigned slot);
  void read(const Plan &plan, const ReadAction &action, const StageInfo &info, unsigned &freeze);
  unsigned waitForWrites(const Plan &plan, const ReadAction &action, const StageInfo &info);
  void completeEarly(const Plan &plan, const ReadAction &action, Pending &pending);
  void write(const Plan &plan, const WriteAction &action, const StageInfo &info);
  const uint64_t *readBeat(const Plan &plan, const ReadAction &action);
  const uint64_t *readElement(const Plan &plan, const ReadAction &action);
  void writeLanes(unsigned laneBits, unsigned pe, unsigned active, const uint64_t *data,
                  const uint64_t *predicate);
  void issue(const Plan &plan, const FuAction &action, const StageInfo &info);
  void peekMemory(const Plan &plan, const PortAction &action, unsigned slot);
  void pushMemory(const Plan &plan, const PortAction &action, unsigned slot);
  uint32_t memoryAddress(const isa::MemAddress &address, const StageInfo &info) const;
  void fail(const StageInfo &info, unsigned pe, unsigned slot, std::string what);

  const Overlay &overlay;
  StreamIn &in;
  StreamOut &out;
  MemorySystem &memory;
  Counters &counters;

  const unsigned words, vrfBeats;
  uint64_t time = 0; ///< array time
  Beats vrf, zero, streamBeat, memBeats;
  Beats gathers; ///< indexed reads, 2 per PE
  Beats results; ///< per PE a ring by time
  std::vector<uint64_t> resultTime;
  unsigned resultMask = 0;
  Beats links;                    ///< (pe, in-port) twice, by parity of the time
  Beats held;                     ///< with an input latency, (pe, read source) in the same way
  Beats registers, nextRegisters; ///< the latter by action of the slot
  Beats lines;
  const std::vector<Line> *lineTable = nullptr;
  Beats partials;
  std::array<uint64_t, isa::MaxResults> lasts{}; ///< of a scalar loop, by result
  std::vector<const uint64_t *> buses;           ///< pe * SourcesPerPe + source
  std::vector<HazardState> hazards;
  // Addresses of the access at hand: by lane, or the same for all.
  std::vector<int64_t> laneBeat; ///< -1: no access
  bool uniformAddress = true;
  std::optional<GridTrap> failure;
};

} // namespace acis::model
