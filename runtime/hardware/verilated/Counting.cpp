// See Counting.h. The rules of account() and watch() are those of engine `model`.
#include "runtime/hardware/verilated/Counting.h"

#include "backend/isa/Traps.h"
#include "runtime/engine/device/Stepped.h"
#include "runtime/engine/loader/VectorDecode.h"

namespace acis::rtl {
namespace {

/// The text of an illegal vector instruction: what made it illegal is worked out again.
std::string vectorText(const Sample &s, const Overlay &overlay) {
  scalar::VectorRequest request;
  request.word = s.word;
  request.scalar = s.trap.a;
  request.vl = s.trap.vl;
  request.sewBytes = uint8_t(1u << (s.trap.vtype & 3));
  request.lmul = uint8_t(1u << (s.trap.vtype >> 2 & 7));
  request.pc = s.pc;
  VectorState state;
  scalar::setVectorState(request, state);
  state.vpemask = s.trap.vpemask;
  state.vpestride = int32_t(s.trap.vpestride);
  auto launches = vectorLaunches(scalar::vectorInstruction(request), state, overlay);
  if (!launches)
    return launches.error().what;
  for (const VectorLaunch &launch : *launches)
    if (auto graph = traceContext(launch.context, overlay); !graph)
      return graph.error().str();
  return "illegal vector instruction";
}

std::string scalarText(const Sample &s, const std::vector<scalar::Decoded> &code,
                       uint64_t memoryBytes, uint64_t deadline, const Overlay &overlay) {
  const TrapSignals &t = s.trap;
  const uint64_t value = t.scalarValue;
  const std::string_view mnemonic = scalar::mnemonic(scalar::decode(s.word).opcode);
  switch (isa::TrapCode(t.code)) {
  case isa::TrapCode::Undefined:
    return isa::trapUndefined(value);
  case isa::TrapCode::Jump:
    return isa::trapJump(value);
  case isa::TrapCode::NoCode:
    return isa::trapNoCode(value, code.size() * 4);
  case isa::TrapCode::Misaligned:
    return isa::trapMisaligned(mnemonic, value);
  case isa::TrapCode::Outside:
    return isa::trapOutside(t.other, value, memoryBytes, overlay.scratchBytes);
  case isa::TrapCode::CsrRead:
    return isa::trapCsrRead(value);
  case isa::TrapCode::CsrWrite:
    return isa::trapCsrWrite(value);
  case isa::TrapCode::Vtype:
    return isa::trapVtype(value);
  case isa::TrapCode::NoVtype:
    return isa::trapNoVtype(mnemonic);
  case isa::TrapCode::Context:
    return isa::trapContext(value);
  case isa::TrapCode::Tail:
    return isa::trapTail(value, t.other);
  case isa::TrapCode::DeadlineLoop:
    return isa::trapDeadlineLoop(value, deadline);
  case isa::TrapCode::Passed:
    return isa::trapPassed(value, t.other);
  case isa::TrapCode::Gap:
    return isa::trapGap(value, t.other);
  case isa::TrapCode::TooLong:
    return isa::trapTooLong(value);
  case isa::TrapCode::Length:
    return isa::trapLength(value, t.other);
  case isa::TrapCode::Deadline:
    return isa::trapDeadline(deadline);
  case isa::TrapCode::Vector:
    return isa::trapVector(vectorText(s, overlay));
  }
  return "trap " + std::to_string(t.code) + ", which this program does not know";
}

} // namespace

void Account::reset(std::shared_ptr<const Image> newImage, const Handler *newHandler) {
  const uint64_t steps = deadline;
  const bool recording = log.on();
  *this = Account();
  log.enable(recording);
  deadline = steps;
  image = std::move(newImage);
  handler = newHandler;
  code = scalar::decodeAll(image->code);
}

void Account::fail(std::string what, uint32_t pc, uint64_t now, std::string line) {
  if (line.empty())
    line = image->lineOfCode(pc);
  failure = Trap{std::move(what), pc, std::move(line)};
  log.add({.kind = model::EventKind::Trap, .begin = now, .end = now + 1, .pc = pc});
}

void Account::failGrid(const Sample &s, uint64_t memoryBytes, uint64_t now) {
  const TrapSignals &t = s.trap;
  std::string line;
  if (!t.vectorOp)
    line = image->lineOfSlot(handler->firstContext + t.context, t.pe, t.slot);
  if (t.memory)
    return fail(isa::trapMemory(t.limit, t.value, memoryBytes), t.pc, now, line);
  fail(isa::trapOffset(t.value, t.base, t.limit), t.pc, now, line);
}

bool Account::trapped(const Sample &s, uint64_t now, uint64_t memoryBytes, const Overlay &overlay) {
  if (s.gridTrap) {
    count.iterations += s.iterations;
    count.bytesOut += s.pushed;
    count.beatsOut += s.fullBeats;
    failGrid(s, memoryBytes, now);
    return true;
  }
  if (scalarTrap) {
    if (!s.sequencerIdle)
      return false;
    fail(scalarTrap->what, scalarTrap->pc, now);
    return true;
  }
  if (s.scalarTrap)
    scalarTrap = Trap{scalarText(s, code, memoryBytes, deadline, overlay),
                      isa::TrapCode(s.trap.code) == isa::TrapCode::Deadline ? s.nextPc : s.pc, ""};
  return false;
}

/// Events of one cycle; what went out is added by the engine.
void Account::record(const Sample &s, uint64_t now) {
  using model::Event, model::EventKind;
  auto add = [&](EventKind kind, uint64_t begin, uint32_t pc, uint64_t detail,
                 uint32_t context = Event::NoContext) {
    log.add({kind, begin, now + 1, pc, context, detail});
  };
  if (s.packet)
    add(EventKind::PacketIn, now, 0, count.packetsIn);
  if (s.launches)
    add(EventKind::Launch, now, s.pc, 0, handler->firstContext + s.launchContext);
  else if (s.launchesVector)
    add(EventKind::Launch, now, s.pc, 0);
  if (s.begins) {
    invocationStart = now;
    invocationInstructions = 0;
  }
  invocationInstructions += s.retires;
  if (s.retires && s.ends)
    add(EventKind::Invocation, invocationStart, handler->entry, invocationInstructions);
}

void Account::add(const Sample &s, uint64_t now, bool outBusy) {
  if (log.on())
    record(s, now);
  count.iterations += s.iterations;
  count.packetsIn += s.packet;
  count.beatsIn += s.taken != 0;
  count.bytesIn += s.taken;
  count.bytesOut += s.pushed;
  count.beatsOut += s.fullBeats + s.partialBeats;
  if (s.retires) {
    ++retired[unsigned(code[s.pc / 4].opcode)];
    count.tilesSkipped += s.tiles;
    lastProgress = now;
  }
  if (s.launches &&
      image->contexts[handler->firstContext + s.launchContext].graph.sparseAccumulation)
    ++sparseLaunches;
  if (s.begins)
    bytesBefore = bytesOwned;
  if (s.owns) {
    bytesOwned += payloads.front();
    payloads.pop_front();
    ++packetsOwned;
  }
  inInvocation = s.running && !(s.retires && s.ends);
  if (!s.running)
    waiting = 1;
  else
    waiting = s.waiting;

  if (s.progress) {
    lastProgress = now;
    return;
  }
  Stall cause = s.cause;
  if (cause == Stall::Launch) {
    if (!inInvocation && packetsPushed == packetsOwned)
      cause = outBusy ? Stall::StreamOut : Stall::MemWrite;
    else if (waiting == 1 || waiting == 2)
      cause = Stall::StreamIn;
  }
  ++count.stalls[unsigned(cause)];
  log.stall(cause, now);
}

void Account::watch(const Sample &s, uint64_t now, bool exhausted) {
  const bool gridWaits = !s.progress && s.cause == Stall::StreamIn && !s.sequencerIdle;
  const bool scalarWaits = s.sequencerIdle && waiting == 2;
  starved = exhausted && (gridWaits || scalarWaits) ? starved + 1 : 0;
  if (starved > StarvedCycles)
    return fail(isa::trapStreamEnds(bytesPushed - bytesBefore), gridWaits ? s.waitingPc : s.pc,
                now);
  const uint64_t beats = count.beatsIn + count.beatsOut;
  if (beats != lastBeats)
    lastProgress = now;
  lastBeats = beats;
  if (now - lastProgress > StuckCycles)
    fail(isa::trapStuck(StuckCycles), s.pc, now);
}

void Account::countInstructions() {
  count.instructions.clear();
  for (unsigned i = 0; i < scalar::NumOpcodes; ++i)
    if (retired[i])
      count.instructions.emplace_back(scalar::mnemonic(scalar::Opcode(i)), retired[i]);
  if (sparseLaunches != 0)
    count.instructions.emplace_back("spvacc", sparseLaunches);
}

} // namespace acis::rtl
