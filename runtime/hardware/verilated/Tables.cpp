// See Tables.h.
#include "runtime/hardware/verilated/Tables.h"

#include "backend/isa/Context.h"
#include "runtime/engine/model/Plan.h"

#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace acis::rtl {
namespace {

using isa::Input;
using isa::LoopContext;
using isa::Operand;
using isa::PeContext;
using isa::Slot;
using isa::Source;
using isa::Table;

/// Packs fields from bit 0 up, as the packed structs of acis_pkg.sv.
class Bits {
public:
  void put(uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i, ++at)
      data[at / 32] |= uint32_t(value >> i & 1) << at % 32;
  }
  std::array<uint32_t, 16> data{};

private:
  unsigned at = 0;
};

/// A slot without what its elements do not use, so that hardware can take every field at its
/// word.
Slot cleaned(const Slot &from, const PeContext &pe) {
  Slot slot = from;
  const unsigned operands = slot.op == isa::Op::Nop ? 0 : isa::numOperands(slot.op);
  Operand *units[] = {&slot.a, &slot.b, &slot.c};
  for (unsigned i = 0; i < 3; ++i)
    if (i >= operands || (slot.accumulate && i + 1 == operands))
      *units[i] = {};
  if (operands == 0 && slot.op == isa::Op::Nop)
    slot.accumulate = false;
  for (isa::VrfRead &read : slot.read)
    if (!read.on)
      read = {};
    else if (!pe.addresses[read.address].indexed)
      read.index = {};
  if (!slot.write.on)
    slot.write = {};
  else if (!pe.addresses[slot.write.address].indexed)
    slot.write.index = {};
  if (!slot.memIn.on)
    slot.memIn = {};
  if (!slot.memOut.on)
    slot.memOut = {};
  if (!slot.streamOut.on)
    slot.streamOut = {};
  if (!slot.regWrite)
    slot.regData = Source::None;
  return slot;
}

class Builder {
public:
  Builder(const Image &image, const Handler &handler, const Overlay &overlay)
      : image(image), handler(handler), overlay(overlay) {}

  Result<std::vector<TableWrite>> build() {
    for (uint32_t i = 0; i < image.code.size(); ++i)
      write(Table::Code, 0, i, {image.code[i]});
    for (uint32_t c = 0; c < handler.contextCount; ++c)
      if (Status s = addContext(handler.firstContext + c); !s)
        return s.error();
    addRegisters();
    return std::move(writes);
  }

private:
  void write(Table table, unsigned pe, uint32_t index, std::array<uint32_t, 16> data) {
    writes.push_back({uint32_t(table) << 28 | pe << 20 | index, data});
  }

  /// Whole beats: what they hold beside the initial values is zero when a handler is loaded.
  void addRegisters() {
    const unsigned beatBytes = overlay.beatBytes();
    std::map<std::pair<unsigned, unsigned>, std::array<uint32_t, 16>> beats; // by PE and place
    image.loadRegisters(handler, [&](unsigned pe, size_t first, std::span<const uint8_t> bytes) {
      for (size_t at = 0; at < bytes.size(); at += 4) {
        const size_t place = first + at;
        auto &beat = beats[{pe, unsigned(place / beatBytes)}];
        std::memcpy(&beat[place % beatBytes / 4], bytes.data() + at, 4);
      }
    });
    for (const auto &[where, beat] : beats)
      write(Table::Registers, where.first, where.second, beat);
  }

  /// Rows are numbered in the handler, contexts in the image.
  Status addContext(uint32_t number) {
    model::Plan plan;
    const ImageContext &context = image.contexts[number];
    const bool carries = model::carriesValues(context.graph);
    if (Status built = model::buildPlan(context.loop, overlay, carries, plan); !built)
      return Error{"context " + std::to_string(number), built.error().str()};
    LoopContext loop = context.loop;
    for (PeContext &pe : loop.pes)
      for (Slot &slot : pe.slots)
        slot = cleaned(slot, pe);
    writeRecords(loop, number - handler.firstContext);
    writeLoopExtra(plan, number - handler.firstContext);
    for (unsigned pe = 0; pe < loop.pes.size(); ++pe)
      writeSlotExtras(loop, plan, pe);
    slotBase += loop.ii;
    return {};
  }

  /// The records of the encoded context, each to its table.
  void writeRecords(const LoopContext &loop, uint32_t row) {
    const std::vector<uint8_t> bytes = isa::encode(loop);
    size_t at = 0;
    auto take = [&](unsigned words) {
      std::array<uint32_t, 16> data{};
      std::memcpy(data.data(), bytes.data() + at, words * 4);
      at += words * 4;
      return data;
    };
    write(Table::Loop, 0, row, take(isa::LoopWords));
    for (unsigned s = 0; s < loop.ii; ++s)
      write(Table::Pop, 0, slotBase + s, take(isa::PopWords));
    for (unsigned pe = 0; pe < loop.pes.size(); ++pe) {
      write(Table::Pe, pe, row, take(isa::PeWords));
      const size_t addresses = at;
      at += loop.pes[pe].addresses.size() * isa::AddressWords * 4;
      for (unsigned s = 0; s < loop.ii; ++s) {
        writeAddresses(loop.pes[pe].slots[s], {bytes.begin() + long(addresses), bytes.end()}, pe,
                       slotBase + s);
        write(Table::SlotWord, pe, slotBase + s, take(isa::SlotWords));
      }
    }
  }

