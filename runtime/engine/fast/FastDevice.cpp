#include "runtime/engine/fast/FastDevice.h"

#include "backend/isa/Traps.h"
#include "runtime/engine/device/PortFormat.h"
#include "runtime/engine/loader/VectorDecode.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace acis::fast {

/// Steps, some milliseconds, after which a run asks whether it is to go on.
static constexpr uint64_t AskSteps = 1 << 18;

FastDevice::FastDevice(const Overlay &overlay, FastOptions options)
    : machine(overlay), grid(machine), scratch(overlay.scratchBytes) {
  grid.interrupt = std::move(options.interrupt);
}

Status FastDevice::load(std::shared_ptr<const Image> newImage, std::string_view name) {
  if (!newImage || newImage->fingerprint != machine.fingerprint())
    return Error{"", "no image, or one for another overlay"};
  Result<const Handler *> found = newImage->handler(name);
  if (!found)
    return found.error();
  image = std::move(newImage);
  handler = *found;
  loops.clear();
  loops.resize(image->contexts.size());
  vectorLoops.clear();
  grid.reset();
  image->loadRegisters(*handler, [this](unsigned pe, size_t at, std::span<const uint8_t> bytes) {
    grid.preset(pe, at, bytes);
  });
  unit.load(image->code, machine.vregWords(), machine.isWide());
  std::fill(scratch.begin(), scratch.end(), 0);
  std::fill(ownMemory.begin(), ownMemory.end(), 0);
  input.clear();
  output.clear();
  args = {};
  sparseLaunches = totalSteps = 0;
  count = {};
  failure.reset();
  return {};
}

Status FastDevice::resizeMemory(uint64_t bytes) {
  if (bytes > machine.memBytes)
    return Error{"", std::to_string(bytes) + " bytes of memory; the overlay has " +
                         std::to_string(machine.memBytes)};
  ownMemory.resize(bytes);
  offChip = ownMemory;
  return {};
}

Status FastDevice::attachMemory(std::span<uint8_t> bytes) {
  if (bytes.size() > machine.memBytes)
    return Error{"", std::to_string(bytes.size()) + " bytes of memory; the overlay has " +
                         std::to_string(machine.memBytes)};
  ownMemory.clear();
  offChip = bytes;
  return {};
}

bool FastDevice::pop(std::vector<uint8_t> &payload) {
  if (output.empty())
    return false;
  payload.swap(output.front());
  if (sent.capacity() == 0) { // the caller's old buffer serves for a later packet
    sent.swap(output.front());
    sent.clear();
  }
  output.pop_front();
  return true;
}

const Counters &FastDevice::counters() const {
  count.instructions.clear();
  for (unsigned i = 0; i < scalar::NumOpcodes; ++i)
    if (const uint64_t retired = unit.retired()[i])
      count.instructions.emplace_back(scalar::mnemonic(scalar::Opcode(i)), retired);
  if (sparseLaunches)
    count.instructions.emplace_back("spvacc", sparseLaunches);
  return count;
}

void FastDevice::fail(std::string what, std::string line) {
  if (line.empty())
    line = image->lineOfCode(unit.pc());
  failure = Trap{std::move(what), unit.pc(), std::move(line)};
}

Status FastDevice::run() {
  if (!image)
    return Error{"", "no handler is loaded"};
  if (offChip.size() < handler->memoryBytes)
    return Error{"", "the handler needs " + std::to_string(handler->memoryBytes) +
                         " bytes of memory; the job has " + std::to_string(offChip.size())};
  uint64_t asked = totalSteps;
  while (!failure && !input.empty()) {
    if (!runInvocation())
      break;
    if (totalSteps - asked < AskSteps)
      continue;
    asked = totalSteps;
    if (isWanted(grid.interrupt))
      fail(TrapInterrupted, "");
  }
  if (!failure)
    return {};
  return Error{failure->line, failure->what};
}

