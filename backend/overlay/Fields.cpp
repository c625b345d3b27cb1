// The table of description fields and the limits of each.
//
// Limits come from the widths of the fields that hold a size in a context word
// (backend/isa/Config.td), in an instruction, or in RVV (VLEN <= 65,536).
#include "backend/overlay/Fields.h"

namespace acis::overlay {

namespace {

using K = FieldKind;

#define SET(member) [](Overlay &o, uint64_t value) { o.member = decltype(o.member)(value); }
#define SET_EXTRA(which) [](PeKind &pe, uint64_t value) { setExtra(pe, extra::which, value != 0); }
#define SET_PE(member) [](PeKind &pe, uint64_t value) { pe.member = decltype(pe.member)(value); }
#define SET_EVERY(unit)                                                                            \
  [](PeKind &pe, uint64_t value) { pe.every[unsigned(UnitClass::unit)] = unsigned(value); }

constexpr Field table[] = {
    {"/$schema", K::Text, /*required=*/false},
    {"/name", K::Text},
    {"/about", K::Text, /*required=*/false},
    {"/grid", K::Object},
    {"/grid/rows", K::Integer, true, 1, 32, SET(rows)},
    {"/grid/cols", K::Integer, true, 1, 32, SET(cols)},
    {"/grid/topology", K::Choice, true, 0, 0, SET(topology), nullptr, topologyNames},
    {"/grid/launchLatency", K::Integer, /*required=*/false, 0, 2, SET(launchLatency)},
    {"/grid/stallLatency", K::Integer, /*required=*/false, 0, 2, SET(stallLatency)},
    {"/grid/default", K::Object},
    {"/grid/default/units", K::Units},
    {"/grid/default/memory", K::Flag, true, 0, 0, nullptr, SET_PE(memory)},
    {"/grid/default/vrf", K::Flag, true, 0, 0, nullptr, SET_PE(vrf)},
    {"/grid/default/widths", K::Widths, /*required=*/false},
    {"/grid/default/fused", K::Flag, /*required=*/false, 0, 0, nullptr, SET_EXTRA(Fused)},
    {"/grid/default/gather", K::Flag, /*required=*/false, 0, 0, nullptr, SET_EXTRA(Gather)},
    {"/grid/default/moves", K::Flag, /*required=*/false, 0, 0, nullptr, SET_EXTRA(Moves)},
    {"/grid/default/every", K::Object, /*required=*/false},
    {"/grid/default/every/convert", K::Power, /*required=*/false, 1, 64, nullptr,
     SET_EVERY(Convert)},
    {"/grid/default/every/divide", K::Power, /*required=*/false, 1, 64, nullptr, SET_EVERY(Divide)},
    {"/grid/overrides", K::Overrides, /*required=*/false},
    {"/grid/overrides/*/pes", K::PeList},
    {"/grid/overrides/*/units", K::Units, /*required=*/false},
    {"/grid/overrides/*/memory", K::Flag, /*required=*/false, 0, 0, nullptr, SET_PE(memory)},
    {"/grid/overrides/*/vrf", K::Flag, /*required=*/false, 0, 0, nullptr, SET_PE(vrf)},
    {"/grid/overrides/*/widths", K::Widths, /*required=*/false},
    {"/grid/overrides/*/fused", K::Flag, /*required=*/false, 0, 0, nullptr, SET_EXTRA(Fused)},
    {"/grid/overrides/*/gather", K::Flag, /*required=*/false, 0, 0, nullptr, SET_EXTRA(Gather)},
    {"/grid/overrides/*/moves", K::Flag, /*required=*/false, 0, 0, nullptr, SET_EXTRA(Moves)},
    {"/grid/overrides/*/every", K::Object, /*required=*/false},
    {"/grid/overrides/*/every/convert", K::Power, /*required=*/false, 1, 64, nullptr,
     SET_EVERY(Convert)},
    {"/grid/overrides/*/every/divide", K::Power, /*required=*/false, 1, 64, nullptr,
     SET_EVERY(Divide)},
    {"/pe", K::Object},
    {"/pe/lanes", K::Power, true, 2, 64, SET(lanes)},
    {"/pe/latency", K::Object},
    {"/pe/latency/integer", K::Integer, true, 1, 128, SET(latency[0])},
    {"/pe/latency/convert", K::Integer, true, 1, 128, SET(latency[1])},
    {"/pe/latency/float", K::Integer, true, 1, 128, SET(latency[2])},
    {"/pe/latency/divide", K::Integer, true, 1, 128, SET(latency[3])},
    {"/pe/inputLatency", K::Integer, /*required=*/false, 0, 1, SET(inputLatency)},
    {"/pe/indexLatency", K::Integer, /*required=*/false, 0, 3, SET(indexLatency)},
    {"/pe/routeRegs", K::Integer, true, 1, 16, SET(routeRegs)},
    {"/pe/operandDelay", K::Integer, true, 1, 256, SET(operandDelay)},
    {"/pe/interlocks", K::Integer, /*required=*/false, 1, 16, SET(interlocks)},
    {"/pe/arguments", K::Integer, /*required=*/false, 8, 32, SET(arguments)},
    {"/pe/stages", K::Power, /*required=*/false, 16, 256, SET(stages)},
    {"/pe/contextSlots", K::Integer, true, 1, 256, SET(contextSlots)}, // rows of acis_slots: 8 bits
    {"/pe/maxContexts", K::Integer, true, 1, 128, SET(maxContexts)},
    {"/pe/contextRam", K::Choice, /*required=*/false, 0, 0, SET(contextRam), nullptr, ramNames},
    {"/vrf", K::Object},
    {"/vrf/beats", K::Power, true, 32, 16384, SET(vrfBeats)},
    {"/vrf/readPorts", K::Integer, true, 1, 2, SET(vrfReadPorts)},
    {"/vrf/copies", K::Flag, /*required=*/false, 0, 0, SET(vrfCopies)},
    {"/vrf/ram", K::Choice, /*required=*/false, 0, 0, SET(vrfRam), nullptr, ramNames},
    {"/memory", K::Object},
    {"/memory/bytes", K::Integer, true, 4096, uint64_t(1) << 40, SET(memBytes)},
    {"/memory/banks", K::Integer, true, 1, 256, SET(memBanks)},
    {"/memory/interleaveBytes", K::Power, true, 64, 1 << 20, SET(memInterleaveBytes)},
    {"/memory/readLatency", K::Integer, true, 1, 1024, SET(memReadLatency)},
    {"/memory/writeLatency", K::Integer, true, 1, 1024, SET(memWriteLatency)},
    {"/memory/burstBeats", K::Integer, true, 1, 256, SET(memBurstBeats)},
    {"/memory/outstanding", K::Integer, true, 1, 256, SET(memOutstanding)},
    {"/stream", K::Object},
    {"/stream/fifoBeats", K::Integer, true, 2, 4096, SET(fifoBeats)},
    {"/stream/headerBytes", K::Integer, true, 0, 256, SET(headerBytes)},
    {"/scalar", K::Object},
    {"/scalar/codeBytes", K::Power, true, 256, 1 << 24, SET(codeBytes)},
    {"/scalar/scratchBytes", K::Power, true, 256, 1 << 24, SET(scratchBytes)},
    {"/scalar/pipeline", K::Integer, /*required=*/false, 0, 1, SET(scalarPipeline)},
    {"/scalar/vector", K::Flag, /*required=*/false, 0, 0, SET(scalarVector)},
    {"/clockMhz", K::Number, true, 0, 10000},
};

#undef SET
#undef SET_PE
#undef SET_EVERY
#undef SET_EXTRA

std::string joined(std::span<const std::string_view> names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += std::string(i ? ", " : "") + "\"" + std::string(names[i]) + "\"";
  return text;
}

} // namespace

std::span<const Field> fields() { return table; }

std::string_view parentOf(std::string_view path) { return path.substr(0, path.rfind('/')); }

std::string_view nameOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string allowed(const Field &field) {
  std::string range = " from " + std::to_string(field.min) + " to " + std::to_string(field.max);
  switch (field.kind) {
  case K::Object:
    return "an object";
  case K::Integer:
    return "an integer" + range;
  case K::Power:
    return "a power of two" + range;
  case K::Number:
    return "a number above 0, at most " + std::to_string(field.max);
  case K::Text:
    return "a text of at least one character";
  case K::Flag:
    return "true or false";
  case K::Units:
    return "an array of different unit classes out of " + joined(unitNames);
  case K::Widths:
    return "[32] or [32,64]";
  case K::Choice:
    return "one of " + joined(field.names);
  case K::PeList:
    return "an array of PE numbers below rows * cols";
  case K::Overrides:
    return "an array of objects";
  }
  return "";
}

} // namespace acis::overlay
