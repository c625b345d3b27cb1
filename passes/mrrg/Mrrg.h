// The modulo routing resource graph of one overlay at one initiation interval.
//
// Immutable. A track is something that a PE (or the whole grid) has once per slot;
// a cell is a track in one slot, and can be used once. Cells are numbered
// track * ii + slot, so that users keep what they know about them in flat arrays.
// The cell of a link is in the slot in which the link is written, of a register in
// the slots in which it holds, of a register's write port in the slot of the write,
// of an operand input in the slot in which it samples its source.
#pragma once

#include "backend/isa/Numbers.h"
#include "backend/overlay/Overlay.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace acis::map {

/// The operand inputs of a PE, each with a source multiplexer and a delay line: those of
/// isa::Input, in the order of an operation's operands.
/// ReadIndex0 + k belongs to VRF read port k.
enum class Input : uint8_t {
  A,
  B,
  C,
  ReadIndex0,
  ReadIndex1,
  WriteData,
  WriteIndex,
  WritePredicate,
  MemData,
  MemPredicate,
  StreamData,
  StreamPredicate,
};
using isa::NumInputs;
inline constexpr unsigned MaxReadPorts = 2; ///< isa::Source names two

class Mrrg {
public:
  Mrrg(const Overlay &overlay, unsigned ii);

  unsigned ii() const { return interval; }
  unsigned numPes() const { return pes; }
  unsigned numRegisters() const { return registers; }
  unsigned numReadPorts() const { return readPorts; }
  unsigned numCells() const { return tracks * interval; }
  /// The slot of an array time, which may be negative while a schedule is built.
  unsigned slotOf(int time) const {
    int slot = time % int(interval);
    return unsigned(slot < 0 ? slot + int(interval) : slot);
  }

  unsigned unit(unsigned pe, unsigned slot) const { return cell(pe, 0, slot); }
  unsigned regWrite(unsigned pe, unsigned slot) const { return cell(pe, 1, slot); }
  /// The functional unit's result bus, in the slot in which an operation finishes: two
  /// operations of different latency can want it at once.
  unsigned result(unsigned pe, unsigned slot) const { return cell(pe, 7, slot); }
  unsigned vrfWrite(unsigned pe, unsigned slot) const { return cell(pe, 2, slot); }
  unsigned vrfRead(unsigned pe, unsigned port, unsigned slot) const {
    return cell(pe, 3 + port, slot);
  }
  /// A unit that lanes share, in the slots in which it is busy with an operation.
  unsigned sharedUnit(unsigned pe, UnitClass unit, unsigned slot) const {
    return cell(pe, unit == UnitClass::Divide ? 9 : 8, slot);
  }
  /// A memory port has one address generator per PE and loop, so one access takes
  /// it in every slot: slot 0 stands for all of them.
  unsigned memRead(unsigned pe) const { return cell(pe, 5, 0); }
  unsigned memWrite(unsigned pe) const { return cell(pe, 6, 0); }
  unsigned input(unsigned pe, Input input, unsigned slot) const {
    return cell(pe, FirstInput + unsigned(input), slot);
  }
  unsigned reg(unsigned pe, unsigned index, unsigned slot) const {
    return cell(pe, FirstInput + NumInputs + index, slot);
  }
  /// Whether nodes take the cell, not routes.
  bool isNodeCell(unsigned cell) const {
    unsigned track = cell / interval;
    return track >= firstGlobal ||
           (track < firstLink && track % perPe < FirstInput && track % perPe != 1);
  }
  /// Whether the cell is a register's, and of which PE and slot.
  bool isRegister(unsigned cell, unsigned &pe, unsigned &slot) const {
    unsigned track = cell / interval;
    pe = track / perPe;
    slot = cell % interval;
    return track < firstLink && track % perPe >= FirstInput + NumInputs;
  }
  unsigned link(unsigned linkId, unsigned slot) const {
    return (firstLink + linkId) * interval + slot;
  }
  unsigned streamIn(unsigned slot) const { return (firstGlobal + 0) * interval + slot; }
  unsigned streamOut(unsigned slot) const { return (firstGlobal + 1) * interval + slot; }

  struct OutLink {
    unsigned id; ///< index in Overlay::links
    unsigned to, inPort;
  };
  /// Of a link by its index in Overlay::links.
  unsigned linkSource(unsigned id) const { return linkFrom[id]; }
  /// Index of the link that arrives at in-link `inPort` of the PE.
  unsigned linkInto(unsigned pe, unsigned inPort) const {
    return into[pe * Overlay::MaxLinks + inPort];
  }
  std::span<const OutLink> outLinks(unsigned pe) const {
    return {out.data() + outStart[pe], out.data() + outStart[pe + 1]};
  }
  /// Links on the shortest way; Unreachable if there is none.
  static constexpr unsigned Unreachable = 1u << 16;
  unsigned hops(unsigned from, unsigned to) const { return distance[from * pes + to]; }

  /// For messages: "register 3 of PE 5 in slot 0".
  std::string describe(unsigned cell) const;

  static constexpr unsigned FirstInput = 10; ///< track of the first operand input

private:
  unsigned cell(unsigned pe, unsigned track, unsigned slot) const {
    return (pe * perPe + track) * interval + slot;
  }

  unsigned interval, pes, registers, readPorts;
  unsigned perPe, firstLink, firstGlobal, tracks;
  std::vector<OutLink> out;
  std::vector<unsigned> outStart, distance;
  std::vector<unsigned> linkFrom, into;
};

} // namespace acis::map
