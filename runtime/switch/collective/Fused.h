// A CCCF as the switch does it: collective, op, collective, in one message (dissertation,
// chapter 5). Hosts and switches size, write and read their messages with this file only.
//
// Each member gives one block: what it sends to the first collective and the arrays that the
// op reads. The top of the tree does the first collective on the blocks, runs the op once for
// each member, does the second collective on what the ops sent, and gives each member one
// block: the result of the first collective, what the op wrote, the result of the second.
// Both blocks have the same size, blockBytes(). Numbers are little-endian 32-bit words.
//
//   up    rank, refused | send | rest of the first collective's buffer | inbound
//   down  outcome, 0    | result of the first | outputs of the op | result of the second
#pragma once

#include "backend/support/Result.h"
#include "runtime/switch/wire/Types.h"

#include <cstdint>
#include <span>
#include <vector>

namespace acis::collective {

/// One of the two collectives. Elements are counted as MPI counts them: of the buffer, or of
/// one rank's block. What moves data without computing has type Uint8.
struct FusedStep {
  bool present = false;
  Kind kind = Kind::Allreduce;
  ReduceOp op = ReduceOp::None;
  ElementType type = ElementType::Uint8;
  uint32_t count = 0;
  uint32_t root = 0; ///< rank

  /// Whether a switch does it as the first or the second collective of a CCCF.
  bool isSupported(bool isFirst) const;
  uint64_t sendBytes(uint32_t ranks) const;
  uint64_t resultBytes(uint32_t ranks) const;
  /// Whether the rank gets a result: all but those of Reduce and Gather that are not the root.
  bool hasResult(uint32_t rank) const;
  /// send[r] and result[r] are rank r's. Sums are folded in rank order, neighbours in pairs.
  void perform(std::span<const std::span<const uint8_t>> send,
               std::span<const std::span<uint8_t>> result) const;
};

/// What a job loads before it uses a CCCF: both collectives, the op's binary, and how many
/// bytes the op reads and writes.
struct FusedProgram {
  FusedStep first, second;
  uint32_t streamBytes = 0;  ///< the packet of the op: the first collective's buffer
  uint32_t inboundBytes = 0; ///< the memory of the op, arrays at multiples of 64
  uint32_t sentBytes = 0;    ///< the first bytes that the op gives go into the second
  uint32_t outputBytes = 0;  ///< all that it gives, the sent ones included
  std::vector<uint8_t> elf;

  static constexpr uint32_t HeadBytes = 8;
  /// Bytes of the packet that the result of the first collective does not cover.
  uint64_t restBytes(uint32_t ranks) const;
  uint64_t blockBytes(uint32_t ranks) const;
  /// "" or why it cannot be done for so many ranks.
  std::string problem(uint32_t ranks) const;

  std::vector<uint8_t> write() const;
  /// Fails with what is wrong; any bytes may be given.
  static Result<FusedProgram> read(std::span<const uint8_t> bytes);
  /// Whether the bytes are meant as a program, rather than as an operator's binary.
  static bool isOne(std::span<const uint8_t> bytes);
};

/// The first word of a block on its way down.
enum class FusedOutcome : uint32_t {
  Done,
  Refused, ///< a member refused; nothing was computed
  Failed,  ///< the op is unknown, trapped, ran too long or gave another size
  Mixed,   ///< others call plainly or differ in the op: nothing was done, and no slot was used
};

} // namespace acis::collective