/// False after a trap.
bool FastDevice::runInvocation() {
  sent.clear();
  position = steps = 0;
  packetLength.reset();
  trapLine.clear();
  vectorState = {};
  unit.start(handler->entry, machine.scratchBytes);
  switch (runScalar()) {
  case scalar::Step::Ended:
    totalSteps += steps;
    return true;
  case scalar::Step::Retired:
    fail(isa::trapDeadline(deadline), "");
    return false;
  case scalar::Step::Waiting:
    fail(TrapInterrupted, "");
    return false;
  case scalar::Step::Trapped:
    break;
  }
  fail(unit.trapReason(), trapLine);
  return false;
}

/// To the end of the invocation; or to the deadline, then the answer is Retired; or until the run
/// is to end, then it is Waiting, which no call of this port answers.
scalar::Step FastDevice::runScalar() {
  for (;;) {
    const uint64_t limit = std::min(deadline, steps + AskSteps);
    const scalar::Step step = unit.run(*this, steps, limit);
    if (step != scalar::Step::Retired || steps > deadline)
      return step;
    --steps; // of the instruction that was not executed
    if (isWanted(grid.interrupt))
      return scalar::Step::Waiting;
  }
}

scalar::Answer FastDevice::endInvocation() {
  if (packetLength && *packetLength != sent.size())
    return refuse(isa::trapLength(*packetLength, sent.size()));
  const Packets::Taken taken = input.take(position, machine.beatBytes());
  count.packetsIn += taken.packets;
  count.bytesIn += taken.bytes;
  count.beatsIn += taken.beats;
  if (!sent.empty()) {
    ++count.packetsOut;
    count.bytesOut += sent.size();
    count.beatsOut += (sent.size() + machine.beatBytes() - 1) / machine.beatBytes();
    output.push_back(std::move(sent));
    sent = {};
  }
  return Answer::Done;
}

scalar::Answer FastDevice::refuse(std::string why) {
  reason = std::move(why);
  return Answer::Trap;
}

uint8_t *FastDevice::locate(uint32_t address, unsigned bytes) {
  auto inside = [&](uint32_t base, std::span<uint8_t> where) -> uint8_t * {
    const uint64_t at = uint64_t(address) - base;
    return address >= base && at + bytes <= where.size() ? where.data() + at : nullptr;
  };
  uint8_t *found = inside(isa::MemoryBase, offChip);
  if (!found)
    found = inside(isa::ScratchBase, scratch);
  if (!found)
    refuse(isa::trapOutside(bytes, address, offChip.size(), scratch.size()));
  return found;
}

scalar::Answer FastDevice::load(uint32_t address, unsigned bytes, uint32_t &value) {
  const uint8_t *from = locate(address, bytes);
  if (!from)
    return Answer::Trap;
  value = 0;
  std::memcpy(&value, from, bytes);
  return Answer::Done;
}

scalar::Answer FastDevice::store(uint32_t address, unsigned bytes, uint32_t value) {
  uint8_t *to = locate(address, bytes);
  if (!to)
    return Answer::Trap;
  std::memcpy(to, &value, bytes);
  return Answer::Done;
}

scalar::Answer FastDevice::readCsr(uint32_t csr, uint32_t &value) {
  switch (csr) {
  case isa::CsrCycle: // no cycles here: steps, so that time does not stand still
    value = uint32_t(totalSteps + steps);
    return Answer::Done;
  case isa::CsrCycleH:
    value = uint32_t((totalSteps + steps) >> 32);
    return Answer::Done;
  case isa::CsrPktLen:
    value = input.firstLength();
    return Answer::Done;
  case isa::CsrVpeMask:
    value = vectorState.vpemask;
    return Answer::Done;
  case isa::CsrVpeStride:
    value = uint32_t(vectorState.vpestride);
    return Answer::Done;
  case isa::CsrVpeNum:
    value = machine.numPes();
    return Answer::Done;
  default:
    return refuse(isa::trapCsrRead(csr));
  }
}

scalar::Answer FastDevice::writeCsr(uint32_t csr, uint32_t value) {
  switch (csr) {
  case isa::CsrPktLen:
    packetLength = value;
    return Answer::Done;
  case isa::CsrVpeMask:
    vectorState.vpemask = value;
    return Answer::Done;
  case isa::CsrVpeStride:
    vectorState.vpestride = int32_t(value);
    return Answer::Done;
  default:
    return refuse(isa::trapCsrWrite(csr));
  }
}

