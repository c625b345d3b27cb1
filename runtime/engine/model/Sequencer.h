// The launch queue, the sequencer that starts iterations, and the engines for vector
// loads and stores that run beside the grid.
//
// With a stall latency of k this is where a slot is decided, and the array does it k cycles later.
// The grid computes it at once all the same: what an array does depends on array time alone. Only
// where it meets the clock, at streams, memory, vector loads and stores, results and traps, k
// cycles pass (Following.h, and here).
#pragma once

#include "runtime/engine/model/Grid.h"
#include "runtime/engine/model/TraceLog.h"

#include <deque>
#include <memory>
#include <optional>

namespace acis::model {

/// An entry of the launch queue.
struct Launch {
  enum class Kind : uint8_t { Loop, VectorLoad, VectorStore };
  Kind kind = Kind::Loop;
  std::shared_ptr<const Plan> plan;
  uint32_t iterations = 0, tail = 0; ///< tail 0: all elements
  std::array<uint32_t, isa::MaxArgs> args{};
  uint32_t pc = 0, context = NoIndex; ///< NoIndex: a vector instruction
  bool fetching = false;              ///< its memory reads have begun
};

class Sequencer {
public:
  Sequencer(const Overlay &overlay, Grid &grid, MemorySystem &memory, Counters &counters,
            TraceLog &trace)
      : overlay(overlay), grid(grid), memory(memory), counters(counters), trace(trace) {}
  void reset();

  bool space() const { return queue.size() < isa::QueueDepth; }
  void enqueue(Launch launch) { queue.push_back(std::move(launch)); }
  /// No launch waits or runs, and the array has done all of them.
  bool idle() const { return queue.empty() && runs.empty() && vectorOps.empty() && following == 0; }
  /// The same without vector loads and stores that have begun.
  bool loopsIdle() const { return queue.empty() && runs.empty(); }
  uint32_t result(unsigned word) const { return results[word]; }
  void describe(CycleState &state) const;

  /// One clock cycle. nullopt: an iteration was started or went on; else why not.
  std::optional<Stall> cycle(uint64_t now);
  const std::optional<GridTrap> &trap() const { return failure ? failure : grid.trap(); }

private:
  struct VectorOp {
    Launch launch;
    uint64_t id = 0;
    struct Lane { ///< progress of one PE
      unsigned pe = 0;
      uint32_t iteration = 0;
      bool read = false; ///< of a store: its beat was read in the cycle before
    };
    std::vector<Lane> lanes;
    uint64_t startCycle = 0;
  };
  struct Busy {
    uint32_t loaded = 0, stored = 0; ///< registers of vector loads and stores
  };

  void shift(uint64_t now);
  std::optional<Stall> decide(uint64_t now);
  std::optional<Stall> step(uint64_t now);
  void beginFollowers();
  Stall foldStep();
  std::optional<Stall> headWaits() const;
  void lookAtHead(size_t waiting, bool ran);
  bool headMayStart() const;
  bool startHead(uint64_t now);
  void startIteration();
  void retire(Run &run, uint64_t now);
  void prefetch(uint64_t now);
  void fetch(const Plan &plan, const Launch &launch, uint64_t user);
  /// Takes a vector load or store from the queue; true if it began to read memory.
  bool admitVectorOp(uint64_t now);
  bool vectorOpMayStart(const Launch &launch, uint64_t now) const;
  void runVectorOps(uint64_t now);
  bool stepLoad(VectorOp &op, VectorOp::Lane &lane);
  bool stepStore(VectorOp &op, VectorOp::Lane &lane);
  void failVector(const VectorOp &op, unsigned pe, std::string what);
  Busy busy() const;
  bool arrayEmpty() const { return liveIterations == 0; }
  Stall idleCause() const;

  const Overlay &overlay;
  Grid &grid;
  MemorySystem &memory;
  Counters &counters;
  TraceLog &trace;

  std::deque<Launch> queue;
  std::deque<std::unique_ptr<Run>> runs; ///< in order of start; the last one may issue
  std::vector<std::unique_ptr<Run>> freeRuns;
  std::shared_ptr<const Plan> plan; ///< of the runs
  unsigned slot = 0;
  bool headWasReady = false; ///< at the end of the cycle before
  bool headIsDue = false;    ///< and of the one before that
  bool shifted = false;      ///< the iterations of this ii have been set
  bool midCycle = false;     ///< reads done, writes not
  unsigned frozen = 0;       ///< interlock cycles left
  unsigned spacing = 0;      ///< iteration starts to leave out
  unsigned folding = 0;      ///< cycles left
  unsigned following = 0;    ///< cycles until the array has done what is decided
  uint32_t liveIterations = 0;
  std::array<uint32_t, 2 * isa::MaxResults> results{};

  std::deque<VectorOp> vectorOps;
  VrfUse vrfUse;                                    ///< of the cycle: what loops do,
  Following<VrfUse> vrfUses;                        ///< and what they will
  Following<GridTrap> traps;                        ///< of the array
  Following<std::vector<CycleState::Write>> writes; ///< of the array, if anybody wants to know
  Beats scratch;
  uint64_t nextVectorId = 1;
  std::optional<GridTrap> failure;
};

} // namespace acis::model
