// See Control.h.
#include "runtime/engine/model/Control.h"

#include "backend/isa/Traps.h"
#include "runtime/engine/device/PortFormat.h"
#include "runtime/engine/loader/VectorDecode.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace acis::model {

using scalar::Answer;

void Control::reset(std::vector<std::shared_ptr<const Plan>> newPlans) {
  plans = std::move(newPlans);
  scratch.assign(overlay.scratchBytes, 0);
  args = {};
  vectorState = {};
  nextPacket = firstPacket = 0;
  inPosition = outPosition = 0;
  sendsConditionally = false;
  scalarReadPending = vectorPending = false;
  vectorLaunchesLeft.clear();
  vectorPlans.clear();
  waiting = Wait::None;
  sparseLaunches = 0;
  again = false;
  seen = {};
}

void Control::observe(uint64_t at) {
  seen.launchRoom = sequencer.space();
  seen.inRoom = in.commandSpace();
  seen.outRoom = out.commandSpace();
  seen.loopsIdle = sequencer.loopsIdle();
  seen.idle = sequencer.idle();
  seen.portsIdle = memory.portsIdle();
  seen.memoryIdle = memory.idle(at);
  again = false;
}

void Control::beginInvocation() {
  firstPacket = nextPacket++;
  ownedBytes = in.packetBytes(firstPacket);
  in.packetsOwned(nextPacket);
  inPosition = outPosition = 0;
  sendsConditionally = false;
  packetLength = uint32_t(in.packetBytes(firstPacket));
  lengthWritten = false;
  vectorState = {};
  steps = 0;
  waiting = Wait::None;
}

void Control::ownPacket() {
  ownedBytes += in.packetBytes(nextPacket);
  in.packetsOwned(++nextPacket);
}

uint8_t *Control::scratchAt(uint32_t address, unsigned bytes) {
  const uint64_t offset = uint64_t(address) - isa::ScratchBase;
  return address >= isa::ScratchBase && offset + bytes <= scratch.size() ? scratch.data() + offset
                                                                         : nullptr;
}

Answer Control::load(uint32_t address, unsigned bytes, uint32_t &value) {
  const uint8_t *from = scratchAt(address, bytes);
  if (!from) {
    from = memory.at(address, bytes);
    if (!from)
      return trap(isa::trapOutside(bytes, address, memory.bytes.size(), scratch.size()));
    if (!scalarReadPending && (!seen.idle || !seen.memoryIdle))
      return wait(Wait::Other);
    scalarReadPending = true;
    if (!memory.scalarLoad(address, now))
      return wait(Wait::Other);
    scalarReadPending = false;
  }
  value = 0;
  std::memcpy(&value, from, bytes);
  return Answer::Done;
}

Answer Control::store(uint32_t address, unsigned bytes, uint32_t value) {
  uint8_t *to = scratchAt(address, bytes);
  if (!to) {
    to = memory.at(address, bytes);
    if (!to)
      return trap(isa::trapOutside(bytes, address, memory.bytes.size(), scratch.size()));
    if (!seen.idle || !seen.portsIdle || !memory.scalarStore(address, now))
      return wait(Wait::Other);
  }
  std::memcpy(to, &value, bytes);
  return Answer::Done;
}

Answer Control::readCsr(uint32_t csr, uint32_t &value) {
  switch (csr) {
  case isa::CsrCycle:
    value = uint32_t(now);
    return Answer::Done;
  case isa::CsrCycleH:
    value = uint32_t(now >> 32);
    return Answer::Done;
  case isa::CsrPktLen:
    value = uint32_t(in.packetBytes(firstPacket));
    return Answer::Done;
  case isa::CsrVpeMask:
    value = vectorState.vpemask;
    return Answer::Done;
  case isa::CsrVpeStride:
    value = uint32_t(vectorState.vpestride);
    return Answer::Done;
  case isa::CsrVpeNum:
    value = overlay.numPes();
    return Answer::Done;
  default:
    return trap(isa::trapCsrRead(csr));
  }
}

Answer Control::writeCsr(uint32_t csr, uint32_t value) {
  switch (csr) {
  case isa::CsrPktLen:
    packetLength = value;
    lengthWritten = true;
    return Answer::Done;
  case isa::CsrVpeMask:
    vectorState.vpemask = value;
    return Answer::Done;
  case isa::CsrVpeStride:
    vectorState.vpestride = int32_t(value);
    return Answer::Done;
  default:
    return trap(isa::trapCsrWrite(csr));
  }
}

