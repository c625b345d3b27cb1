// Engine `model`: the clock that drives scalar unit, sequencer, memory and streams.
#include "backend/isa/Traps.h"
#include "runtime/engine/model/Control.h"

#include "runtime/engine/model/Model.h"

#include <algorithm>

namespace acis {
namespace model {
namespace {

/// A jump has decoded an instruction in vain; a product takes a second cycle.
constexpr scalar::Costs PipelineCosts = {.jump = 2, .product = 2};
/// Cycles for which a pipeline looks at a question before it has the answer.
constexpr unsigned looksAt(scalar::Question question) {
  return question == scalar::Question::Launches ? 2 : 1;
}
class Engine final : public ModelDevice {
public:
  Engine(const Overlay &description, const ModelOptions &options)
      : machine(description), grid(machine, in, out, offChip, count),
        sequencer(machine, grid, offChip, count, log),
        control(machine, in, out, offChip, sequencer, count, log),
        unit(description.scalarPipeline != 0 ? PipelineCosts : scalar::Costs()),
        interrupt(options.interrupt) {
    log.enable(options.trace);
    grid.assumeConflicts = options.worstCase;
  }

  const Overlay &overlay() const override { return machine; }
  Status load(std::shared_ptr<const Image> newImage, std::string_view name) override;
  std::span<uint8_t> memory() override { return offChip.bytes; }
  Status resizeMemory(uint64_t bytes) override;
  Status attachMemory(std::span<uint8_t> bytes) override;
  void push(std::span<const uint8_t> payload) override {
    if (!inInvocation && !control.packetsLeft() && in.compact())
      control.packetsCompacted();
    in.push(payload);
  }
  Status run() override;
  Status start() override;
  bool step() override;
  Status finish() override;
  void watch() override {
    watching = true;
    grid.observed = &watched.writes;
  }
  const CycleState &state() const override { return watched; }
  bool pop(std::vector<uint8_t> &payload) override { return out.popPacket(payload); }
  const Counters &counters() const override { return count; }
  const Trap *trap() const override { return failure ? &*failure : nullptr; }
  void setDeadline(uint64_t steps) override { control.deadline = steps; }
  const std::vector<Event> &events() const override { return log.events(); }
  std::string lineOf(const Event &event) const override;

private:
  void cycle();
  void stepScalar();
  void executeScalar();
  bool beginInvocation();
  bool pipelined() const { return machine.scalarPipeline != 0; }
  void account(std::optional<Stall> cause);
  void watch(std::optional<Stall> cause);
  void fail(std::string what, uint32_t pc, std::string line);
  bool finished() const;
  void countInstructions();
  void record();

  const Overlay machine;
  Counters count;
  TraceLog log;
  StreamIn in;
  StreamOut out;
  MemorySystem offChip;
  Grid grid;
  Sequencer sequencer;
  Control control;
  scalar::ScalarUnit unit;
  const Interrupt interrupt;

