// The overlay: one machine in many sizes, read from a JSON description.
//
// Every size that the compiler, the engines and the RTL use comes from here;
// nothing else in the project writes one down. Source of the u280 numbers:
// FLASH (ICS'23) and the dissertation's chapter 4.
#pragma once

#include "backend/support/Result.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace acis {

/// Functional-unit classes (A..D are FLASH's letters).
enum class UnitClass : uint8_t {
  Integer, ///< A: integer arithmetic, logic, compare, select, lane moves
  Convert, ///< B: between integer and floating point
  Float,   ///< C: add, multiply, multiply-accumulate
  Divide,  ///< D: divide, remainder, square root
};
inline constexpr unsigned NumUnitClasses = 4;

enum class Topology : uint8_t { Chain, Mesh, Torus, King, OneHop };

/// Which memories of a device hold the register files; Auto leaves it to the tool.
enum class Ram : uint8_t { Auto, Distributed, Block, Ultra };

/// What the units and the register file of a PE can do beyond elements of 32 bits, each operand by
/// itself: a set of bits.
using Extras = uint8_t;
namespace extra {
inline constexpr Extras Wide = 1 << 0;  ///< operations on elements of 64 bits
inline constexpr Extras Fused = 1 << 1; ///< multiply-add with one rounding (`fma`)
/// A register-file access in which each lane has its index.
inline constexpr Extras Gather = 1 << 2;
inline constexpr Extras Moves = 1 << 3; ///< `iota`, `lane`, `slide`
inline constexpr Extras All = Wide | Fused | Gather | Moves;
} // namespace extra
/// "elements of 64 bits and fused multiply-add", for messages.
std::string namesOf(Extras extras);

/// One PE's equipment. PEs are numbered row by row from 0.
struct PeKind {
  std::array<bool, NumUnitClasses> units{}; ///< which classes this PE has
  bool memory = false;                      ///< has a port to off-chip memory
  bool vrf = false;                         ///< has a vector register file
  Extras extras = extra::All;               ///< what units and register file can do
  /// Slots from an operation of the class to the next one: 1, or a power of two if its lanes share
  /// units, which work on the lanes of an operation one after the other. Convert and Divide only.
  std::array<unsigned, NumUnitClasses> every{1, 1, 1, 1};
  /// Which of these the PE has not.
  Extras lacks(Extras needed) const { return Extras(needed & ~extras); }
  bool has(UnitClass c) const { return units[static_cast<unsigned>(c)]; }
  unsigned everyOf(UnitClass c) const { return every[static_cast<unsigned>(c)]; }
};

/// A directed link. `port` is its number among the out-links of `from`, and
/// `inPort` its number among the in-links of `to`; both below MaxLinks.
struct Link {
  unsigned from, to, port, inPort;
};

class Overlay {
public:
  static constexpr unsigned MaxLinks = 8;  ///< in- or out-links of a PE
  static constexpr unsigned NumVregs = 32; ///< vector registers, as RVV names them
  static constexpr unsigned LaneBytes = 4; ///< a lane is 32 bits; 64-bit types use pairs

  /// Reads and validates a description. An error names the file, the JSON path,
  /// what was found and what is allowed.
  static Result<Overlay> parse(std::string_view json, std::string_view fileName);
  /// The text of a description. The name of a shipped one (u280.json) works without the file.
  static Result<std::string> readText(const std::string &path);
  /// Both.
  static Result<Overlay> load(const std::string &path);

