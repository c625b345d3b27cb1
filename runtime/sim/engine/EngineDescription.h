// The hardware of an engine of a direct network by numbers: the switch of the dissertation's
// chapter 3 (control module, units for gathers and reductions, FIFOs) with the time that
// publication 003 has for a packet. Read from JSON, checked field by field; docs/engines.md,
// "Hardware".
#pragma once

#include "backend/support/Result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace acis::cluster {

struct EngineDescription {
  std::string name = "u280-torus";
  double clockMHz = 250;
  uint32_t phitBits = 256; ///< that a port takes in, and gives, in a cycle
  uint32_t ports = 6;      ///< R: to other engines; the host has one besides
  /// Packets that the control module takes at once; 0: one of each port.
  uint32_t datapaths = 0;
  uint32_t reductions = 6;     ///< SA: units for gathers and reductions, with R columns each
  uint32_t unitsPerColumn = 4; ///< that fold a word of `unitBits` in a cycle, each
  uint32_t unitBits = 64;
  uint32_t unitCycles = 8;   ///< from operands to the result
  double portToPortNs = 52;  ///< what passes by, at least
  double packetNs = 125;     ///< of what is for this engine, besides: control module and one unit
  uint32_t marginPhits = 16; ///< m: what still arrives after "stop"
  uint32_t slackLevels = 2;  ///< q
  uint32_t bufferBytes = 0;  ///< of the FIFO of a port; 0: by equation 3.1
  /// Of the protocol: payload of a datagram, and of a message, which is folded when it is whole.
  uint32_t packetBytes = 1392, messageBytes = 65'536;

  // What follows from these. Times in cycles are rounded up.
  double cycleNs() const { return 1e3 / clockMHz; }
  uint64_t cycles(double ns) const;
  uint64_t phits(uint64_t bytes) const; ///< at least 1
  uint64_t passCycles() const { return cycles(portToPortNs); }
  uint64_t packetCycles() const { return cycles(packetNs); }
  /// That a phit of operands holds its column.
  uint64_t cyclesPerPhit() const;
  /// R x units of a column, in all reduction units: "#AgLU" of the dissertation's table 3.3.
  uint64_t units() const { return uint64_t(reductions) * ports * unitsPerColumn; }
  /// Operands that a reduction unit folds in one pass: of each port, and of the host.
  uint32_t operandsAtOnce() const { return ports + 1; }
  /// From the first phit of the last of so many operands until the first of their fold:
  /// packetCycles with one unit in the way, and unitCycles for each more. Two chains of columns
  /// meet at the end; what is beyond operandsAtOnce() goes through them again.
  uint64_t foldCycles(uint32_t operands) const;
  /// A port's FIFO, in a network whose collectives have trees of that depth.
  uint64_t buffer(uint32_t depth, double linkNs) const;
  /// What a FIFO must hold so that the host at the root of such a tree never has to stop: it gives
  /// a phit each cycle, and the first that is folded with it comes by `depth` links and engines.
  uint64_t streamingBuffer(uint32_t depth, double linkNs) const;

  /// Unknown fields, values out of range and what does not fit together are errors that name
  /// `path`, "" or "engine", and the field.
  static Result<EngineDescription> read(const nlohmann::json &json, const std::string &path);
  nlohmann::ordered_json json() const;
};

/// A number of a description: the reader, the tool and the JSON Schema have the same ones.
struct EngineField {
  std::string_view name;
  std::variant<uint32_t EngineDescription::*, double EngineDescription::*> member;
  double least, most;
  std::string_view meaning; ///< with unit and source

  bool isWhole() const { return member.index() == 0; }
};
std::span<const EngineField> engineFields();

} // namespace acis::cluster
