// A nest as lanes: iterations of the innermost level are the elements of beats, up to two levels
// are the sequencer's.
#pragma once

#include "passes/nest/LoopNest.h"

namespace acis::nest {

/// What an access has of the beats.
struct BeatUse {
  unsigned beat = 0;
  int lane = -1; ///< element of the beat that every lane takes; -1: each its own
};

/// The pops or pushes of an iteration, by increasing position.
struct Beats {
  struct Beat {
    int64_t offset = 0; ///< of its first byte, from the accesses' origin
    unsigned first = 0; ///< access
  };
  bool isSplat = false; ///< one element per pop
  std::vector<Beat> beats;
  std::vector<BeatUse> uses; ///< by access of the nest
};

/// A level that the sequencer counts. That of the lanes is one too if it has more iterations than
/// a beat has elements: it counts beats then.
struct Counter {
  unsigned level = None;
  bool inBeats = false;
  /// Levels that this one is one with, outermost first: nothing looks at their numbers.
  std::vector<unsigned> merged;
  std::optional<uint64_t> count; ///< iterations, if they are a constant
};

struct Lanes {
  unsigned level = None;  ///< whose iterations are the lanes; none if all levels are over VPEs
  unsigned factor = 1;    ///< elements of a beat
  bool hasStrips = false; ///< the level is longer than a beat
  std::vector<Counter> sequencer; ///< outermost first, at most two
  Beats reads, writes;

  /// Iterations of the inner counter, 1 if there is one counter.
  uint64_t innerCount() const { return sequencer.size() < 2 ? 1 : *sequencer[1].count; }
  /// Units that an access moves by from lane to lane, and in an iteration of each counter.
  int64_t step(const Access &access) const { return access.step(level); }
  std::vector<int64_t> steps(const Access &access) const;
  /// Whether what is in the level runs once per iteration of the sequencer.
  bool runsEachIteration(const LoopNest &nest, unsigned inLevel) const;
};

/// Plans all accesses of a stream. Refuses the first that leaves a gap, goes back or is of another
/// type.
Judged<Beats> beatsOf(const LoopNest &nest, const Lanes &lanes, Object stream);

/// The levels alone.
Judged<Lanes> lanesOf(const LoopNest &nest, unsigned factor);

/// The same with the accesses: each that moves is whole beats. A nest with levels over VPEs has to
/// be copied for each VPE before.
Judged<Lanes> judgeLanes(const LoopNest &nest, unsigned factor);

} // namespace acis::nest
