// One loop on the grid, lanes as containers C (uint32_t or uint64_t). Values of a node
// are kept in a ring of beats, so that uses of earlier iterations find them.
#pragma once

#include "runtime/engine/device/Element.h"
#include "runtime/engine/fast/Grid.h"

#include <cstring>
#include <limits>

namespace acis::fast {

template <typename C> class LoopRun final : public Loop {
public:
  LoopRun(Grid &grid, const Plan &plan);
  bool run(const LoopInput &launch) override;

private:
  struct Input {
    const C *constant = nullptr; ///< BlockIterations equal beats, else:
    const C *ring = nullptr;
    uint64_t mask = 0;
    uint32_t distance = 0, node = 0;
    uint32_t first = 0;         ///< iterations that take the initial value
    uint32_t row = 0;           ///< iterations of a row whose first one takes it; 0: no rows
    const C *initial = nullptr; ///< one beat
  };
  struct Work {
    const GraphNode *node = nullptr;
    const isa::Slot *word = nullptr;
    element::Kernel<C> kernel = nullptr;
    C *ring = nullptr;
    uint64_t mask = 0;
    std::array<Input, 3> in{};
    C *partials = nullptr;                    ///< of an accumulation
    const isa::VrfAddress *address = nullptr; ///< of a register file access
    C *range = nullptr;                       ///< its first beat
    unsigned rank = 0;                        ///< among the pops or pushes
    const C *direct = nullptr; ///< the values from iteration `first` on, if not in the ring
    uint64_t first = 0;
  };

  /// A run of equal elements that the loop reads: an operand's constant, its initial value, or
  /// the start of a sum.
  struct Filled {
    const isa::Slot *word;
    unsigned which; ///< of the word's immediates
    C *beats;
    unsigned most;       ///< beats
    bool always = false; ///< is written to: fill all of it at each launch
  };

  // Setup
  void layOut();
  void connect(Work &work);
  const C *filled(const isa::Slot &word, unsigned which, unsigned beats);
  // At each launch
  void begin(const LoopInput &launch);
  void fill(const Filled &one, size_t beats) {
    std::fill_n(one.beats, beats * vf, C(constantOf(*one.word, one.which)));
  }
  uint64_t constantOf(const isa::Slot &word, unsigned which) const;
  C *take(size_t beats);

  // Control
  void runBlocks(unsigned limit);
  void runCycles();
  bool interrupted(uint64_t iteration);
  void evaluate(Work &work, uint64_t i, unsigned n);
  void finishAccumulations();

  // Nodes, for iterations [i, i + n)
  void compute(Work &work, uint64_t i, unsigned n);
  void laneMove(Work &work, uint64_t i, unsigned n);
  void accumulate(Work &work, uint64_t i, unsigned n);
  void readRegisters(Work &work, uint64_t i, unsigned n);
  void gatherLanes(const Work &work, const C *index, C start, uint64_t i, C *out);
  void writeRegisters(Work &work, uint64_t i, unsigned n);
  void popStream(Work &work, uint64_t i, unsigned n);
  void pushStream(Work &work, uint64_t i, unsigned n);
  void readMemory(Work &work, uint64_t i, unsigned n);
  void writeMemory(Work &work, uint64_t i, unsigned n);
  uint8_t *memoryAt(const Work &work, uint32_t address, unsigned bytes, uint64_t i);

  // Read-modify-write
  void update(const Step &step, uint64_t i, unsigned n);
  bool updateFast(const Step &step, uint64_t i, unsigned n);

  const C *operand(const Work &work, unsigned k, uint64_t i, unsigned n) {
    return operand(work, k, i, n, scratch[k]);
  }
  const C *operand(const Work &work, unsigned k, uint64_t i, unsigned n, C *buffer);
  const C *carried(const Work &work, unsigned k, uint64_t i, unsigned n, C *buffer);
  const C *inRows(const Work &work, unsigned k, uint64_t i, unsigned n, C *buffer);
  const C *withInitial(const Work &work, unsigned k, uint64_t i, unsigned n, C *buffer);
  C *result(const Work &work, uint64_t i) const { return work.ring + (i & work.mask) * vf; }
  unsigned active(uint64_t i) const { return tail != 0 && i == iterations - 1 ? tail : vf; }
  /// Offset of an access with an index element, not yet compared with the limit.
  static C offset(const isa::VrfAddress &address, C start, C element) {
    C index = C(element >> address.shift);
    if (address.bits != 0 && address.bits < sizeof(C) * 8)
      index &= C((C(1) << address.bits) - 1);
    return C(start + index);
  }
  void laneOffsets(const isa::VrfAddress &address, C start, const C *index, C *out) const {
    const bool part = address.bits != 0 && address.bits < sizeof(C) * 8;
    const C mask = part ? C((C(1) << address.bits) - 1) : C(~C(0));
    const unsigned shift = address.shift;
    for (unsigned lane = 0; lane < vf; ++lane)
      out[lane] = C(start + (C(index[lane] >> shift) & mask));
  }
  AffineWalk walk(const Work &work, uint64_t i) const {
    return walkOf(*work.address, loop, input, i);
  }
  void copyBeats(C *to, const C *from, size_t beats) const {
    if (vf * sizeof(C) == 64 && beats == 1)
      std::memcpy(to, from, 64); // one beat of the usual size, inline
    else
      std::memcpy(to, from, beats * vf * sizeof(C));
  }
  void note(const Work &work, uint64_t i, std::string what);
  void outside(const Work &work, uint64_t i, C offset);

  Grid &grid;
  const Plan &plan;
  const isa::LoopContext &loop;
  const unsigned perBeat; ///< elements of a full beat
  const unsigned vf;      ///< elements of an iteration: 1 in a scalar loop
  BeatStore arena;        ///< values, constants, scratch
  std::vector<Work> works;
  std::vector<Filled> varying; ///< what depends on the launch
  C *next = nullptr;           ///< free part of the arena
  std::array<C *, 3> scratch{};
  C *temporary = nullptr;

  // Of the launch
  LoopInput input;
  uint64_t iterations = 0;
  unsigned tail = 0;
  uint64_t trapTime = 0; ///< array time of the first trap
};

} // namespace acis::fast
