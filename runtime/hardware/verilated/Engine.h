// A Device around one translated overlay: loads the tables, drives the clock, plays memory
// and wire, counts, and turns trap codes into the words that the other engines use.
//
// A template because Verilator makes a class per overlay; RtlTop.cpp.in instantiates it.
#pragma once

#include "runtime/engine/loader/Image.h"
#include "runtime/engine/scalar/Decoder.h"
#include "runtime/hardware/verilated/Counting.h"
#include "runtime/hardware/verilated/Endpoints.h"
#include "runtime/hardware/verilated/Probe.h"
#include "runtime/hardware/verilated/Tables.h"
#include "runtime/hardware/verilated/Verilated.h"
#include "runtime/hardware/verilated/Waveform.h"

#include <cstring>
#include <deque>

namespace acis::rtl {

// Verilator keeps every port as little-endian memory, whatever its type.
template <typename T> uint64_t word(const T &port, unsigned index, unsigned bytes = 4) {
  uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const uint8_t *>(&port) + size_t(index) * bytes, bytes);
  return value;
}
template <typename T> bool bit(const T &port, unsigned index) {
  return reinterpret_cast<const uint8_t *>(&port)[index / 8] >> index % 8 & 1;
}
template <typename T> void setBit(T &port, unsigned index, bool value) {
  uint8_t &byte = reinterpret_cast<uint8_t *>(&port)[index / 8];
  byte = uint8_t((byte & ~(1u << index % 8)) | unsigned(value) << index % 8);
}

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
  for (unsigned pe = 0; pe < machine.numPes(); ++pe) {
    const MemoryPort::Arrival beat = ports[pe].arrive(now, disturbance);
    setBit(top->rvalid_i, pe, beat.valid);
    setBit(top->rlast_i, pe, beat.last);
    if (beat.valid)
      readBeat(beat.beat, &top->rdata_i[pe]);
    setBit(top->bvalid_i, pe, ports[pe].acknowledge(now));
    setBit(top->wready_i, pe, !disturbance.holds());
    setBit(top->arready_i, pe, false);
    setBit(top->awready_i, pe, false);
  }
  const MemoryPort::Arrival beat = ports.back().arrive(now, disturbance);
  top->scalar_rvalid_i = beat.valid;
  if (beat.valid)
    readBeat(beat.beat, &top->scalar_rdata_i);
  top->scalar_bvalid_i = ports.back().acknowledge(now);
  top->scalar_arready_i = top->scalar_awready_i = 0;
}

/// Banks are given away in the order scalar unit, reads of PE 0, 1, ..., writes of PE 0, 1, ...
template <typename Top> void Engine<Top>::grant() {
  auto take = [&](uint64_t address, unsigned count) {
    const model::Burst burst = {address / beatBytes, count};
    if (!banks.free(burst.beat, now) || disturbance.holds())
      return false;
    banks.take(burst, now);
    return true;
  };
  if (top->scalar_arvalid_o && take(top->scalar_araddr_o, 1)) {
    ports.back().grantRead({top->scalar_araddr_o / beatBytes, 1}, now, disturbance);
    top->scalar_arready_i = 1;
  }
  if (top->scalar_awvalid_o && take(top->scalar_awaddr_o, 1)) {
    top->scalar_awready_i = 1;
    writeBeat(top->scalar_awaddr_o / beatBytes, &top->scalar_wdata_o, &top->scalar_wstrb_o);
    ports.back().acknowledgeAt(now + 1 + machine.memWriteLatency);
  }
  for (unsigned pe = 0; pe < machine.numPes(); ++pe) {
    const uint64_t address = word(top->araddr_o, pe);
    const unsigned count = unsigned(word(top->arlen_o, pe, 1)) + 1;
    if (bit(top->arvalid_o, pe) && take(address, count)) {
      ports[pe].grantRead({address / beatBytes, count}, now, disturbance);
      setBit(top->arready_i, pe, true);
    }
  }
  for (unsigned pe = 0; pe < machine.numPes(); ++pe) {
    const uint64_t address = word(top->awaddr_o, pe);
    const unsigned count = unsigned(word(top->awlen_o, pe, 1)) + 1;
    if (bit(top->awvalid_o, pe) && take(address, count)) {
      ports[pe].grantWrite({address / beatBytes, count});
      setBit(top->awready_i, pe, true);
    }
  }
}

template <typename Top> void Engine<Top>::takeMemory() {
  for (unsigned pe = 0; pe < machine.numPes(); ++pe) {
    if (!bit(top->wvalid_o, pe) || !bit(top->wready_i, pe))
      continue;
    uint64_t beat = 0;
    ports[pe].takeWriteBeat(now, beat, disturbance);
    writeBeat(beat, &top->wdata_o[pe], &top->wstrb_o[pe]);
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
  s.cause = Stall(top->cause_o);
  s.progress = top->cause_o == NumStalls;
  s.iterations = top->iterations_o;
  s.retires = top->retire_o;
  s.begins = top->begins_o;
  s.running = top->running_o;
  s.ends = top->end_o;
  s.owns = top->owns_o;
  s.waiting = top->waiting_o;
  s.packet = top->packet_o;
  s.launches = top->launch_o && !top->launch_vector_o;
  s.launchesVector = top->launch_o && top->launch_vector_o;
  s.launchContext = top->launch_context_o;
  s.sequencerIdle = top->sequencer_idle_o && !top->launch_o;
  s.tiles = top->tiles_o;
  s.word = top->word_o;
  s.pc = top->pc_o;
  s.nextPc = top->next_pc_o;
  s.taken = top->taken_o;
  s.pushed = top->pushed_o;
  s.fullBeats = top->out_beat_o;
  s.partialBeats = top->out_flush_o;
  s.waitingPc = top->in_pc_o;
  s.gridTrap = top->grid_trap_o;
  s.scalarTrap = top->scalar_trap_o;
  TrapSignals &t = s.trap;
  t.pe = top->trap_pe_o;
  t.context = top->context_o;
  t.slot = uint16_t(top->slot_o);
  t.memory = top->trap_memory_o;
  t.vectorOp = top->trap_vector_o;
  t.value = top->trap_value_o;
  t.base = top->trap_base_o;
  t.limit = top->trap_limit_o;
  t.pc = top->trap_pc_o;
  t.code = top->scalar_code_o;
  t.scalarValue = top->scalar_value_o;
  t.other = top->scalar_other_o;
  t.a = top->scalar_a_o;
  t.vl = top->vl_o;
  t.vtype = top->vtype_o;
  t.vpemask = top->vpemask_o;
  t.vpestride = top->vpestride_o;
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
  account.add(s, now, top->out_busy_o);
  account.watch(s, now, wire.empty() && top->exhausted_o);
  ++now;
}

} // namespace acis::rtl