  std::shared_ptr<const Image> image;
  const Handler *handler = nullptr;
  std::optional<Trap> failure;
  std::optional<Trap> scalarTrap; ///< reported when the grid has finished what was before it
  uint64_t now = 0;
  bool inInvocation = false;
  bool begun = false; ///< an invocation, since load(): the registers have values
  uint64_t invocationStart = 0, invocationInstructions = 0;
  unsigned busy = 0;   ///< cycles that the last instruction still takes
  unsigned looked = 0; ///< cycles for which the instruction at hand was looked at
  unsigned starved = 0;
  uint64_t lastProgress = 0, lastBeats = 0;
  bool watching = false;
  std::optional<Stall> lastCause;
  CycleState watched;
};

Status Engine::load(std::shared_ptr<const Image> newImage, std::string_view name) {
  if (!newImage || newImage->fingerprint != machine.fingerprint())
    return Error{"", "no image, or one for another overlay"};
  Result<const Handler *> named = newImage->handler(name);
  if (!named)
    return named.error();
  const Handler *found = *named;
  std::vector<std::shared_ptr<const Plan>> plans(newImage->contexts.size());
  for (uint32_t c = found->firstContext; c < found->firstContext + found->contextCount; ++c) {
    const ImageContext &context = newImage->contexts[c];
    auto plan = std::make_shared<Plan>();
    if (Status built = buildPlan(context.loop, machine, carriesValues(context.graph), *plan);
        !built)
      return Error{"context " + std::to_string(c), built.error().str()};
    plan->sparse = context.graph.sparseAccumulation;
    plans[c] = std::move(plan);
  }
  image = std::move(newImage);
  handler = found;
  count = {};
  log.clear();
  in.reset(machine);
  out.reset(machine);
  offChip.reset(machine);
  std::fill(offChip.own.begin(), offChip.own.end(), 0);
  grid.reset();
  image->loadRegisters(*handler, [this](unsigned pe, size_t at, std::span<const uint8_t> bytes) {
    grid.preset(pe, at, bytes);
  });
  sequencer.reset();
  control.reset(std::move(plans));
  unit.load(image->code, machine.vregWords(), machine.isWide());
  failure.reset();
  scalarTrap.reset();
  now = lastProgress = 0;
  inInvocation = begun = false;
  busy = starved = 0;
  looked = 0;
  return {};
}

Status Engine::resizeMemory(uint64_t bytes) {
  if (bytes > machine.memBytes)
    return Error{"", std::to_string(bytes) + " bytes of memory; the overlay has " +
                         std::to_string(machine.memBytes)};
  offChip.own.resize(bytes);
  offChip.bytes = offChip.own;
  return {};
}

Status Engine::attachMemory(std::span<uint8_t> bytes) {
  if (bytes.size() > machine.memBytes)
    return Error{"", std::to_string(bytes.size()) + " bytes of memory; the overlay has " +
                         std::to_string(machine.memBytes)};
  offChip.own.clear();
  offChip.bytes = bytes;
  return {};
}

bool Engine::finished() const {
  return !inInvocation && !control.packetsLeft() && sequencer.idle() && offChip.idle(now) &&
         in.idle() && out.empty();
}

Status Engine::start() {
  if (!image)
    return Error{"", "no binary is loaded"};
  if (offChip.bytes.size() < handler->memoryBytes)
    return Error{"", "the handler needs " + std::to_string(handler->memoryBytes) +
                         " bytes of memory; the job has " + std::to_string(offChip.bytes.size())};
  lastProgress = now;
  return {};
}

Status Engine::run() {
  if (Status ready = start(); !ready)
    return ready;
  constexpr uint64_t askCycles = 1 << 13; // some milliseconds
  while (!failure && !finished()) {
    cycle();
    if (now % askCycles == 0 && isWanted(interrupt))
      fail(TrapInterrupted, unit.pc(), "");
  }
  return finish();
}

bool Engine::step() {
  if (failure || finished())
    return false;
  const uint64_t before = now;
  watched.writes.clear();
  cycle();
  if (now == before) // a trap of the grid: the cycle has not ended
    return false;
  if (watching)
    record();
  return true;
}

Status Engine::finish() {
  count.cycles = now;
  countInstructions();
  if (failure)
    return Error{failure->line, failure->what};
  return {};
}

void Engine::record() {
  watched.cycle = now - 1;
  watched.known.fill(false);
  watched.set(CycleState::Cause, lastCause ? unsigned(*lastCause) : NumStalls);
  watched.set(CycleState::Running, inInvocation);
  if (inInvocation)
    watched.set(CycleState::Pc, unit.pc());
  if (busy == 0 && begun) // what takes longer writes its register at the end
    for (unsigned i = 0; i < 32; ++i)
      watched.set(CycleState::X0 + i, unit.reg(i));
  sequencer.describe(watched);
  in.describe(watched);
  out.describe(watched);
}

void Engine::cycle() {
  const uint64_t packetsIn = count.packetsIn, packetsOut = count.packetsOut;
  if (looked != 0)
    control.observe(now - 1);
  if (machine.stallLatency != 0) {
    in.begin();
    out.begin(count);
    offChip.begin();
  }
  const std::optional<Stall> cause = lastCause = sequencer.cycle(now);
  if (sequencer.trap()) {
    const GridTrap &trap = *sequencer.trap();
    std::string line = trap.context == NoIndex
                           ? std::string()
                           : image->lineOfSlot(trap.context, trap.pe, trap.slot);
    return fail(trap.what, trap.pc, std::move(line));
  }
  if (!scalarTrap)
    stepScalar();
  else if (sequencer.idle())
    return fail(scalarTrap->what, scalarTrap->pc, "");
  else if (control.needsPacket()) // what was launched before the trap reads on
    control.ownPacket();
  offChip.cycle(now);
  in.cycle(count);
  out.cycle(count);
  account(cause);
  watch(cause);
  if (log.on()) {
    if (count.packetsIn != packetsIn)
      log.add({.kind = EventKind::PacketIn,
               .begin = now,
               .end = now + 1,
               .detail = count.packetsIn - 1});
    if (count.packetsOut != packetsOut)
      log.add({.kind = EventKind::PacketOut,
               .begin = now,
               .end = now + 1,
               .detail = count.packetsOut - 1});
  }
  ++now;
}

void Engine::stepScalar() {
  const bool owns = inInvocation && control.needsPacket();
  executeScalar();
  if (owns)
    control.ownPacket();
}

bool Engine::beginInvocation() {
  if (!control.packetWaiting()) {
    control.waiting = Wait::Packet;
    return false;
  }
  control.beginInvocation();
  unit.start(handler->entry, machine.scratchBytes);
  inInvocation = begun = true;
  invocationStart = now;
  invocationInstructions = 0;
  return true;
}

void Engine::executeScalar() {
  if (busy != 0) {
    --busy;
    return;
  }
  if (!inInvocation && (!beginInvocation() || pipelined()))
    return;
  control.now = now;
  control.pc = unit.pc();
  control.waiting = Wait::None;
  if (const scalar::Question question = unit.question(); question != scalar::Question::None) {
    if (!pipelined())
      control.observe(now);
    else if (looked < looksAt(question)) {
      ++looked;
      return;
    }
  }
  const scalar::Step step = unit.step(control);
  if (step != scalar::Step::Waiting || control.again)
    looked = 0;
  switch (step) {
  case scalar::Step::Retired:
    busy = unit.cost() - 1;
    lastProgress = now;
    ++invocationInstructions;
    if (++control.steps > control.deadline)
      scalarTrap = Trap{isa::trapDeadline(control.deadline), unit.pc(), ""};
    return;
  case scalar::Step::Waiting:
    return;
  case scalar::Step::Ended:
    inInvocation = false;
    lastProgress = now;
    log.add({.kind = EventKind::Invocation,
             .begin = invocationStart,
             .end = now + 1,
             .pc = handler->entry,
             .detail = invocationInstructions + 1});
    return;
  case scalar::Step::Trapped:
    scalarTrap = Trap{unit.trapReason(), unit.pc(), ""};
    return;
  }
}

/// Exactly one cause for every cycle in which no iteration was started or went on.
void Engine::account(std::optional<Stall> cause) {
  if (!cause) {
    lastProgress = now;
    return;
  }
  if (*cause == Stall::Launch) {
    if (!inInvocation && !control.packetsLeft())
      cause = out.empty() ? Stall::MemWrite : Stall::StreamOut;
    else if (control.waiting == Wait::Packet || control.waiting == Wait::StreamIn)
      cause = Stall::StreamIn;
  }
  ++count.stalls[unsigned(*cause)];
  log.stall(*cause, now);
}

/// Ends a run that waits for bytes which will not come.
void Engine::watch(std::optional<Stall> cause) {
  const bool gridWaits = cause == Stall::StreamIn && !sequencer.idle();
  const bool scalarWaits = sequencer.idle() && control.waiting == Wait::StreamIn;
  starved = in.exhausted() && (gridWaits || scalarWaits) ? starved + 1 : 0;
  if (starved > StarvedCycles)
    return fail(isa::trapStreamEnds(control.bytesReceived()),
                gridWaits ? in.waitingPc() : unit.pc(), "");
  const uint64_t beats = count.beatsIn + count.beatsOut;
  if (beats != lastBeats)
    lastProgress = now;
  lastBeats = beats;
  if (now - lastProgress > StuckCycles)
    fail(isa::trapStuck(StuckCycles), unit.pc(), "");
}

void Engine::fail(std::string what, uint32_t pc, std::string line) {
  if (line.empty())
    line = image->lineOfCode(pc);
  failure = Trap{std::move(what), pc, std::move(line)};
  log.add({.kind = EventKind::Trap, .begin = now, .end = now + 1, .pc = pc});
}

void Engine::countInstructions() {
  count.instructions.clear();
  for (unsigned i = 0; i < scalar::NumOpcodes; ++i)
    if (const uint64_t n = unit.retired()[i])
      count.instructions.emplace_back(scalar::mnemonic(scalar::Opcode(i)), n);
  if (control.sparseLaunches != 0)
    count.instructions.emplace_back("spvacc", control.sparseLaunches);
}

std::string Engine::lineOf(const Event &event) const {
  if (!image)
    return "";
  if (event.context != Event::NoContext)
    if (std::string line = image->lineOfSlot(event.context, 0, 0); !line.empty())
      return line;
  return image->lineOfCode(event.pc);
}

} // namespace
} // namespace model

std::unique_ptr<ModelDevice> makeModelDevice(const Overlay &overlay, const ModelOptions &options) {
  return std::make_unique<model::Engine>(overlay, options);
}

std::unique_ptr<Device> makeModelDevice(const Overlay &overlay) {
  return makeModelDevice(overlay, ModelOptions{});
}

} // namespace acis
