// A loop context taken apart once into lists of what happens in each slot, so that
// a cycle touches only what the context words switch on. Made from the words alone:
// sources, delays, links and stages as they stand, no dataflow graph.
#pragma once

#include "backend/isa/Context.h"
#include "backend/overlay/Overlay.h"
#include "backend/support/Result.h"
#include "runtime/engine/device/Element.h"
#include "runtime/engine/loader/Trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace acis::model {

inline constexpr uint32_t NoIndex = 0xffffffff;

/// Sources per PE on the grid's bus table, numbered as isa::Source.
inline constexpr unsigned SourcesPerPe = 32;
inline uint32_t busOf(unsigned pe, isa::Source source) {
  return pe * SourcesPerPe + unsigned(source);
}

/// Where an operand comes from.
struct Input {
  enum class Kind : uint8_t { None, Bus, Line, Imm };
  Kind kind = Kind::None;
  uint16_t delay = 0;
  uint32_t index = 0; ///< bus, delay line, or constant
  uint8_t first = 0;  ///< iterations that take constant `initial` instead
  uint32_t initial = 0;
};

struct FuAction {
  uint16_t pe = 0, stage = 0;
  const isa::Slot *slot = nullptr;
  element::Kernel<uint32_t> kernel32 = nullptr; ///< neither: iota, lane, slide
  element::Kernel<uint64_t> kernel64 = nullptr;
  unsigned latency = 0;
  Input in[3];
  uint32_t accumulation = NoIndex; ///< index in Plan::accumulations
  uint8_t partialOperand = 0;
  uint8_t last = isa::NoArg; ///< the result that its value in the last iteration is
};

struct ReadAction {
  uint16_t pe = 0, stage = 0, slot = 0;
  uint8_t port = 0;
  const isa::VrfAddress *address = nullptr;
  Input index;
  uint32_t hazard = NoIndex;
};

struct WriteAction {
  uint16_t pe = 0, stage = 0, slot = 0;
  const isa::VrfAddress *address = nullptr;
  Input index, data, predicate;
  uint32_t hazard = NoIndex;
};

struct PortAction {
  uint16_t pe = 0, stage = 0;
  Input data, predicate;
};

struct SampleAction {
  uint32_t bus = 0, line = 0;
};
struct LinkAction {
  Input from;
  uint32_t link = 0; ///< Plan-wide: receiving PE * MaxLinks + in-port
};
struct RegAction {
  Input from;
  uint32_t bus = 0; ///< of the register
};

struct SlotPlan {
  bool pops = false;
  uint16_t popStage = 0;
  std::vector<PortAction> memIns, memOuts, pushes;
  std::vector<ReadAction> reads; ///< a read that indexes another one comes first
  std::vector<FuAction> units;
  std::vector<WriteAction> writes;
  std::vector<SampleAction> samples;
  std::vector<LinkAction> links;
  std::vector<RegAction> regs;
};

struct Accumulation {
  uint32_t identity = 0; ///< constant
  isa::Op op = isa::Op::Nop;
  isa::Type type = isa::Type::I32;
  uint8_t result = isa::NoArg;
};

struct Line {
  uint32_t offset = 0, mask = 0; ///< beats in the pool; ring of mask + 1
};

/// A constant of a slot.
struct Constant {
  uint64_t value = 0;
  uint8_t arg = isa::NoArg;
  bool wide = false; ///< two arguments
};

/// A read that waits for an interlocked write of the same address.
struct Hazard {
  uint32_t distance = 0; ///< cycles from the read to the write
  Input data, predicate; ///< of the write; a predicate is none or a delay line
};

struct Plan {
  isa::LoopContext loop; ///< the words; actions point into it
  unsigned vf = 16;      ///< elements of an iteration: 1 in a scalar loop
  std::vector<SlotPlan> slots;
  std::vector<Accumulation> accumulations;
  std::vector<Line> lines;
  uint32_t lineBeats = 0;
  std::vector<Constant> constants;
  std::vector<Hazard> hazards;
  unsigned foldCycles = 0; ///< after the last iteration has left the pipeline
  unsigned foldDrain = 0;  ///< of these, until the last result has come out
  unsigned interval = 1;   ///< iterations start every interval * ii cycles
  bool overlaps = false;   ///< a following launch may start while this one drains
  bool readsMemory = false, writesMemory = false;
  unsigned popsPerIteration = 0, pushesPerIteration = 0;
  bool sendsConditionally = false; ///< pushes with predicates: what is sent depends on data
  std::vector<uint16_t> memInPes, memOutPes;
  bool sparse = false; ///< counted as spvacc

  Plan() = default;
  Plan(const Plan &) = delete;
  Plan &operator=(const Plan &) = delete;
};

/// Whether a value of one iteration is used in a later one.
bool carriesValues(const ContextGraph &graph);

/// Fills `plan` from `loop`, which must have passed traceContext(). `carries`: a
/// value of an iteration is used in a later one.
/// Fails for a loop with an interlock that would have to space its iterations and a
/// value that goes from one iteration to the next over the grid.
Status buildPlan(const isa::LoopContext &loop, const Overlay &overlay, bool carries, Plan &plan);

} // namespace acis::model
