// What a loop costs on an overlay: the lower bounds that the mapper starts from, for all who choose
// between ways to run a loop before there is a graph. See docs/rationale/front-end.md.
#pragma once

#include "backend/overlay/Overlay.h"

#include <algorithm>
#include <string>

namespace acis {

/// What one iteration asks of the array, by what serves it. Counts of what is too large anyway end
/// at `Saturated`.
struct Demand {
  static constexpr uint64_t Saturated = 1u << 20; ///< more than any overlay has of anything
  static constexpr unsigned NumExtras = 4;        ///< bits of extra::All

  /// Accesses that have to be on one PE.
  struct Home {
    uint64_t reads = 0, writes = 0, operations = 0;
  };

  std::array<uint64_t, NumUnitClasses> operations{};
  std::array<uint64_t, NumExtras> extraOperations{}; ///< of the operations, by the bit of an extra
  std::array<uint64_t, NumExtras> extraReads{};      ///< of the reads of register files
  uint64_t streamReads = 0, streamWrites = 0;
  uint64_t fileReads = 0, fileWrites = 0; ///< of register files, those at `homes` among them
  std::vector<Home> homes;
  uint64_t memoryReads = 0, memoryWrites = 0; ///< of off-chip memory, each with a port to itself

  uint64_t allOperations() const;
  /// One more for each extra that is needed.
  static void countExtras(Extras needed, std::array<uint64_t, NumExtras> &counts) {
    for (unsigned bit = 0; bit < NumExtras; ++bit)
      counts[bit] += needed >> bit & 1;
  }
  /// Adds `times` iterations of a loop in this one. Homes are those of the same number.
  void add(const Demand &other, uint64_t times);
};

/// A lower bound on an initiation interval, and the first of what is the reason for it.
struct SlotBound {
  unsigned slots = 1;
  std::string reason;

  void need(uint64_t least, const std::string &why);
  /// What is used so often of what can be had so often in a slot; of nothing there is no bound.
  void offer(uint64_t uses, uint64_t capacity, const std::string &what, const std::string &on);
};

class CostModel {
public:
  /// The overlay has to live as long.
  explicit CostModel(const Overlay &overlay) : overlay(overlay) {}

  const Overlay &machine() const { return overlay; }

  /// The least interval of what the demand says, wherever that is placed.
  SlotBound bound(const Demand &demand) const;
  unsigned interval(const Demand &demand) const { return bound(demand).slots; }

  /// Whether a body may be made so large by choice. The mapper finds a place for most graphs within
  /// a quarter more than the bound.
  bool hasRoom(uint64_t interval) const {
    return interval * 5 <= uint64_t(overlay.contextSlots) * 4;
  }
  /// Whether its accesses to off-chip memory have a port each.
  bool hasPorts(const Demand &demand) const {
    return std::max(demand.memoryReads, demand.memoryWrites) <= overlay.memoryPorts();
  }

  /// Elements of so many bits in a beat.
  unsigned lanesOf(unsigned bits) const { return overlay.lanes * 32 / std::max(bits, 32u); }

  /// Bytes of a register file that a copy of what streams or memory hold may take: an eighth, up to
  /// 8 KB, which takes as long as 128 beats of 64 bytes.
  uint64_t copyBytes() const {
    return std::min<uint64_t>(8192, uint64_t(overlay.vrfBeats) * overlay.beatBytes() / 8);
  }

  /// Numbers of a register file that a whole packet may take: a quarter, one in each lane.
  uint64_t packetNumbers() const { return uint64_t(overlay.vrfBeats) * overlay.lanes / 4; }

  /// Operations of an iteration: of more, placing and routing takes too long.
  static constexpr uint64_t MostNodes = 768;
  /// Iterations of the sequencer's inner level.
  static constexpr uint64_t MostInner = UINT16_MAX; // isa::LoopContext::innerCount
  /// Loops of a handler that are likely to have context words and numbers, when there may be more.
  unsigned fewLoops() const { return std::min(overlay.maxContexts, overlay.contextSlots / 4); }

  /// Cycles, roughly, from a launch until the next one can begin: of the launch itself, and of the
  /// operations of an iteration that wait for each other.
  uint64_t launchCycles() const {
    return StartCycles + Depth * overlay.latencyOf(UnitClass::Integer);
  }
  /// The same until the control code goes on with what the loop returns.
  uint64_t resultCycles() const { return AnswerCycles; }
  uint64_t startCycles() const { return StartCycles; }

private:
  /// As measured on loops of a few beats (docs/timing.md has the parts).
  static constexpr uint64_t StartCycles = 16, Depth = 8, AnswerCycles = 64;

  unsigned slotsFor(unsigned classes, uint64_t uses) const;
  void boundUnits(const Demand &demand, SlotBound &bound) const;
  void boundExtras(const Demand &demand, SlotBound &bound) const;
  void boundFiles(const Demand &demand, SlotBound &bound) const;

  const Overlay &overlay;
};

/// A chain of PEs that have everything, for tools that are given no description.
Overlay plainOverlay(unsigned pes, unsigned lanes);

} // namespace acis
