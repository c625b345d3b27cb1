// A Device around one translated overlay: loads the tables, drives the clock, plays memory
// and wire, counts, and turns trap codes into the words that the other engines use.
//
// A template because Verilator makes a class per overlay; RtlTop.cpp.in instantiates it.
#pragma once

#include "runtime/engine/loader/Image.h"
#include "runtime/engine/scalar/Decoder.h"
#include "runtime/hardware/verilated/Counting.h"
#include "runtime/hardware/verilated/Endpoints.h"
#include "runtime/hardware/verilated/Ports.h"
#include "runtime/hardware/verilated/Probe.h"
#include "runtime/hardware/verilated/Tables.h"
#include "runtime/hardware/verilated/Verilated.h"
#include "runtime/hardware/verilated/Waveform.h"

#include <cstring>
#include <deque>

namespace acis::rtl {

/// Whether the register files of a translation are in memory blocks, which have a clock of their
/// own.
template <typename Top> inline constexpr bool hasPumpedVrf = false;

/// Whether acis_probe.sv shows the inside of a translation. A netlist has ports alone: state() has
/// the cause of its cycles then, and neither registers nor writes.
template <typename Top> inline constexpr bool hasProbe = true;

template <typename Top> class Engine final : public SteppedDevice {
public:
  Engine(const Overlay &description, const RtlOptions &options)
      : machine(description), options(options), beatBytes(machine.beatBytes()) {
    account.log.enable(options.events);
  }
  ~Engine() override { dropTop(); }

  const Overlay &overlay() const override { return machine; }
  Status load(std::shared_ptr<const Image> newImage, std::string_view name) override;
  std::span<uint8_t> memory() override { return bytes; }
  Status resizeMemory(uint64_t size) override {
    if (size > machine.memBytes)
      return Error{"", std::to_string(size) + " bytes of memory; the overlay has " +
                           std::to_string(machine.memBytes)};
    bytes.resize(size);
    return {};
  }
  void push(std::span<const uint8_t> payload) override {
    wire.emplace_back(payload.begin(), payload.end());
    account.push(payload.size());
  }
  Status run() override;
  Status start() override;
  bool step() override;
  Status finish() override;
  void watch() override { watching = true; }
  const CycleState &state() const override { return watched; }
  const std::vector<model::Event> &events() const override { return account.log.events(); }
  std::string lineOf(const model::Event &event) const override {
    return image ? image->lineOfCode(event.pc) : "";
  }
  bool pop(std::vector<uint8_t> &payload) override {
    if (packets.empty())
      return false;
    payload = std::move(packets.front());
    packets.pop_front();
    return true;
  }
  const Counters &counters() const override { return account.count; }
  const Trap *trap() const override { return account.failure ? &*account.failure : nullptr; }
  void setDeadline(uint64_t steps) override { account.deadline = steps; }

private:
  void reset();
  /// Verilator's scopes leave the context of the thread, whichever that is.
  void dropTop() {
    if (context)
      Verilated::threadContextp(context.get());
    top.reset();
  }
  void writeTables(const std::vector<TableWrite> &tables);
  void cycle();
  void driveWire();
  void driveMemory();
  void grant();
  void takeMemory();
  void takeOutput();
  Sample sample() const;
  bool finished() const;
  void tick();
  void ramEdges();
  uint8_t *beatAt(uint64_t beat) {
    const uint64_t address = beat * beatBytes;
    return address >= isa::MemoryBase && address - isa::MemoryBase + beatBytes <= bytes.size()
               ? bytes.data() + (address - isa::MemoryBase)
               : nullptr;
  }
  void readBeat(uint64_t beat, void *to);
  void writeBeat(uint64_t beat, const void *data, const void *strobe);

  const Overlay machine;
  const RtlOptions options;
  const unsigned beatBytes;
  std::unique_ptr<VerilatedContext> context;
  std::unique_ptr<Top> top;
  Waveform<Top> waveform;
  std::shared_ptr<const Image> image;
  const Handler *handler = nullptr;
  std::vector<uint8_t> bytes;
  Disturbance disturbance;
  model::Banks banks;
  std::vector<MemoryPort> ports; ///< by PE, then the scalar unit's
  std::deque<std::vector<uint8_t>> wire, packets;
  std::vector<uint8_t> current; ///< packet that is being sent
  uint64_t wireBeat = 0, now = 0, time = 0;
  Account account;
  bool watching = false;
  CycleState watched;
};

/// The edges of the register files' clock between two of clk_i.
template <typename Top> void Engine<Top>::ramEdges() {
  if constexpr (hasPumpedVrf<Top>)
    for (unsigned i = 1; i < 4; ++i) {
      top->clk_ram_i = 0;
      top->eval();
      top->clk_ram_i = 1;
      top->eval();
    }
}

template <typename Top> void Engine<Top>::tick() {
  top->clk_i = top->clk_ram_i = 0;
  top->eval();
  waveform.dump(time++);
  top->clk_i = top->clk_ram_i = 1;
  top->eval();
  waveform.dump(time++);
  top->clk_i = 0;
}

template <typename Top> void Engine<Top>::reset() {
  dropTop();
  context = std::make_unique<VerilatedContext>();
  waveform.prepare(*context, options.trace);
  top = std::make_unique<Top>(context.get(), "acis");
  waveform.open(*top, options.trace);
  time = 0;
  top->rst_ni = 0;
  tick();
  tick();
  top->rst_ni = 1;
  disturbance = Disturbance(options.seed);
  banks.reset(machine);
  ports.assign(machine.numPes() + 1, MemoryPort(machine.memReadLatency, machine.memWriteLatency));
}

template <typename Top> void Engine<Top>::writeTables(const std::vector<TableWrite> &tables) {
  top->cfg_we_i = 1;
  for (const TableWrite &table : tables) {
    top->cfg_address_i = table.address;
    std::memcpy(&top->cfg_data_i, table.data.data(), sizeof table.data);
    ramEdges();
    tick();
  }
  top->cfg_we_i = 0;
  top->code_words_i = uint32_t(image->code.size());
  top->entry_i = handler->entry;
  top->first_context_i = uint8_t(handler->firstContext);
  top->context_count_i = uint8_t(handler->contextCount);
  tick(); // the first instruction is read
  tick();
}

template <typename Top>
Status Engine<Top>::load(std::shared_ptr<const Image> newImage, std::string_view name) {
  if (!newImage || newImage->fingerprint != machine.fingerprint())
    return Error{"", "no image, or one for another overlay"};
  Result<const Handler *> named = newImage->handler(name);
  if (!named)
    return named.error();
  const Handler *found = *named;
  Result<std::vector<TableWrite>> tables = deviceTables(*newImage, *found, machine);
  if (!tables)
    return tables.error();
  image = std::move(newImage);
  handler = found;
  std::fill(bytes.begin(), bytes.end(), 0);
  wire.clear();
  packets.clear();
  current.clear();
  wireBeat = now = 0;
  account.reset(image, found);
  reset();
  writeTables(*tables);
  return {};
}

template <typename Top> bool Engine<Top>::finished() const {
  return wire.empty() && top->idle_o && !ports.back().acknowledgePending(now);
}

template <typename Top> Status Engine<Top>::run() {
  if (Status ready = start(); !ready)
    return ready;
  while (step())
    ;
  return finish();
}

template <typename Top> bool Engine<Top>::step() {
  if (account.failure || finished())
    return false;
  const uint64_t before = now;
  cycle();
  return now != before; // a trap of the grid: the cycle has not ended
}

template <typename Top> Status Engine<Top>::start() {
  if (!image)
    return Error{"", "no binary is loaded"};
  if (bytes.size() < handler->memoryBytes)
    return Error{"", "the handler needs " + std::to_string(handler->memoryBytes) +
                         " bytes of memory; the job has " + std::to_string(bytes.size())};
  top->memory_bytes_i = uint32_t(bytes.size());
  top->deadline_i = account.deadline;
  top->eval();
  account.start(now);
  return {};
}

template <typename Top> Status Engine<Top>::finish() {
  account.count.cycles = now;
  account.countInstructions();
  if (account.failure)
    return Error{account.failure->line, account.failure->what};
  return {};
}

/// The first beats of a packet are its header, whose content is of no interest here.
template <typename Top> void Engine<Top>::driveWire() {
  top->in_valid_i = !wire.empty() && !disturbance.holds();
  if (wire.empty())
    return;
  const std::vector<uint8_t> &packet = wire.front();
  uint8_t *to = reinterpret_cast<uint8_t *>(&top->in_data_i);
  std::memset(to, 0xee, beatBytes);
  const uint64_t first = wireBeat * beatBytes;
  for (unsigned i = 0; i < beatBytes; ++i)
    if (first + i >= machine.headerBytes && first + i - machine.headerBytes < packet.size())
      to[i] = packet[first + i - machine.headerBytes];
  top->in_bytes_i = uint32_t(packet.size());
  top->in_last_i = first + beatBytes >= machine.headerBytes + packet.size();
}

template <typename Top> void Engine<Top>::readBeat(uint64_t beat, void *to) {
  // The last beat of the memory may be a part of one.
  const uint64_t address = beat * beatBytes;
  std::memset(to, 0, beatBytes);
  if (address < isa::MemoryBase || address - isa::MemoryBase >= bytes.size())
    return;
  const uint64_t offset = address - isa::MemoryBase;
  std::memcpy(to, bytes.data() + offset, std::min<uint64_t>(beatBytes, bytes.size() - offset));
}

template <typename Top>
void Engine<Top>::writeBeat(uint64_t beat, const void *data, const void *strobe) {
  const uint64_t address = beat * beatBytes;
  for (unsigned i = 0; i < beatBytes; ++i)
    if (static_cast<const uint8_t *>(strobe)[i / 8] >> i % 8 & 1)
      if (address >= isa::MemoryBase && address - isa::MemoryBase + i < bytes.size())
        bytes[address - isa::MemoryBase + i] = static_cast<const uint8_t *>(data)[i];
}

template <typename Top> void Engine<Top>::driveMemory() {
  namespace response = isa::signalMemoryResponse;
  const unsigned first = responseSignals(beatBytes);
  auto drive = [&](auto &to, MemoryPort &port, bool disturbed) {
    const MemoryPort::Arrival beat = port.arrive(now, disturbance);
    setSignal(to, response::rvalid, beat.valid, first);
    setSignal(to, response::rlast, beat.last, first);
    if (beat.valid)
      readBeat(beat.beat, bytesOf(to));
    setSignal(to, response::bvalid, port.acknowledge(now), first);
    setSignal(to, response::wready, !disturbed || !disturbance.holds(), first);
    setSignal(to, response::arready, false, first);
    setSignal(to, response::awready, false, first);
  };
  for (unsigned pe = 0; pe < machine.numPes(); ++pe)
    drive(top->memory_i[pe], ports[pe], true);
  drive(top->scalar_memory_i, ports.back(), false);
}

/// Banks are given away in the order scalar unit, reads of PE 0, 1, ..., writes of PE 0, 1, ...
template <typename Top> void Engine<Top>::grant() {
  namespace request = isa::signalMemoryRequest;
  namespace response = isa::signalMemoryResponse;
  const unsigned asked = requestSignals(beatBytes), answered = responseSignals(beatBytes);
  // A burst that is asked for and whose bank is free
  auto take = [&](const auto &from, isa::Signal valid, isa::Signal address, isa::Signal length,
                  model::Burst &burst) {
    if (!signalOf(from, valid, asked))
      return false;
    burst = {signalOf(from, address, asked) / beatBytes,
             unsigned(signalOf(from, length, asked)) + 1};
    if (!banks.free(burst.beat, now) || disturbance.holds())
      return false;
    banks.take(burst, now);
    return true;
  };
  auto takeRead = [&](const auto &from, model::Burst &burst) {
    return take(from, request::arvalid, request::araddr, request::arlen, burst);
  };
  auto takeWrite = [&](const auto &from, model::Burst &burst) {
    return take(from, request::awvalid, request::awaddr, request::awlen, burst);
  };
  model::Burst burst{};
  if (takeRead(top->scalar_memory_o, burst)) {
    ports.back().grantRead(burst, now, disturbance);
    setSignal(top->scalar_memory_i, response::arready, true, answered);
  }
  if (takeWrite(top->scalar_memory_o, burst)) {
    setSignal(top->scalar_memory_i, response::awready, true, answered);
    writeBeat(burst.beat, bytesOf(top->scalar_memory_o),
              strobesOf(top->scalar_memory_o, beatBytes));
    ports.back().acknowledgeAt(now + 1 + machine.memWriteLatency);
  }
  for (unsigned pe = 0; pe < machine.numPes(); ++pe)
    if (takeRead(top->memory_o[pe], burst)) {
      ports[pe].grantRead(burst, now, disturbance);
      setSignal(top->memory_i[pe], response::arready, true, answered);
    }
  for (unsigned pe = 0; pe < machine.numPes(); ++pe)
    if (takeWrite(top->memory_o[pe], burst)) {
      ports[pe].grantWrite(burst);
      setSignal(top->memory_i[pe], response::awready, true, answered);
    }
}

template <typename Top> void Engine<Top>::takeMemory() {
  for (unsigned pe = 0; pe < machine.numPes(); ++pe) {
    const auto &from = top->memory_o[pe];
    if (!signalOf(from, isa::signalMemoryRequest::wvalid, requestSignals(beatBytes)) ||
        !signalOf(top->memory_i[pe], isa::signalMemoryResponse::wready, responseSignals(beatBytes)))
      continue;
    uint64_t beat = 0;
    ports[pe].takeWriteBeat(now, beat, disturbance);
    writeBeat(beat, bytesOf(from), strobesOf(from, beatBytes));
  }
}

template <typename Top> void Engine<Top>::takeOutput() {
  if (top->out_valid_o && top->out_ready_i) {
    const uint8_t *from = reinterpret_cast<const uint8_t *>(&top->out_data_o);
    current.insert(current.end(), from, from + top->out_bytes_o);
  }
  const bool ends = (top->out_valid_o && top->out_ready_i && top->out_last_o) || top->out_eop_o;
  if (ends && !current.empty()) {
    packets.push_back(std::move(current));
    current.clear();
    account.log.add({.kind = model::EventKind::PacketOut,
                     .begin = now,
                     .end = now + 1,
                     .detail = account.count.packetsOut});
    ++account.count.packetsOut;
  }
}

template <typename Top> Sample Engine<Top>::sample() const {
  Sample s;
  namespace in = isa::signalCycle;
  const auto cycle = [&](isa::Signal signal) { return signalOf(top->cycle_o, signal); };
  const auto cause = unsigned(cycle(in::cause));
  s.cause = Stall(cause);
  s.progress = cause == NumStalls;
  s.iterations = cycle(in::iterations);
  s.retires = cycle(in::retires);
  s.begins = cycle(in::begins);
  s.running = cycle(in::running);
  s.ends = cycle(in::ends);
  s.owns = cycle(in::owns);
  s.waiting = cycle(in::waiting);
  s.packet = cycle(in::packet);
  const bool launches = cycle(in::launches), isVector = cycle(in::launchVector);
  s.launches = launches && !isVector;
  s.launchesVector = launches && isVector;
  s.launchContext = cycle(in::launchContext);
  s.sequencerIdle = cycle(in::sequencerIdle) && !launches;
  s.tiles = cycle(in::tiles);
  s.word = cycle(in::word);
  s.pc = cycle(in::pc);
  s.nextPc = cycle(in::nextPc);
  s.taken = cycle(in::taken);
  s.pushed = cycle(in::pushed);
  s.fullBeats = cycle(in::outBeat);
  s.partialBeats = cycle(in::outFlush);
  s.waitingPc = cycle(in::inPc);
  namespace why = isa::signalTrap;
  const auto trap = [&](isa::Signal signal) { return signalOf(top->trap_o, signal); };
  s.gridTrap = trap(why::grid);
  s.scalarTrap = trap(why::scalar);
  TrapSignals &t = s.trap;
  t.pe = trap(why::pe);
  t.context = cycle(in::context);
  t.slot = cycle(in::slot);
  t.memory = trap(why::memory);
  t.vectorOp = trap(why::isVector);
  t.value = trap(why::value);
  t.base = trap(why::base);
  t.limit = trap(why::limit);
  t.pc = trap(why::pc);
  t.code = trap(why::code);
  t.scalarValue = trap(why::scalarValue);
  t.other = trap(why::other);
  t.a = trap(why::a);
  t.vl = trap(why::vl);
  t.vtype = trap(why::vtype);
  t.vpemask = trap(why::vpemask);
  t.vpestride = trap(why::vpestride);
  return s;
}

template <typename Top> void Engine<Top>::cycle() {
  top->run_i = 1;
  driveWire();
  driveMemory();
  top->out_ready_i = !disturbance.holds();
  top->eval();
  ramEdges();
  grant();
  top->eval();
  const Sample s = sample();
  if (account.trapped(s, now, bytes.size(), machine))
    return;
  takeMemory();
  takeOutput();
  if (top->in_valid_i && top->in_ready_o) {
    ++wireBeat;
    if (top->in_last_i) {
      wire.pop_front();
      wireBeat = 0;
    }
  }
  if constexpr (hasProbe<Top>)
    if (watching)
      recordWrites(*top->rootp, machine.numPes(), machine.lanes, watched);
  tick();
  top->in_valid_i = 0;
  top->eval();
  if (watching) {
    watched.cycle = now;
    watched.set(CycleState::Cause, unsigned(s.cause));
    watched.showsWrites = hasProbe<Top>;
    if constexpr (hasProbe<Top>)
      recordState(*top->rootp, watched);
  }
  account.add(s, now, signalOf(top->cycle_o, isa::signalCycle::outBusy));
  account.watch(s, now, wire.empty() && signalOf(top->cycle_o, isa::signalCycle::exhausted));
  ++now;
}

} // namespace acis::rtl