scalar::Answer FastDevice::argument(uint32_t index, uint32_t value) {
  assert(index < args.size() && "the instruction has no larger one");
  args[index] = value;
  return Answer::Done;
}

scalar::Answer FastDevice::result(uint32_t word, uint32_t &value) {
  assert(word < 2 * isa::MaxResults && "the instruction has no larger one");
  value = uint32_t(grid.results[word / 2] >> (word % 2 ? 32 : 0));
  return Answer::Done;
}

const uint8_t *FastDevice::take(uint64_t from, uint64_t bytes) {
  if (from < position) {
    refuse(isa::trapPassed(from, position));
    return nullptr;
  }
  const std::span<const uint8_t> all = input.bytes();
  if (from > all.size() || bytes > all.size() - from) {
    refuse(isa::trapStreamEnds(all.size()));
    return nullptr;
  }
  position = from + bytes;
  return all.data() + from;
}

uint8_t *FastDevice::give(uint64_t to, uint64_t bytes) {
  if (to != sent.size()) {
    refuse(isa::trapGap(to, sent.size()));
    return nullptr;
  }
  if (bytes > isa::MaxPacketBytes - sent.size()) {
    refuse(isa::trapTooLong(sent.size() + bytes));
    return nullptr;
  }
  sent.resize(sent.size() + bytes);
  return sent.data() + to;
}

scalar::Answer FastDevice::streamIn(uint32_t from, unsigned bytes, bool isSigned, uint32_t &value) {
  const uint8_t *at = take(from, bytes);
  if (!at)
    return Answer::Trap;
  value = 0;
  std::memcpy(&value, at, bytes);
  if (const unsigned unused = 32 - 8 * bytes; isSigned)
    value = uint32_t(int32_t(value << unused) >> unused);
  return Answer::Done;
}

scalar::Answer FastDevice::streamOut(uint32_t to, unsigned bytes, uint32_t value) {
  uint8_t *at = give(to, bytes);
  if (!at)
    return Answer::Trap;
  std::memcpy(at, &value, bytes);
  return Answer::Done;
}

scalar::Answer FastDevice::tile(uint32_t wanted, uint32_t from, uint32_t &value) {
  const Answer answer = streamIn(from, 4, /*isSigned=*/false, value);
  if (answer == Answer::Done)
    count.tilesSkipped += value > wanted ? value - wanted : 0;
  return answer;
}

scalar::Answer FastDevice::launch(uint32_t context, uint32_t iterations, uint32_t tail,
                                  uint32_t /*pc*/) {
  if (context - handler->firstContext >= handler->contextCount)
    return refuse(isa::trapContext(context));
  std::unique_ptr<PreparedLoop> &loop = loops[context];
  if (!loop)
    loop = std::make_unique<PreparedLoop>(grid, Plan(image->contexts[context]));
  return runLoop(*loop, args, iterations, tail, context);
}

/// Bytes that all accesses of a loop to a stream take or give.
static uint64_t streamBytes(const isa::ElementFormat &format, size_t accesses, unsigned vf,
                            uint32_t iterations, uint32_t tail) {
  const uint64_t full = tail ? iterations - 1 : iterations;
  return accesses * (full * accessBytes(format, vf) + (tail ? accessBytes(format, tail) : 0));
}

/// Closes the gaps that elements with a predicate of 0 have left behind byte `from`.
void FastDevice::leaveOut(size_t from, unsigned bytes) {
  uint8_t *to = sent.data() + from;
  const uint8_t *element = to;
  for (const uint8_t send : sends) {
    if (send && to != element)
      std::memmove(to, element, bytes);
    to += send ? bytes : 0;
    element += bytes;
  }
  sent.resize(size_t(to - sent.data()));
}

