// A mapped loop as the grid executes it: the contract between the compiler's
// back end, the loader, both engines and, later, the RTL.
//
// Time. The sequencer starts one iteration every `ii` cycles. An element of a
// slot (an operation, a port access) in slot s with stage t works for iteration
// i at array time (i + t) * ii + s, where 0 <= i < iterations. Array time stops
// for the whole grid while any port that is due is not ready (global stall), so
// that the static schedule always holds.
//
// Values. A beat: `vf` elements in containers of `laneBits` bits, lanes*32/laneBits
// = vf. An operation of latency L that is issued at array time T has its result
// on the PE's bus `Res` at T + L, for that cycle only. Port reads (Vrf0, Vrf1,
// StreamIn, MemIn) at T are on their bus at T + Overlay::inputLatency: in the cycle of the
// access or, where a register is behind what is read, in the next one. A link written
// at T is seen by the neighbour as Link<inPort> at T + 1, for that cycle only. A
// routing register written at T holds its value from T + 1 until the next write.
// Anything that is read must have been written by the schedule: the loader proves
// it by tracing every source back to its producer (runtime/engine/loader).
//
// An element past the tail of the last iteration is inactive: stream and memory ports
// do not transfer it (a read gives 0 in its lane), an indexed read without `uniform`
// does not access the register file for it (0), writes and accumulations leave its
// lane alone. A value from an iteration before the first one is 0 in every lane.
// All pops of one iteration lie within ii cycles, and so do all pushes, so that the
// stream's order is by iteration.
//
// In a scalar loop (LoopContext::scalar) an iteration is one element in lane 0 and vf is 1
// wherever this file says vf, except for the layout of the register files: streams and
// memory move one element per access, iota is the iteration, and what other lanes hold is
// not defined and cannot be seen. Accumulations, interlocks, lane and slide have no meaning
// there; a slot's `result` is the value of its operation in the last iteration.
//
// Routing fields (links, registers) have no stage and no delay: they move whatever
// their source carries in their cycle, and only values that a live iteration produced
// are consumed. Operands have a delay, see Operand.
#pragma once

#include "backend/isa/Numbers.h"
#include "backend/support/Result.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace acis {
class Overlay;
}

