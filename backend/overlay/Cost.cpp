// See Cost.h.
#include "backend/overlay/Cost.h"

#include "backend/overlay/Json.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <optional>

namespace acis {
namespace {

using overlay::Json;

constexpr std::string_view devicesText =
#include "backend/overlay/Devices.inc"
    ;
constexpr std::string_view costsText =
#include "backend/overlay/Costs.inc"
    ;

/// Files of ours, in the program: a test reads them.
Json treeOf(std::string_view text, const char *name) {
  Result<Json> parsed = overlay::parseJson(text, name);
  return parsed ? std::move(*parsed) : Json::object();
}
const Json &devices() {
  static const Json tree = treeOf(devicesText, "devices.json");
  return tree;
}
const Json &costs() {
  static const Json tree = treeOf(costsText, "costs.json");
  return tree;
}

std::string namesOf(const Json &tree) {
  std::string names;
  for (const auto &item : tree.items())
    names += (names.empty() ? "" : ", ") + item.key();
  return names;
}

unsigned bitsOf(unsigned values) { return unsigned(std::bit_width(values - 1)); }

/// Memories of a depth, one of 32 bits for each lane, that hold the register file.
double fileMemories(const Overlay &o, const PeKind &kind, unsigned depth) {
  return kind.vrf ? double((o.vrfCopies ? 2 : 1) * o.lanes * ((o.vrfBeats + depth - 1) / depth))
                  : 0;
}

/// A product as the table has it, "lanes*links": of those quantities; nothing of an unknown one.
std::optional<double> product(std::string_view names, const std::vector<Quantity> &quantities) {
  double value = 1;
  for (size_t begin = 0; begin <= names.size();) {
    const size_t end = std::min(names.find('*', begin), names.size());
    const std::string_view name = names.substr(begin, end - begin);
    const auto found = std::find_if(quantities.begin(), quantities.end(),
                                    [&](const Quantity &q) { return q.first == name; });
    if (found == quantities.end())
      return std::nullopt;
    value *= found->second;
    begin = end + 1;
  }
  return value;
}

/// Cells of a block in one place.
Result<Cells> cellsOf(const Json &block, const std::vector<Quantity> &quantities) {
  Cells cells{};
  for (unsigned kind = 0; kind < NumCells; ++kind) {
    const Json terms = block.value(std::string(cellNames[kind]), Json::object());
    for (const auto &term : terms.items()) {
      const std::optional<double> value = product(term.key(), quantities);
      if (!value)
        return Error{"costs.json", "found '" + term.key() +
                                       "', which is no product of quantities; make the table "
                                       "again (utils/rtl/fit-costs.py)"};
      cells[kind] += *value * term.value().get<double>();
    }
  }
  return cells;
}

std::string formatted(const char *format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}
std::string rounded(double value) { return formatted("%.0f", value); }
std::string shown(double value) { return formatted("%g", value); }

/// The fields of which the places have more or less than the samples that the table was fitted to.
std::string extrapolated(const Json &ranges, const std::vector<std::vector<Quantity>> &places) {
  std::string note;
  for (const auto &range : ranges.items()) {
    const double from = range.value()["from"], to = range.value()["to"];
    const std::string field = " " + range.value().value("field", "") + " (";
    const auto beyond = [&](const Quantity &q) {
      return q.first == range.key() && (q.second < from || q.second > to);
    };
    for (const auto &place : places) {
      const auto found = std::find_if(place.begin(), place.end(), beyond);
      if (found == place.end() || note.find(field) != std::string::npos)
        continue;
      note += (note.empty() ? "extrapolated beyond the table's samples in" : ",") + field +
              range.key() + " " + shown(found->second) + ", they have " + shown(from) + " to " +
              shown(to) + ")";
      break;
    }
  }
  return note;
}

} // namespace

Result<Fpga> findDevice(std::string_view name) {
  const auto found = devices().find(name);
  if (found == devices().end())
    return Error{"--device",
                 "found '" + std::string(name) + "', allowed are " + namesOf(devices())};
  Fpga device{std::string(name), found->value("family", ""), {}};
  for (unsigned kind = 0; kind < NumCells; ++kind)
    device.has[kind] = found->value(std::string(cellNames[kind]), 0.0);
  return device;
}

std::vector<Quantity> coreQuantities(const Overlay &o) {
  const bool wide = std::any_of(o.pes.begin(), o.pes.end(),
                                [](const PeKind &pe) { return !pe.lacks(extra::Wide); });
  const bool blocks = o.contextRam == Ram::Block || o.contextRam == Ram::Ultra;
  return {{"one", 1},
          {"pes", o.numPes()},
          {"pesBits", bitsOf(o.numPes())},
          {"ports", o.memoryPorts()},
          {"lanes", o.lanes},
          {"lanesBits", bitsOf(o.lanes)},
          {"regs", o.routeRegs},
          {"delays", o.operandDelay},
          {"delayBits", bitsOf(o.operandDelay)},
          {"delayRows", std::ceil(o.operandDelay / 16.0)},
          {"slots", o.contextSlots},
          {"slotRows", std::ceil(o.contextSlots / 16.0)},
          {"contexts", o.maxContexts},
          {"arguments", o.arguments},
          {"stages", o.stages},
          {"anyWide", wide},
          {"rowBlocks", blocks ? std::ceil(o.contextSlots / 512.0) : 0},
          {"rowSlots", blocks ? 0 : o.contextSlots},
          {"interlocks", o.interlocks},
          {"beats", o.vrfBeats},
          {"beatsBits", bitsOf(o.vrfBeats)},
          {"bursts", o.memBurstBeats},
          {"outstanding", o.memOutstanding},
          {"fifo", o.fifoBeats},
          {"codeBlocks", std::ceil(o.codeBytes / 2048.0)},
          {"scratchBlocks", std::ceil(o.scratchBytes / 2048.0)},
          {"pipeline", o.scalarPipeline},
          {"noVector", !o.scalarVector},
          {"oneRead", o.vrfReadPorts == 1},
          {"following", o.stallLatency}};
}

std::vector<Quantity> peQuantities(const Overlay &o, unsigned pe) {
  const PeKind &kind = o.pes[pe];
  const auto has = [&](Extras extra) { return kind.lacks(extra) ? 0.0 : 1.0; };
  double in = 0, out = 0, units = 0;
  for (const Link &link : o.links) {
    in += link.to == pe;
    out += link.from == pe;
  }
  for (const bool unit : kind.units)
    units += unit;
  std::vector<Quantity> all = coreQuantities(o);
  /// As a part of one that has units for all lanes.
  const auto unit = [&](UnitClass c) { return kind.has(c) ? 1.0 / kind.everyOf(c) : 0.0; };
  const auto stages = [&](UnitClass c) { return unit(c) * o.latencyOf(c); };
  const std::vector<Quantity> own = {
      {"units", units},
      {"integer", unit(UnitClass::Integer)},
      {"convert", unit(UnitClass::Convert)},
      {"float", unit(UnitClass::Float)},
      {"divide", unit(UnitClass::Divide)},
      {"integerStages", stages(UnitClass::Integer)},
      {"convertStages", stages(UnitClass::Convert)},
      {"floatStages", stages(UnitClass::Float)},
      {"divideStages", stages(UnitClass::Divide)},
      {"memory", kind.memory},
      {"file", kind.vrf},
      {"file512", o.vrfRam == Ram::Ultra ? 0 : fileMemories(o, kind, 512)},
      {"file4096", o.vrfRam == Ram::Ultra ? fileMemories(o, kind, 4096) : 0},
      {"wide", has(extra::Wide)},
      {"fused", has(extra::Fused)},
      {"gather", has(extra::Gather)},
      {"moves", has(extra::Moves)},
      {"in", in},
      {"out", out}};
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

Cells Cost::total() const {
  Cells sum{};
  for (const BlockCost &block : blocks)
    for (unsigned kind = 0; kind < NumCells; ++kind)
      sum[kind] += block.cells[kind];
  return sum;
}

Result<Cost> estimateCost(const Overlay &overlay, std::string_view family) {
  const auto table = costs().find(family);
  if (table == costs().end())
    return Error{"", "no costs for family '" + std::string(family) + "'; there are some for " +
                         namesOf(costs()) + " (utils/rtl/fit-costs.py makes them)"};
  std::vector<std::vector<Quantity>> pes;
  for (unsigned pe = 0; pe < overlay.numPes(); ++pe)
    pes.push_back(peQuantities(overlay, pe));
  const std::vector<std::vector<Quantity>> core = {coreQuantities(overlay)};
  Cost cost{std::string(family), {}, extrapolated(table->value("ranges", Json::object()), pes)};
  for (const Json &block : (*table)["blocks"]) {
    BlockCost &sum = cost.blocks.emplace_back();
    sum.block = block.value("block", "");
    sum.field = block.value("field", "");
    for (const auto &place : sum.block.starts_with("core/grid/pe") ? pes : core) {
      Result<Cells> cells = cellsOf(block, place);
      if (!cells)
        return cells.error();
      for (unsigned kind = 0; kind < NumCells; ++kind)
        sum.cells[kind] += std::max(0.0, (*cells)[kind]);
    }
  }
  return cost;
}

Status checkFits(const Cost &cost, const Fpga &device, std::string_view fileName) {
  const Cells total = cost.total();
  for (unsigned kind = 0; kind < NumCells; ++kind) {
    if (total[kind] <= device.has[kind])
      continue;
    const BlockCost &largest = *std::max_element(
        cost.blocks.begin(), cost.blocks.end(),
        [&](const BlockCost &a, const BlockCost &b) { return a.cells[kind] < b.cells[kind]; });
    return Error{std::string(fileName) + ": " + largest.field,
                 "found about " + rounded(total[kind]) + " " + std::string(cellNames[kind]) +
                     " in all, " + rounded(largest.cells[kind]) + " of them in " + largest.block +
                     ", which goes by this field most; " + device.name + " has " +
                     rounded(device.has[kind])};
  }
  return {};
}

} // namespace acis