  /// The address records of a slot's ports, for hardware beside its word.
  void writeAddresses(const Slot &slot, std::span<const uint8_t> records, unsigned pe,
                      uint32_t row) {
    const std::optional<uint8_t> users[] = {
        slot.read[0].on ? std::optional(slot.read[0].address) : std::nullopt,
        slot.read[1].on ? std::optional(slot.read[1].address) : std::nullopt,
        slot.write.on ? std::optional(slot.write.address) : std::nullopt};
    std::array<uint32_t, 16> data{};
    for (unsigned port = 0; port < std::size(users); ++port)
      if (users[port])
        std::memcpy(&data[port * isa::AddressWords], &records[*users[port] * isa::AddressWords * 4],
                    isa::AddressWords * 4);
    write(Table::Address, pe, row, data);
  }

  void writeLoopExtra(const model::Plan &plan, uint32_t row) {
    Bits bits;
    bits.put(plan.overlaps, 1);
    bits.put(plan.readsMemory, 1);
    bits.put(plan.writesMemory, 1);
    bits.put(plan.interval, 16);
    // What the array folds the sequencer sees later.
    bits.put(plan.foldCycles == 0 ? 0 : plan.foldCycles + overlay.stallLatency, 16);
    bits.put(plan.foldDrain, 8);
    bits.put(plan.popsPerIteration, 16);
    bits.put(plan.pushesPerIteration, 16);
    bits.put(slotBase, 16);
    bits.put(plan.sendsConditionally, 1);
    write(Table::LoopExtra, 0, row, bits.data);
  }

  void writeSlotExtras(const LoopContext &loop, const model::Plan &plan, unsigned pe) {
    std::vector<std::array<Source, isa::NumInputs>> samples(loop.ii);
    for (unsigned s = 0; s < loop.ii; ++s) {
      const Slot &slot = loop.pes[pe].slots[s];
      // In the order of isa::Input
      const Operand *inputs[] = {&slot.a,
                                 &slot.b,
                                 &slot.c,
                                 &slot.read[0].index,
                                 &slot.read[1].index,
                                 &slot.write.index,
                                 &slot.write.data,
                                 &slot.write.predicate,
                                 &slot.memOut.data,
                                 &slot.memOut.predicate,
                                 &slot.streamOut.data,
                                 &slot.streamOut.predicate};
      static_assert(std::size(inputs) == isa::NumInputs);
      for (unsigned i = 0; i < isa::NumInputs; ++i) {
        const Operand &operand = *inputs[i];
        const bool constant = operand.source == Source::Imm0 || operand.source == Source::Imm1;
        // Indices are taken before their slot.
        const bool index = i >= unsigned(Input::ReadIndex0) && i <= unsigned(Input::WriteIndex);
        const unsigned delay = operand.delay + (index ? overlay.indexLatency : 0);
        if (operand.source != Source::None && !constant)
          samples[(s + loop.ii - delay % loop.ii) % loop.ii][i] = operand.source;
      }
    }
    unsigned accumulations = 0; // numbered in the order of the slots, as the fold goes
    for (unsigned s = 0; s < loop.ii; ++s) {
      bool interlocked[2] = {};
      uint32_t distance[2] = {};
      for (const model::ReadAction &read : plan.slots[s].reads)
        if (read.pe == pe && read.hazard != model::NoIndex) {
          interlocked[read.port] = true;
          distance[read.port] = plan.hazards[read.hazard].distance;
        }
      Bits bits;
      for (Source source : samples[s])
        bits.put(unsigned(source), 5);
      for (bool on : interlocked)
        bits.put(on, 1);
      for (uint32_t d : distance)
        bits.put(d, 16);
      bits.put(accumulations, 3);
      accumulations += loop.pes[pe].slots[s].op != isa::Op::Nop && loop.pes[pe].slots[s].accumulate;
      write(Table::SlotExtra, pe, slotBase + s, bits.data);
    }
  }

  const Image &image;
  const Handler &handler;
  const Overlay &overlay;
  uint32_t slotBase = 0;
  std::vector<TableWrite> writes;
};

} // namespace

Result<std::vector<TableWrite>> deviceTables(const Image &image, const Handler &handler,
                                             const Overlay &overlay) {
  return Builder(image, handler, overlay).build();
}

} // namespace acis::rtl