namespace acis::isa {

enum class Op : uint8_t {
#define ACIS_OP(Name, Mnemonic, Class, Operands) Name,
#include "backend/isa/Ops.def"
};

unsigned bitsOf(Type type);

/// An operand input of the functional unit or of a port. A delay line (a shift
/// register) stands between the input's source multiplexer and the input: a use in
/// array time T takes what the source carried in T - delay, 0 <= delay <
/// Overlay::operandDelay; for T of an index, take the time of the access less
/// Overlay::indexLatency. The multiplexer selects one source per cycle, so two uses
/// of one input of a PE that sample in the same slot, (slot - delay) mod ii, must
/// name the same source; the loader checks it. Constants and the partial results of
/// an accumulation bypass the line: delay 0, no slot taken. The inputs of a PE: a, b, c; the index
/// of each read port; index, data and predicate of the write port; data and predicate of memOut;
/// data and predicate of streamOut.
/// In iterations i < first the operand is constant `init` (0 or 1) of the slot instead: the
/// initial value of what a loop carries from one iteration to the next. With first = FirstOfRow
/// it is so in every iteration with i0 = 0 (see VrfAddress): where a row of a nest starts anew.
struct Operand {
  Source source = Source::None;
  uint8_t delay = 0;
  uint8_t first = 0, init = 0;
  bool operator==(const Operand &) const = default;
};
constexpr Source linkSource(unsigned inPort) { return Source(unsigned(Source::Link0) + inPort); }
constexpr Source regSource(unsigned reg) { return Source(unsigned(Source::Reg0) + reg); }

inline constexpr uint8_t NoArg = 0xff; ///< "not an argument", "no result"

/// Address generator of a VRF port. The beat address in iteration i, with
/// i0 = i % innerCount and i1 = i / innerCount, is base + offset, where
///   offset = arg + stride0 * i0 + stride1 * i1 + index
/// `index` is 0 without an index operand, else per lane
///   (element >> shift) & (2^bits - 1)        (bits = 0: the whole element)
/// of the lane's own element, or of lane `lane` when `uniform`. The sum is taken modulo
/// 2^laneBits, the argument sign-extended. An offset outside
/// [0, limit) traps; with `zeroOutside` a read gives 0 and a write does nothing.
///
/// In a scalar loop offset, strides, argument, index and limit count elements: the access is
/// to element base * vf + lane + offset of the register file (vf of a full beat), a read gives
/// it in the loop's one lane, and the index is that lane's. `uniform` is not used.
struct VrfAddress {
  uint16_t base = 0, limit = 0; ///< beats
  int16_t stride0 = 0, stride1 = 0;
  uint8_t arg = NoArg; ///< launch argument added, in beats
  bool indexed = false, uniform = false, zeroOutside = false;
  uint8_t lane = 0, shift = 0, bits = 0;
  bool operator==(const VrfAddress &) const = default;
};

struct VrfRead {
  bool on = false;
  uint8_t stage = 0, address = 0; ///< index in PeContext::addresses
  Operand index;
  bool operator==(const VrfRead &) const = default;
};

/// Writes at the end of the cycle. Lanes past the loop's end and lanes whose
/// predicate is 0 keep their content. An indexed write whose value depends on an
/// indexed read of the same address is ordered by hardware: a read waits while a
/// write to the same beat is on its way (`interlock`, a stall that is counted).
struct VrfWrite {
  bool on = false;
  uint8_t stage = 0, address = 0;
  Operand index, data, predicate;
  bool interlock = false;
  bool operator==(const VrfWrite &) const = default;
};

struct PortWrite {
  bool on = false;
  uint8_t stage = 0;
  /// Where the predicate is 0 nothing is written. Of the output stream only in scalar loops:
  /// the element is left out, and the next one follows what was sent before it.
  Operand data, predicate;
  bool operator==(const PortWrite &) const = default;
};

struct PortRead {
  bool on = false;
  uint8_t stage = 0;
  bool operator==(const PortRead &) const = default;
};

/// One context word: what a PE does in one slot.
struct Slot {
  // Functional unit
  Op op = Op::Nop;
  Type type = Type::I32, from = Type::I32;
  uint8_t stage = 0;
  Operand a, b, c;
  /// Constants; if immArg is not NoArg, launch argument immArg instead (and
  /// immArg + 1 as the upper half for 64-bit types).
  std::array<uint64_t, 2> imm{0, 0};
  std::array<uint8_t, 2> immArg{NoArg, NoArg};
  /// Accumulation: operand b (c for fmac) is partial result i % AccPartials of
  /// this slot, initially imm1 (the identity), and the result becomes it; lanes
  /// past the loop's end leave it alone. When the loop has drained the partials
  /// are folded, p[k] = p[2k] op p[2k+1] until one is left, then the lanes in the
  /// same way, and the element is result `result`, see docs/isa.md. In a scalar loop
  /// `result` goes without `accumulate`.
  bool accumulate = false;
  uint8_t result = NoArg;
  // Ports
  std::array<VrfRead, 2> read;
  VrfWrite write;
  PortRead memIn;
  PortWrite memOut, streamOut;
  // Routing: register written in this cycle, and what each out-link carries
  bool regWrite = false;
  uint8_t reg = 0;
  Source regData = Source::None;
  std::array<Source, unsigned(Source::Reg0) - unsigned(Source::Link0)> link{};
  bool operator==(const Slot &) const = default;
};

/// How a stream or memory port turns bytes into elements. Elements narrower than
/// the container are sign- or zero-extended; on output they are truncated. With
/// `splat` one element is taken per access and given to every lane.
struct ElementFormat {
  uint8_t bytes = 4; ///< 1, 2, 4, 8
  bool isSigned = false, splat = false;
  bool operator==(const ElementFormat &) const = default;
};

/// Byte address in iteration i: args[arg] + offset + stride0 * i0 + stride1 * i1, modulo
/// 2^32; no alignment is asked for. Reads run ahead of the loop and writes trail behind
/// it: what a loop reads of the bytes that it writes in an earlier iteration is undefined.
struct MemAddress {
  bool on = false;
  ElementFormat format;
  uint8_t arg = 0;
  int32_t offset = 0, stride0 = 0, stride1 = 0;
  bool operator==(const MemAddress &) const = default;
};

/// A stream port of the loop. args[arg] is the byte position, within the
/// invocation's stream, at which the first access takes place: an input skips
/// forward to it; a position already passed traps (so does an output position
/// that is not exactly the number of bytes sent; behind a loop whose pushes have predicates
/// that number is known when the loop has ended).
struct StreamPort {
  bool on = false;
  ElementFormat format;
  uint8_t arg = 0;
  bool operator==(const StreamPort &) const = default;
};

struct PeContext {
  std::vector<Slot> slots; ///< ii of them
  std::vector<VrfAddress> addresses;
  MemAddress memIn, memOut;
  bool operator==(const PeContext &) const = default;
};

/// One mapped loop. The launch gives the number of iterations and how many elements
/// are active in the last one.
struct LoopContext {
  uint16_t ii = 1;
  uint16_t stages = 1; ///< 1 + the largest stage of any element
  uint8_t laneBits = 32;
  bool scalar = false; ///< one element per iteration
  uint16_t innerCount = 1;
  uint8_t numArgs = 0, numResults = 0;
  StreamPort streamIn, streamOut;
  std::vector<PortRead> streamInSlots;      ///< ii of them: pop in slot s
  uint32_t vregsRead = 0, vregsWritten = 0; ///< masks over v0..v31, any PE
  std::vector<PeContext> pes;               ///< one per PE of the overlay
  bool operator==(const LoopContext &) const = default;
};

/// Bytes of one context, layout in docs/isa.md. decode() checks bounds and field
/// ranges against the overlay and nothing else; it accepts any bytes.
std::vector<uint8_t> encode(const LoopContext &context);
Result<LoopContext> decode(std::span<const uint8_t> bytes, const Overlay &overlay);

std::string_view mnemonic(Op op);
unsigned numOperands(Op op);

} // namespace acis::isa
