// Tasks: what a switch computes for a host from the result of a collective (type 3 of in-switch
// computing; dissertation, chapter 5). Hosts and switches write and read them with this file only.
//
// A CCCF is collective, op, collective. A host that makes one gives its leaf switch its message of
// the first collective, as any other, and behind it a task: the op's program by its handle, the
// memory that the op reads, and the header of the message that the op makes of it. When the first
// collective's result is there, the leaf runs the program and gives that message in the name of the
// host, in the next slot. So on the wire between switches, and to the other members, there are the
// two collectives and nothing else: each member may call them one by one, or by a task, or by one
// with another op, as the program of its rank has it.
//
//   message  | that of the first collective | next step | parts of the given | their bytes |
//   answer   | outcome, cycles | result of the first | what the op gives, if it was run |
//
// What is given is the rest of the op's packet, whose beginning is the first collective's result,
// and then the op's memory, in parts. A part that the switch is to keep has a number, which the
// host gives to nothing else in its session; from then on a task may name it by that in place of
// its bytes. Who does not have a part does not run the op. All numbers are little-endian.
// Flag Task of the header tells such a message and its answer; `fragment` is then the bytes of the
// task, or of what the op gives, and `handle` the program.
#pragma once

#include "backend/support/Result.h"
#include "runtime/switch/wire/Header.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace acis::collective {

/// What a job loads before it uses a task: the op's binary, and how many bytes the op reads and
/// gives.
struct TaskProgram {
  uint32_t packetBytes = 0; ///< first collective's result and rest
  uint32_t memoryBytes = 0; ///< arrays at multiples of 64
  uint32_t outputBytes = 0; ///< all that it gives
  std::vector<uint8_t> elf;

  std::vector<uint8_t> write() const;
  /// Fails with what is wrong; any bytes may be given.
  static Result<TaskProgram> read(std::span<const uint8_t> bytes);
  /// Whether the bytes are meant as a program, rather than as an operator's binary.
  static bool isOne(std::span<const uint8_t> bytes);
};

/// The message that the switch gives of what the op gives; its first bytes are the message.
struct NextStep {
  static constexpr size_t Bytes = 16;
  bool present = false; ///< no: the op is the end
  Kind kind = Kind::Barrier;
  ReduceOp op = ReduceOp::None;
  ElementType element = ElementType::Uint8;
  Shape shape = Shape::FoldAll;
  uint32_t count = 0, root = 0; ///< as in its header

  /// Of a message that stands by itself: the first and only one of its collective.
  static NextStep of(const wire::Header &header);
  /// The header of the message that follows `first`.
  wire::Header after(const wire::Header &first) const;
  void write(std::span<uint8_t> out) const;
  /// No value: it names what does not exist.
  static std::optional<NextStep> read(std::span<const uint8_t> bytes);
};

/// A piece of what a task gives. In a message: a count (4 bytes), of each part its number (4) and a
/// word with its size and two flags, and then the bytes of those that are here.
struct TaskPart {
  uint32_t number = 0;   ///< 0: not to be kept; else what it is kept as
  bool isPadded = false; ///< with zeros to a multiple of 64
  std::optional<std::span<const uint8_t>> bytes = {}; ///< no value: it was kept
  uint32_t size = 0;                                  ///< of its bytes, here or not

  static constexpr size_t HeadBytes = 4, EntryBytes = 8;
  static constexpr uint32_t MostBytes = 1u << 30;

  /// With the zeros.
  uint64_t room() const { return isPadded ? (uint64_t(size) + 63) / 64 * 64 : size; }
};

/// Appends the parts as a message has them.
void writeParts(std::span<const TaskPart> parts, std::vector<uint8_t> &out);
/// No value: it is none, or all together have more than `mostBytes`, with those that are kept.
/// Any bytes may be given; the parts' are in them.
std::optional<std::vector<TaskPart>> readParts(std::span<const uint8_t> bytes, uint64_t mostBytes);

/// The first word of an answer. The second is how many cycles the op took, on an engine that counts
/// them.
enum class TaskOutcome : uint32_t {
  Done,   ///< the op was run, and its message given
  NotRun, ///< unknown program or part, no memory, trap, too long, other sizes: the host does it
};
inline constexpr size_t OutcomeBytes = 8;

} // namespace acis::collective