  std::string name;
  // Grid
  unsigned rows = 1, cols = 1;
  Topology topology = Topology::Chain;
  std::vector<PeKind> pes; ///< rows * cols, filled from "default" and "overrides"
  std::vector<Link> links; ///< derived from the topology
  /// Cycles from when a launch may start to its first iteration: 0; 1 with a register behind the
  /// question whether it may; 2 with another one behind its first slot (docs/timing.md).
  unsigned launchLatency = 0;
  /// Cycles from when a slot is decided to when the array does it: 0, or 1 or 2 with registers
  /// between the sequencer and the array, which then decides from what it knows by itself
  /// (docs/timing.md). Asks for an indexLatency of one more.
  unsigned stallLatency = 0;
  // PE
  unsigned lanes = 16;                            ///< SIMD lanes of 32 bits
  std::array<unsigned, NumUnitClasses> latency{}; ///< cycles, pipelined, per class
  unsigned routeRegs = 8;                         ///< beat-wide registers for routing, <= 16
  unsigned operandDelay = 64;                     ///< depth of each operand's delay line: delays
                                                  ///< 0 .. operandDelay - 1; 1 .. 256
  unsigned contextSlots = 64;                     ///< context words per PE over all contexts
  unsigned maxContexts = 32;                      ///< contexts loaded at once, <= 128
  Ram contextRam = Ram::Auto; ///< memories of context words; Block, Ultra: launchLatency 2
  unsigned interlocks = 16;   ///< interlocked writes on their way in a PE, 1 .. 16
  unsigned arguments = 32;    ///< launch arguments of a loop, 32 bits each, 8 .. 32
  unsigned stages = 256;      ///< iterations of a loop that are in the pipeline, 16 .. 256, 2^n
  /// Cycles of array time from a read of the register file, the input stream or off-chip memory
  /// to its value on the bus (backend/isa/Context.h): 0, or 1 with a register behind what is read.
  unsigned inputLatency = 0;
  /// Cycles of array time from when an access of the register file takes its index operand to the
  /// access: 0; 1 with a register behind its address; 1 + stallLatency, so that addresses are known
  /// when their slot is decided. Other than 0 it asks for registers behind what is read
  /// (inputLatency) and before a launch starts (launchLatency).
  unsigned indexLatency = 0;
  // Vector register file
  unsigned vrfBeats = 4096, vrfReadPorts = 2;
  /// A copy of the file for each of two reads, with a read and a write port at the array's clock:
  /// vector loads and stores take what loops leave of the ports (docs/timing.md). Asks for
  /// indexLatency 1. Without it a file has five ports, at a clock four times as fast.
  bool vrfCopies = false;
  Ram vrfRam = Ram::Ultra;
  // Off-chip memory
  unsigned memBanks = 32, memReadLatency = 48, memWriteLatency = 42, memBurstBeats = 64,
           memOutstanding = 16, memInterleaveBytes = 4096;
  uint64_t memBytes = 0; ///< all banks together
  // Streams
  unsigned fifoBeats = 16;
  unsigned headerBytes = 42; ///< shifted off each packet (Ethernet + IPv4 + UDP)
  // Scalar unit
  unsigned codeBytes = 65536, scratchBytes = 4096;
  /// 0: everything about an instruction in a cycle; 1: a pipeline of fetch, decode and execute, in
  /// which jumps, products and what asks the rest of the overlay take longer (docs/timing.md).
  unsigned scalarPipeline = 0;
  /// Has vector instructions; else they are undefined, vsetvli too.
  bool scalarVector = true;
  // Clock
  double clockMhz = 250;

  unsigned numPes() const { return rows * cols; }
  /// Has elements of 64 bits: without a PE that computes them there is no loop, no array and no
  /// vector with them.
  bool isWide() const;
  /// A beat holds two elements at least: what moves between lanes and folds them needs a pair.
  unsigned leastLanes() const;
  /// PEs with a port to off-chip memory. A port serves one read and one write of a loop.
  unsigned memoryPorts() const;
  /// Ports for links that a PE needs: all numbers of links are below it.
  unsigned linkPorts() const;
  unsigned beatBytes() const { return lanes * LaneBytes; }
  unsigned vregBeats() const { return vrfBeats / NumVregs; }
  /// Words of a vector register; 0 without vector instructions.
  unsigned vregWords() const { return scalarVector ? vregBeats() * lanes : 0; }
  unsigned latencyOf(UnitClass c) const { return latency[static_cast<unsigned>(c)]; }

  /// A 64-bit hash of every size above that a binary depends on (not the name,
  /// the clock, or the memory timing). Binaries carry it; the loader compares.
  uint64_t fingerprint() const;
};

} // namespace acis
