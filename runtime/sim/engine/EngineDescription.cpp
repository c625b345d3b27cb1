// See EngineDescription.h.
#include "runtime/sim/engine/EngineDescription.h"

#include "backend/netmodel/Buffers.h"
#include "runtime/sim/engine/JsonFields.h"

#include <algorithm>
#include <cmath>

namespace acis::cluster {
namespace {

using D = EngineDescription;

constexpr EngineField allFields[] = {
    {"clockMHz", &D::clockMHz, 1, 2000, "of the engine (dissertation, 3.6)"},
    {"phitBits", &D::phitBits, 8, 4096, "that a port takes in each cycle (the same, 3.2.5)"},
    {"ports", &D::ports, 1, 64, "R, to other engines (the same, 3.4.1: a 3D torus)"},
    {"datapaths", &D::datapaths, 0, 65,
     "packets that the control module takes at once; 0: one of each port; 003 has one"},
    {"reductions", &D::reductions, 1, 64,
     "SA, units for gathers and reductions (dissertation, table 3.3)"},
    {"unitsPerColumn", &D::unitsPerColumn, 1, 64, "that fold at the same time (the same, 3.4.3)"},
    {"unitBits", &D::unitBits, 8, 1024, "of a unit (the same)"},
    {"unitCycles", &D::unitCycles, 1, 1000,
     "from operands to a result (backend/overlay/descriptions/u280.json, float)"},
    {"portToPortNs", &D::portToPortNs, 0.1, 1e6, "of what passes by (dissertation, table 5.2)"},
    {"packetNs", &D::packetNs, 0, 1e6,
     "more of what is for this engine: control module and one unit (003: 25 cycles)"},
    {"marginPhits", &D::marginPhits, 0, 65'536,
     "m of equation 3.1: what still arrives after a stop"},
    {"slackLevels", &D::slackLevels, 0, 1024, "q of equation 3.1"},
    {"bufferBytes", &D::bufferBytes, 0, 1 << 30, "FIFO of a port; 0: by equation 3.1"},
    {"packetBytes", &D::packetBytes, 64, 65'000, "payload of a datagram (docs/wire-protocol.md)"},
    {"messageBytes", &D::messageBytes, 1024, 1 << 20,
     "of a message, which is folded when it is whole (acisd --message-bytes)"},
};

/// So many levels of chained units has the fold of so many operands in two chains that meet.
uint64_t levels(uint64_t operands) { return operands < 2 ? 0 : (operands + 1) / 2; }

std::string text(double limit) {
  return limit == std::floor(limit) ? std::to_string(uint64_t(limit)) : Json(limit).dump();
}

Status readField(const EngineField &field, const Json &value, const std::string &path,
                 EngineDescription &out) {
  const double number = value.is_number() ? value.get<double>() : NAN;
  if (!(number >= field.least && number <= field.most) ||
      (field.isWhole() && number != std::floor(number))) {
    const std::string kind = field.isWhole() ? "a whole number" : "a number";
    return wrong(path, value, kind + " from " + text(field.least) + " to " + text(field.most));
  }
  if (const auto *whole = std::get_if<uint32_t D::*>(&field.member))
    out.**whole = uint32_t(number);
  else
    out.*std::get<double D::*>(field.member) = number;
  return {};
}

/// What each field allows by itself, but not with the others.
Status checkTogether(const EngineDescription &out, const std::string &prefix) {
  if (out.phitBits % 8 != 0)
    return Error{prefix + "phitBits",
                 "found " + std::to_string(out.phitBits) + "; expected a multiple of 8"};
  if (uint64_t(out.unitsPerColumn) * out.unitBits > out.phitBits)
    return Error{prefix + "unitsPerColumn",
                 std::to_string(out.unitsPerColumn) + " units of " + std::to_string(out.unitBits) +
                     " bits fold more than a phit of " + std::to_string(out.phitBits) +
                     " bits has; give fewer, or larger phits"};
  const uint64_t margin = uint64_t(out.marginPhits) * out.phitBits / 8;
  if (out.bufferBytes != 0 && out.bufferBytes <= margin)
    return Error{prefix + "bufferBytes", "found " + std::to_string(out.bufferBytes) +
                                             "; the margin alone is " + std::to_string(margin) +
                                             " bytes; give more, or 0 for equation 3.1"};
  if (out.messageBytes < out.packetBytes)
    return Error{prefix + "messageBytes", "found " + std::to_string(out.messageBytes) +
                                              "; expected at least packetBytes, " +
                                              std::to_string(out.packetBytes)};
  return {};
}

} // namespace

std::span<const EngineField> engineFields() { return allFields; }

uint64_t EngineDescription::cycles(double ns) const {
  return uint64_t(std::ceil(ns * clockMHz / 1e3 - 1e-9));
}

uint64_t EngineDescription::phits(uint64_t bytes) const {
  return std::max<uint64_t>(1, (bytes * 8 + phitBits - 1) / phitBits);
}

uint64_t EngineDescription::cyclesPerPhit() const {
  const uint64_t width = uint64_t(unitsPerColumn) * unitBits;
  return (phitBits + width - 1) / width;
}

uint64_t EngineDescription::foldCycles(uint32_t operands) const {
  const uint64_t first = levels(std::min(operands, operandsAtOnce()));
  uint64_t units = first;
  for (uint64_t done = operandsAtOnce(); done < operands; done += ports)
    units += levels(std::min<uint64_t>(operands - done, ports) + 1);
  return packetCycles() + (units > 1 ? (units - 1) * unitCycles : 0);
}

uint64_t EngineDescription::buffer(uint32_t depth, double linkNs) const {
  if (bufferBytes != 0)
    return bufferBytes;
  netmodel::Buffer equation;
  equation.margin = marginPhits;
  equation.depth = depth;
  equation.slack = slackLevels;
  equation.linkLatency = linkNs;
  equation.clockPeriod = cycleNs();
  equation.phitBytes = phitBits / 8.0;
  return uint64_t(std::ceil(equation.bytes() - 1e-6));
}

uint64_t EngineDescription::streamingBuffer(uint32_t depth, double linkNs) const {
  const uint64_t level = cycles(linkNs) + passCycles() + packetCycles();
  return (marginPhits + depth * level) * phitBits / 8;
}

Result<EngineDescription> EngineDescription::read(const nlohmann::json &json,
                                                  const std::string &path) {
  std::vector<std::string> names = {"$schema", "name"};
  for (const EngineField &field : allFields)
    names.emplace_back(field.name);
  if (Status status = checkFields(json, path, names); !status)
    return status.error();
  const std::string prefix = path.empty() ? "" : path + "/";
  EngineDescription out;
  if (const auto at = json.find("name"); at != json.end()) {
    if (!at->is_string() || at->get_ref<const std::string &>().empty())
      return wrong(prefix + "name", *at, "a text");
    out.name = at->get<std::string>();
  }
  for (const EngineField &field : allFields)
    if (const auto at = json.find(field.name); at != json.end())
      if (Status status = readField(field, *at, prefix + std::string(field.name), out); !status)
        return status.error();
  if (Status status = checkTogether(out, prefix); !status)
    return status.error();
  return out;
}

nlohmann::ordered_json EngineDescription::json() const {
  nlohmann::ordered_json out = {{"name", name}};
  for (const EngineField &field : allFields)
    if (const auto *whole = std::get_if<uint32_t D::*>(&field.member))
      out[std::string(field.name)] = this->**whole;
    else
      out[std::string(field.name)] = this->*std::get<double D::*>(field.member);
  return out;
}

} // namespace acis::cluster