Answer Control::argument(uint32_t index, uint32_t value) {
  assert(index < args.size() && "the instruction has no larger one");
  args[index] = value;
  return Answer::Done;
}

bool Control::queuesHaveRoom(const isa::LoopContext &loop) {
  return seen.launchRoom && (!loop.streamIn.on || seen.inRoom) &&
         (!loop.streamOut.on || (seen.outRoom && outPositionKnown()));
}

/// Puts a launch and its stream commands into their queues, in program order.
Answer Control::enqueue(Launch launch) {
  const isa::LoopContext &loop = launch.plan->loop;
  if (!queuesHaveRoom(loop))
    return wait(Wait::Other);
  if (steps + launch.iterations > deadline)
    return trap(isa::trapDeadlineLoop(launch.iterations, deadline));
  const unsigned vf = launch.plan->vf, last = launch.tail != 0 ? launch.tail : vf;
  auto total = [&](const isa::ElementFormat &format, unsigned perIteration) {
    return perIteration *
           (uint64_t(launch.iterations - 1) * accessBytes(format, vf) + accessBytes(format, last));
  };
  if (loop.streamIn.on) {
    const uint64_t position = launch.args[loop.streamIn.arg];
    if (position < inPosition)
      return trap(isa::trapPassed(position, inPosition));
  }
  if (loop.streamOut.on) {
    const uint64_t position = launch.args[loop.streamOut.arg];
    if (position != uint32_t(outPosition))
      return trap(isa::trapGap(position, outPosition));
    const uint64_t bytes = total(loop.streamOut.format, launch.plan->pushesPerIteration);
    if (bytes > isa::MaxPacketBytes - std::min(isa::MaxPacketBytes, outPosition))
      return trap(isa::trapTooLong(outPosition + bytes));
    out.addWrite(bytes);
    outPosition += bytes;
    sendsConditionally = launch.plan->sendsConditionally;
  }
  if (loop.streamIn.on) { // nothing is asked for when the launch traps
    const uint64_t position = launch.args[loop.streamIn.arg];
    const uint64_t bytes = total(loop.streamIn.format, launch.plan->popsPerIteration);
    in.addRead(position, bytes, launch.pc);
    inPosition = position + bytes;
  }
  trace.add({EventKind::Launch, now, now + 1, launch.pc, launch.context, launch.iterations});
  steps += launch.iterations;
  sequencer.enqueue(std::move(launch));
  return Answer::Done;
}

Answer Control::launch(uint32_t context, uint32_t iterations, uint32_t tail, uint32_t at) {
  if (context >= plans.size() || !plans[context])
    return trap(isa::trapContext(context));
  if (iterations == 0)
    return Answer::Done;
  const std::shared_ptr<const Plan> &plan = plans[context];
  if (tail > plan->vf)
    return trap(isa::trapTail(tail, plan->vf));
  Launch launch;
  launch.plan = plan;
  launch.iterations = iterations;
  launch.tail = tail;
  launch.args = args;
  launch.pc = at;
  launch.context = context;
  const Answer answer = enqueue(std::move(launch));
  if (answer == Answer::Done && plan->sparse)
    ++sparseLaunches;
  return answer;
}

Answer Control::result(uint32_t word, uint32_t &value) {
  assert(word < 2 * isa::MaxResults && "the instruction has no larger one");
  if (!seen.loopsIdle)
    return wait(Wait::Other);
  value = sequencer.result(word);
  return Answer::Done;
}

Answer Control::sync() { return seen.idle && seen.memoryIdle ? Answer::Done : wait(Wait::Other); }

Answer Control::streamIn(uint32_t position, unsigned bytes, bool isSigned, uint32_t &value) {
  if (!scalarReadPending) {
    if (!in.scalarMayRead())
      return wait(Wait::StreamIn);
    if (position < inPosition)
      return trap(isa::trapPassed(position, inPosition));
    in.addRead(position, bytes, pc);
    inPosition = uint64_t(position) + bytes;
    scalarReadPending = true;
  }
  if (!in.ready(bytes))
    return wait(Wait::StreamIn);
  scalarReadPending = false;
  value = 0;
  std::memcpy(&value, in.pop(bytes), bytes);
  if (isSigned && bytes < 4)
    value = uint32_t(int32_t(value << (32 - 8 * bytes)) >> (32 - 8 * bytes));
  return Answer::Done;
}