scalar::Answer FastDevice::runLoop(PreparedLoop &prepared, std::span<const uint32_t> loopArgs,
                                   uint32_t iterations, uint32_t tail,
                                   std::optional<uint32_t> context) {
  const isa::LoopContext &loop = prepared.plan.source.loop;
  const ContextGraph &graph = prepared.plan.source.graph;
  const unsigned vf = loop.scalar ? 1 : machine.lanes * 32 / loop.laneBits;
  if (iterations == 0)
    return Answer::Done;
  if (tail > vf)
    return refuse(isa::trapTail(tail, vf));
  if (iterations > deadline - std::min(deadline, steps))
    return refuse(isa::trapDeadlineLoop(iterations, deadline));
  LoopInput in;
  in.iterations = iterations;
  in.tail = tail == vf ? 0 : tail;
  std::copy(loopArgs.begin(), loopArgs.end(), in.args.begin());
  in.memory = offChip;
  if (loop.streamIn.on) {
    in.streamIn = take(in.args[loop.streamIn.arg],
                       streamBytes(loop.streamIn.format, graph.pops.size(), vf, iterations, tail));
    if (!in.streamIn)
      return Answer::Trap;
  }
  if (loop.streamOut.on) {
    in.streamOut =
        give(in.args[loop.streamOut.arg],
             streamBytes(loop.streamOut.format, graph.pushes.size(), vf, iterations, tail));
    if (!in.streamOut)
      return Answer::Trap;
  }
  const size_t sentBefore = in.streamOut ? size_t(in.streamOut - sent.data()) : 0;
  const bool conditional = std::any_of(graph.pushes.begin(), graph.pushes.end(), [&](uint32_t n) {
    return graph.nodes[n].operands[1].kind != GraphOperand::Kind::None;
  });
  if (conditional) {
    sends.assign(size_t(iterations) * graph.pushes.size(), 1);
    in.sends = sends.data();
  }
  steps += iterations;
  count.iterations += iterations;
  sparseLaunches += context && graph.sparseAccumulation;
  if (prepared.loop->run(in)) {
    if (conditional)
      leaveOut(sentBefore, loop.streamOut.format.bytes);
    return Answer::Done;
  }
  if (context)
    trapLine = image->lineOfSlot(*context, grid.trap.pe, grid.trap.slot);
  return refuse(grid.trap.what);
}

PreparedLoop *FastDevice::vectorLoop(uint32_t word, isa::LoopContext context) {
  for (VectorLoop &known : vectorLoops)
    if (known.word == word && known.loop->plan.source.loop == context)
      return known.loop.get();
  Result<ContextGraph> graph = traceContext(context, machine);
  if (!graph) {
    refuse(isa::trapVector(graph.error().str()));
    return nullptr;
  }
  constexpr size_t kept = 64;
  if (vectorLoops.size() == kept)
    vectorLoops.pop_back();
  vectorLoops.push_front(
      {word, std::make_unique<PreparedLoop>(grid, Plan({std::move(context), std::move(*graph)}))});
  return vectorLoops.front().loop.get();
}

scalar::Answer FastDevice::vector(const scalar::VectorRequest &request) {
  scalar::setVectorState(request, vectorState);
  vectorState.streamPosition = uint32_t(position);
  auto launches = vectorLaunches(scalar::vectorInstruction(request), vectorState, machine);
  if (!launches)
    return refuse(isa::trapVector(launches.error().what));
  for (VectorLaunch &launch : *launches) {
    PreparedLoop *loop = vectorLoop(request.word, std::move(launch.context));
    if (!loop)
      return Answer::Trap;
    const Answer answer = runLoop(*loop, launch.args, launch.iterations, launch.tail, std::nullopt);
    if (answer != Answer::Done)
      return answer;
  }
  return Answer::Done;
}

} // namespace acis::fast

namespace acis {

std::unique_ptr<Device> makeFastDevice(const Overlay &overlay) {
  return makeFastDevice(overlay, FastOptions());
}

std::unique_ptr<Device> makeFastDevice(const Overlay &overlay, FastOptions options) {
  return std::make_unique<fast::FastDevice>(overlay, std::move(options));
}

} // namespace acis
