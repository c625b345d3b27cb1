// See Counting.h. The rules of account() and watch() are those of engine `model`.
#include "runtime/verilated/Counting.h"

#include "runtime/device/Reasons.h"
#include "runtime/scalar/ScalarUnit.h"
#include "runtime/scalar/VectorDecode.h"

#include <cstdio>

namespace acis::rtl {
namespace {

constexpr unsigned StarvedCycles = 4;
constexpr uint64_t StuckCycles = 1u << 22;

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%08llx", static_cast<unsigned long long>(value));
  return text;
}

std::string outsideMemory(uint64_t address, unsigned bytes, uint64_t memoryBytes) {
  return "memory access of " + std::to_string(bytes) + " bytes at " + hex(address) +
         "; the job has " + std::to_string(memoryBytes) + " bytes from 0x80000000";
}

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
  const std::string number = std::to_string(value);
  const scalar::Decoded decoded = scalar::decode(s.word);
  switch (t.code) {
  case 1:
    return "undefined instruction " + hex(value);
  case 2:
    return "jump to the misaligned address " + hex(value);
  case 3:
    return "no code at " + hex(value) + "; the code has " + std::to_string(code.size() * 4) +
           " bytes";
  case 4:
    return "misaligned " + std::string(scalar::mnemonic(decoded.opcode)) + " at " + hex(value);
  case 5:
    return outsideMemory(value, unsigned(t.other), memoryBytes) + " and " +
           std::to_string(overlay.scratchBytes) + " bytes of scratch from 0x10000000";
  case 6:
    return "CSR " + number + " does not exist";
  case 7:
    return "CSR " + number + " cannot be written";
  case 8:
    return "vtype " + hex(value) + " is not defined; LMUL is 1 to 16 and SEW 8 to 64";
  case 9:
    return std::string(scalar::mnemonic(decoded.opcode)) + " before any vsetvli";
  case 10:
    return "launch of context " + number + "; the handler does not have it";
  case 11:
    return "a last iteration of " + number + " elements; a beat holds " + std::to_string(t.other);
  case 12:
    return "deadline: a loop of " + number + " iterations; at most " + std::to_string(deadline) +
           " steps are allowed in one invocation";
  case 13:
    return positionPassed(value, t.other);
  case 14:
    return outputGap(value, t.other);
  case 15:
    return "an output packet of " + number + " bytes; at most 1073741824 are possible";
  case 16:
    return lengthDiffers(value, t.other);
  case 17:
    return "deadline: more than " + std::to_string(deadline) +
           " instructions and iterations in one invocation";
  default:
    return vectorText(s, overlay);
  }
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
    return fail(outsideMemory(t.value, t.limit, memoryBytes), t.pc, now, line);
  fail("register file offset " + std::to_string(t.value) + "; the range at beat " +
           std::to_string(t.base) + " has " + std::to_string(t.limit),
       t.pc, now, line);
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
                      s.trap.code == 17 ? s.nextPc : s.pc, ""};
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
  packetsOwned += s.owns;
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
    return fail(
        "deadline: the handler reads past the last packet and no other will come: send more, "
        "or read no more than the packet's length",
        gridWaits ? s.waitingPc : s.pc, now);
  const uint64_t beats = count.beatsIn + count.beatsOut;
  if (beats != lastBeats)
    lastProgress = now;
  lastBeats = beats;
  if (now - lastProgress > StuckCycles)
    fail("deadline: no progress for " + std::to_string(StuckCycles) + " cycles", s.pc, now);
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