Answer Control::tile(uint32_t tile, uint32_t position, uint32_t &value) {
  const Answer answer = streamIn(position, 4, /*isSigned=*/false, value);
  if (answer == Answer::Done && value > tile)
    counters.tilesSkipped += value - tile;
  return answer;
}

/// After a loop that left elements out, the position is known when it has sent its last one.
bool Control::outPositionKnown() {
  if (!sendsConditionally)
    return true;
  if (!out.idle())
    return false;
  outPosition = out.sent();
  sendsConditionally = false;
  return true;
}

Answer Control::streamOut(uint32_t position, unsigned bytes, uint32_t value) {
  if (!outPositionKnown())
    return wait(Wait::Other);
  if (position != uint32_t(outPosition))
    return trap(isa::trapGap(position, outPosition));
  if (!out.idle() || !out.room(bytes))
    return wait(Wait::Other);
  out.addWrite(bytes);
  std::memcpy(out.push(bytes, counters), &value, bytes);
  outPosition += bytes;
  return Answer::Done;
}

/// One launch per cycle.
Answer Control::vectorQueue() {
  if (!vectorLaunchesLeft.empty()) {
    if (const Answer answer = enqueue(vectorLaunchesLeft.front()); answer != Answer::Done)
      return answer;
    vectorLaunchesLeft.erase(vectorLaunchesLeft.begin());
    again = true;
    if (!vectorLaunchesLeft.empty())
      return wait(Wait::Other);
  }
  vectorPending = false;
  return Answer::Done;
}

/// The plan of a vector instruction's context; the last ones are kept. nullptr: `reason`.
std::shared_ptr<const Plan> Control::vectorPlan(const isa::LoopContext &loop) {
  for (const std::shared_ptr<const Plan> &known : vectorPlans)
    if (known->loop == loop)
      return known;
  if (Result<ContextGraph> graph = traceContext(loop, overlay); !graph) {
    reason = isa::trapVector(graph.error().str());
    return nullptr;
  }
  auto plan = std::make_shared<Plan>();
  if (Status built = buildPlan(loop, overlay, /*carries=*/false, *plan); !built) {
    reason = isa::trapVector(built.error().str());
    return nullptr;
  }
  constexpr size_t kept = 64;
  if (vectorPlans.size() == kept)
    vectorPlans.pop_back();
  vectorPlans.push_front(plan);
  return plan;
}

Answer Control::vector(const scalar::VectorRequest &request) {
  if (vectorPending)
    return vectorQueue();
  scalar::setVectorState(request, vectorState);
  vectorState.streamPosition = uint32_t(inPosition);
  const acis::VectorInstruction instruction = scalar::vectorInstruction(request);
  auto launches = vectorLaunches(instruction, vectorState, overlay);
  if (!launches)
    return trap(isa::trapVector(launches.error().what));
  using Kind = acis::VectorInstruction::Kind;
  for (VectorLaunch &from : *launches) {
    std::shared_ptr<const Plan> plan = vectorPlan(from.context);
    if (!plan) {
      vectorLaunchesLeft.clear();
      return Answer::Trap;
    }
    Launch launch;
    launch.kind = instruction.kind == Kind::Load    ? Launch::Kind::VectorLoad
                  : instruction.kind == Kind::Store ? Launch::Kind::VectorStore
                                                    : Launch::Kind::Loop;
    launch.plan = std::move(plan);
    launch.iterations = from.iterations;
    launch.tail = from.tail;
    std::copy(from.args.begin(), from.args.end(), launch.args.begin());
    launch.pc = request.pc;
    if (launch.iterations != 0)
      vectorLaunchesLeft.push_back(std::move(launch));
  }
  vectorPending = true;
  return vectorQueue();
}

/// The invocation ends for the scalar unit when it is known which packet comes next.
Answer Control::endInvocation() {
  if (!outPositionKnown())
    return wait(Wait::Other);
  if (lengthWritten && packetLength != outPosition)
    return trap(isa::trapLength(packetLength, outPosition));
  if (!seen.inRoom || !seen.outRoom)
    return wait(Wait::Other);
  if (inPosition > ownedBytes)
    return wait(Wait::StreamIn);
  in.addEnd(nextPacket);
  out.addEnd();
  return Answer::Done;
}

} // namespace acis::model
