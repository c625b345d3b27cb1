// State of the grid that outlives a loop, and one loop's run over it.
#pragma once

#include "runtime/engine/device/Interrupt.h"
#include "runtime/engine/fast/Plan.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace acis::fast {

/// Bytes aligned for vector loads.
class BeatStore {
public:
  /// `bytes` zero bytes.
  void resize(size_t bytes) { lines.assign((bytes + sizeof(Line) - 1) / sizeof(Line), Line{}); }
  /// At least `bytes` bytes of any content.
  void reserve(size_t bytes) {
    if (lines.size() * sizeof(Line) < bytes)
      resize(bytes);
  }
  uint8_t *data() { return reinterpret_cast<uint8_t *>(lines.data()); }

private:
  struct alignas(64) Line {
    std::array<uint8_t, 64> bytes{};
  };
  std::vector<Line> lines;
};

/// Why a loop could not go on: the first such event in array time.
struct LoopTrap {
  std::string what;
  unsigned pe = 0, slot = 0;
};

/// What a loop works on. The streams are handed in as bytes: all the loop can read,
/// and the place of what it writes.
struct LoopInput {
  uint64_t iterations = 0;
  unsigned tail = 0; ///< 0: the last iteration is full
  std::array<uint32_t, isa::MaxArgs> args{};
  const uint8_t *streamIn = nullptr;
  uint8_t *streamOut = nullptr;
  /// By iteration and push: 0 where the predicate leaves the element out. Null: all are sent.
  uint8_t *sends = nullptr;
  std::span<uint8_t> memory;
};

/// A loop laid out in memory: made once, run at every launch.
class Loop {
public:
  virtual ~Loop() = default;
  /// Runs to the end. False: the grid's `trap` says why.
  virtual bool run(const LoopInput &input) = 0;
};

class Grid {
public:
  explicit Grid(const Overlay &overlay);

  /// Register files and results to zero. Loops that were prepared before are not valid any more.
  void reset();
  /// Writes into a PE's register file.
  void preset(unsigned pe, size_t firstByte, std::span<const uint8_t> bytes) {
    std::copy(bytes.begin(), bytes.end(), registers[pe].data() + firstByte);
  }
  /// `plan` and this grid outlive the loop.
  std::unique_ptr<Loop> prepare(const Plan &plan);

  LoopTrap trap;
  Interrupt interrupt;
  std::array<uint64_t, isa::MaxResults> results{};

private:
  template <typename C> friend class LoopRun;

  const Overlay &overlay;
  std::vector<BeatStore> registers; ///< by PE
};

/// A plan with its loop. Neither copied nor moved.
struct PreparedLoop {
  const Plan plan;
  std::unique_ptr<Loop> loop;

  PreparedLoop(Grid &grid, Plan source) : plan(std::move(source)), loop(grid.prepare(plan)) {}
};

/// Largest number of iterations that may be evaluated as one block without two
/// accesses of a hazard being swapped; 0 if only execution by cycles is right. `perBeat`:
/// addresses to a beat of the register files, 1 unless the loop is scalar.
unsigned blockLimit(const Plan &plan, const LoopInput &input, unsigned perBeat);

/// Walks a port's or register file's address over iterations without divisions.
class AffineWalk {
public:
  AffineWalk(int64_t start, int64_t stride0, int64_t stride1, uint64_t innerCount,
             uint64_t iteration)
      : stride0(stride0), stride1(stride1), inner(innerCount), i0(iteration % innerCount),
        row(uint64_t(start) + uint64_t(stride1) * (iteration / innerCount)),
        at(row + uint64_t(stride0) * i0) {}

  uint64_t value() const { return at; } ///< modulo 2^64
  void next() {
    at += uint64_t(stride0);
    if (++i0 == inner) {
      i0 = 0;
      row += uint64_t(stride1);
      at = row;
    }
  }

private:
  int64_t stride0, stride1;
  uint64_t inner, i0, row, at;
};

inline AffineWalk walkOf(const isa::VrfAddress &address, const isa::LoopContext &loop,
                         const LoopInput &input, uint64_t iteration) {
  const int64_t start = address.arg == isa::NoArg ? 0 : int32_t(input.args[address.arg]);
  return {start, address.stride0, address.stride1, loop.innerCount, iteration};
}

} // namespace acis::fast
