// See RandomMix.h. The composer follows where both streams are, so that positions are right.
#include "runtime/hardware/lockstep/RandomMix.h"

#include "runtime/engine/programs/RandomCorners.h"
#include "runtime/hardware/lockstep/RandomScalar.h"

#include <algorithm>
#include <bit>

namespace acis {
namespace {

using cts::Bytes;
using cts::Words;
namespace as = cts::as;

constexpr uint32_t CsrLength = 0x800, CsrMask = 0x801, CsrStride = 0x802;
// Who writes memory keeps to a part of it: what is written last by two ports is not defined.
constexpr uint32_t LoopReads = isa::MemoryBase + 0x4000, VectorReads = isa::MemoryBase;
constexpr uint32_t LoopWrites = isa::MemoryBase + 0x8000;
constexpr uint32_t LoopBytes = 0x10000; ///< per PE, see randomContext(); four launches
constexpr uint32_t PeBytes = 0x2000;    ///< per PE, of vector stores

enum Sew : uint32_t { E8 = 0, E16 = 1, E32 = 2, E64 = 3 };

class Composer {
public:
  Composer(const Overlay &overlay, std::mt19937 &random, bool hasty)
      : overlay(overlay), random(random), hasty(hasty), mix{model::RandomProgram(overlay)},
        code(mix.program.binary.code), scalar(random, code),
        vectorWrites(LoopWrites + overlay.numPes() * LoopBytes),
        scalarMemory(vectorWrites + (overlay.numPes() + 2) * PeBytes) {}

  RandomMix compose() {
    const unsigned contexts = hasty ? 1 + below(3) : below(4);
    for (unsigned c = 0; c < contexts; ++c) {
      model::RandomOptions options;
      options.elements = chance(4) ? below(8) : 8 + below(40);
      options.outside = true;
      options.identities = hasty;
      mix.program.binary.contexts.push_back(model::randomContext(overlay, random, options));
    }
    if (chance(2))
      addCorner(model::randomCorner(overlay, random));
    if (chance(2))
      model::addInitialValues(mix.program.binary, overlay, random);
    if (hasty) {
      hastily();
    } else {
      mix.timed = chance(8);
      for (unsigned segments = 2 + below(6); segments != 0; --segments)
        segment();
      if (chance(10) && !silent)
        cross();
      end();
    }
    addPackets();
    mix.program.memory.resize(scalarMemory + 0x2000 - isa::MemoryBase);
    for (uint8_t &byte : mix.program.memory)
      byte = uint8_t(random());
    return std::move(mix);
  }

private:
  unsigned below(unsigned n) { return unsigned(random() % n); }
  bool chance(unsigned oneIn) { return below(oneIn) == 0; }
  void li(uint32_t rd, uint32_t value) { as::li(code, rd, value); }

  /// Whether there is room for it and something to add.
  bool addCorner(std::optional<isa::LoopContext> corner) {
    auto &contexts = mix.program.binary.contexts;
    unsigned slots = corner ? corner->ii : 0;
    for (const isa::LoopContext &loop : contexts)
      slots += loop.ii;
    if (!corner || contexts.size() == overlay.maxContexts || slots > overlay.contextSlots)
      return false;
    contexts.push_back(std::move(*corner));
    return true;
  }

  void segment() {
    const size_t contexts = mix.program.binary.contexts.size();
    switch (below(8)) {
    case 0:
    case 1:
    case 2:
      if (contexts != 0)
        return launch(below(unsigned(contexts)));
      return vectors();
    case 3:
    case 4:
      return vectors();
    case 5:
      return streams();
    case 6:
      scalar.arithmetic(4 + below(30));
      return scalar.memory(1 + below(8), scalarMemory);
    default:
      return results();
    }
  }

  // Mapped loops

  static uint64_t bytesOf(const isa::ElementFormat &format, uint64_t accesses, unsigned vf,
                          uint32_t n, uint32_t tail) {
    const unsigned last = format.splat ? 1 : tail != 0 ? tail : vf;
    const unsigned full = format.splat ? 1 : vf;
    return accesses * format.bytes * (uint64_t(n - 1) * full + last);
  }

  void launch(unsigned number) {
    const isa::LoopContext &loop = mix.program.binary.contexts[number];
    const bool conditional = model::sendsConditionally(loop);
    const unsigned vf = loop.scalar ? 1 : overlay.lanes * 32 / loop.laneBits;
    const unsigned times = chance(3) ? 2 + below(4) : 1; // one behind the other
    for (unsigned k = 0; k < times && !(silent && loop.streamOut.on); ++k) {
      const uint32_t most = hasty && chance(2) ? 8 : 40;
      const uint32_t n = chance(20) ? 0 : 1 + below(most), tail = below(vf + 1);
      const uint32_t skip = chance(4) ? below(3) * 4 : 0;
      in += loop.streamIn.on ? skip : 0;
      const uint32_t args[model::RandomArgs] = {
          uint32_t(in),       uint32_t(out),
          LoopReads,          LoopWrites + LoopBytes / 8 + launches++ % 4 * (LoopBytes / 4),
          uint32_t(random()), below(8)};
      // The same as before but for the streams, so that the next one is there while this one runs
      for (uint32_t a = 0; a < (hasty && k != 0 ? 2 : model::RandomArgs); ++a) {
        li(as::t0, args[a]);
        code.push_back(as::arg(model::argumentNumber(loop, a), as::t0));
      }
      if (overlay.arguments < isa::MaxArgs) // another one, which no context takes
        code.push_back(
            as::arg(overlay.arguments + below(isa::MaxArgs - overlay.arguments), as::t0));
      li(as::t0, n);
      li(as::t1, chance(60) ? vf + 1 : tail); // more than a beat holds: a trap
      code.push_back(as::launch(number, as::t0, as::t1));
      if (n == 0)
        continue;
      uint64_t pops = 0, pushes = 0;
      for (const isa::PortRead &pop : loop.streamInSlots)
        pops += pop.on;
      for (const isa::PeContext &pe : loop.pes)
        for (const isa::Slot &slot : pe.slots)
          pushes += slot.streamOut.on;
      in += bytesOf(loop.streamIn.format, pops, vf, n, tail);
      const uint64_t all = bytesOf(loop.streamOut.format, pushes, vf, n, tail);
      // A guess, which traps if it is wrong, or no more output.
      out += conditional && chance(2) ? 0 : all;
      silent = silent || (conditional && !chance(3));
    }
    if (loop.numResults != 0 && chance(2)) // as soon as they are there
      results();
  }

  /// Launches of crossingReads() one behind the other, the last of which leaves its array: in the
  /// cycle of the trap the other port may be in the launch before it.
  void cross() {
    if (!addCorner(model::crossingReads(overlay, random)))
      return;
    const unsigned number = unsigned(mix.program.binary.contexts.size()) - 1;
    const isa::LoopContext &loop = mix.program.binary.contexts[number];
    const bool many = loop.stages > 20;
    for (unsigned left = many ? 14 : 2 + below(3); left != 0; --left) {
      const uint32_t n = many ? 1 : 2 + below(4);
      const uint32_t offset = left == 1 ? model::CrossingLimit - below(n) : below(8);
      li(as::t0, uint32_t(out));
      code.push_back(as::arg(model::argumentNumber(loop, 1), as::t0));
      li(as::t0, offset);
      code.push_back(as::arg(model::argumentNumber(loop, model::RandomArgs - 1), as::t0));
      li(as::t0, n);
      code.push_back(as::launch(number, as::t0, as::zero));
      out += loop.streamOut.on ? uint64_t(n) * overlay.lanes * 4 : 0;
    }
  }

  void results() {
    for (uint32_t k = 0; k < 16; k += 1 + below(4)) {
      code.push_back(as::result(as::a4, k));
      send(as::a4, 2);
    }
  }

  // Vector instructions

  void setLength(unsigned lmul, Sew sew) {
    const unsigned beat = overlay.lanes * 32 / (sew == E64 ? 64 : 32);
    vl = std::min(below(3 * beat * overlay.vregBeats()), (beat * overlay.vregBeats()) << lmul);
    li(as::t0, vl);
    code.push_back(as::vsetvli(chance(2) ? as::a5 : as::zero, as::t0, lmul | uint32_t(sew) << 3));
  }

  /// PEs with a memory port and floating point, of 64 bits if asked for; all bits if these are all
  /// PEs.
  uint32_t withMemory(bool wide) const {
    uint32_t able = 0;
    for (unsigned pe = 0; pe < std::min(32u, overlay.numPes()); ++pe)
      if (overlay.pes[pe].memory && overlay.pes[pe].units[unsigned(UnitClass::Float)] &&
          !(wide && overlay.pes[pe].lacks(extra::Wide)))
        able |= 1u << pe;
    return unsigned(std::popcount(able)) == overlay.numPes() ? ~0u : able;
  }

  /// PEs on which a sparse accumulation would trap.
  uint32_t withoutGather() const {
    uint32_t pes = 0;
    for (unsigned pe = 0; pe < std::min(32u, overlay.numPes()); ++pe)
      pes |= overlay.pes[pe].lacks(extra::Gather) ? 1u << pe : 0;
    return pes;
  }

  /// The first register of a group.
  uint32_t group(unsigned lmul) { return below(32 >> lmul) << lmul; }

  void vectors() {
    if (!overlay.scalarVector) // a program with one is refused
      return scalar.arithmetic(4 + below(8));
    const unsigned lmul = chance(2) ? 0 : below(5);
    // Elements of 64 bits, where no PE has them, are a trap.
    const Sew any = Sew(below(4)), sew = any == E64 && !overlay.isWide() && !chance(8) ? E32 : any;
    setLength(lmul, sew);
    mask = chance(2) ? ~0u : uint32_t(random());
    if (!chance(10)) // a PE without a port would trap
      mask &= withMemory(sew == E64);
    li(as::t0, mask);
    code.push_back(as::csrrw(0, CsrMask, as::t0));
    for (unsigned n = 1 + below(8); n != 0; --n)
      chance(5) ? twice(lmul) : vectorOne(lmul, sew);
  }

  void transfer(unsigned lmul, Sew sew) {
    const bool load = chance(2);
    li(as::t0, load && chance(2) ? below(4) * 40 : PeBytes);
    code.push_back(as::csrrw(0, CsrStride, as::t0));
    static constexpr unsigned widths[] = {8, 16, 32, 64};
    const unsigned width = widths[below(sew == E64 ? 4 : 3)];
    li(as::t0,
       load ? VectorReads + below(200) * (chance(2) ? 1 : 64) : vectorWrites + below(0x1000));
    if (load && chance(4))
      code.push_back(as::vlb(width, group(lmul), as::t0));
    else if (load)
      code.push_back(as::vle(width, group(lmul), as::t0));
    else
      code.push_back(as::vse(width, group(lmul), as::t0));
  }

  /// An addition that may follow itself without a pause unless it reads what it writes.
  void twice(unsigned lmul) {
    const uint32_t word = as::opV(0, 0, group(lmul), group(lmul), group(lmul));
    code.insert(code.end(), {word, word});
  }

  void vectorOne(unsigned lmul, Sew sew) {
    constexpr unsigned Vadd = 0, Vmul = 0x25, Vmv = 0x17, Vfmul = 0x24;
    const uint32_t vd = group(lmul), vs1 = group(lmul), vs2 = group(lmul);
    const bool floats = sew >= E32;
    switch (below(12)) {
    case 0:
    case 1:
    case 2:
      return transfer(lmul, sew);
    case 3:
      return code.push_back(as::opV(Vmv, 3, vd, below(32), 0));
    case 4:
      return code.push_back(as::opV(Vmv, 4, vd, as::a4, 0));
    case 5:
      return code.push_back(as::opV(Vadd, 0, vd, vs1, vs2));
    case 6:
      return code.push_back(chance(2) ? as::opV(Vadd, 4, vd, as::a3, vs2)
                                      : as::opV(Vmul, 6, vd, as::a3, vs2));
    case 7:
      return code.push_back(as::opV(Vmul, 2, vd, vs1, vs2));
    case 8:
      if (floats)
        return code.push_back(as::opV(chance(2) ? Vadd : Vfmul, 1, vd, vs1, vs2));
      return;
    case 9:
      return streamOutVector(sew, vs2);
    default:
      if (floats && vd != vs2 && ((mask & withoutGather()) == 0 || vl % 16 == 5))
        return sparse(lmul, sew, vd, vs2);
    }
  }

  void streamOutVector(Sew sew, uint32_t vs2) {
    if (silent)
      return;
    const unsigned pes = overlay.numPes();
    const uint32_t all = pes >= 32 ? ~0u : (1u << pes) - 1;
    const uint64_t bytes = uint64_t(vl) << sew;
    li(as::t0, uint32_t(out));
    code.push_back(as::streamoutv(vs2, as::t0));
    out += uint64_t(std::popcount(mask & all)) * bytes;
  }

  /// vl beats of indices, or of values, from the stream.
  void sparse(unsigned lmul, Sew sew, uint32_t vd, uint32_t vs2) {
    const uint32_t before = vl;
    vl = below(24);
    li(as::t0, vl);
    code.push_back(as::vsetvli(as::zero, as::t0, lmul | uint32_t(sew) << 3));
    const bool active = (mask & (overlay.numPes() >= 32 ? ~0u : (1u << overlay.numPes()) - 1)) != 0;
    if (chance(2)) {
      code.push_back(as::spvaccXv(vd, vs2));
    } else {
      li(as::t0, below(overlay.vregBeats() << lmul));
      code.push_back(as::spvaccVx(vd, as::t0, vs2));
    }
    in += active ? uint64_t(vl) * overlay.beatBytes() : 0;
    vl = before;
    li(as::t0, vl);
    code.push_back(as::vsetvli(as::zero, as::t0, lmul | uint32_t(sew) << 3));
  }

  // Streams of the scalar unit

  void send(uint32_t reg, uint32_t log2Bytes) {
    if (silent)
      return;
    li(as::t1, uint32_t(out));
    code.push_back(as::streamout(reg, as::t1, log2Bytes));
    out += 1u << log2Bytes;
  }

  void streams() {
    for (unsigned n = 1 + below(6); n != 0; --n) {
      if (chance(2)) {
        send(as::a3 + below(4), below(3));
        continue;
      }
      in += chance(3) ? below(9) : 0;
      li(as::t0, chance(80) && in > 8 ? uint32_t(in) - 8 : uint32_t(in)); // passed: a trap
      if (chance(4)) {
        code.push_back(as::tile(as::a6, as::a5, as::t0));
        in += 4;
        continue;
      }
      const uint32_t format = below(3) | (chance(2) ? 4 : 0);
      code.push_back(as::streamin(as::a3 + below(4), as::t0, format));
      in += 1u << (format & 3);
    }
  }

  /// What the program left in the register files: a lane that was written by mistake shows.
  void dump() {
    constexpr unsigned lmul = 4;
    vl = std::min(128u, overlay.vregBeats() << lmul) * overlay.lanes;
    li(as::t0, vl);
    code.push_back(as::vsetvli(as::zero, as::t0, lmul | uint32_t(E32) << 3));
    mask = 0;
    for (unsigned pe = 0; pe < std::min(32u, overlay.numPes()); ++pe)
      mask |= overlay.pes[pe].vrf ? 1u << pe : 0;
    li(as::t0, mask);
    code.push_back(as::csrrw(0, CsrMask, as::t0));
    for (uint32_t first = 0; first < 32; first += 1u << lmul)
      streamOutVector(E32, first);
  }

  void end() {
    scalar.system(mix.timed);
    results();
    if (overlay.scalarVector && chance(2))
      dump();
    for (uint32_t reg = as::a3; reg <= as::a7; ++reg)
      send(reg, 2);
    if (chance(4)) {
      li(as::t0, uint32_t(out) + (chance(10) ? 4 : 0)); // another length than was sent: a trap
      code.push_back(as::csrrw(0, CsrLength, as::t0));
    }
    code.push_back(as::wfi);
  }

  /// Loops one behind the other, and the end while they run. Of some programs every other
  /// invocation does nothing, so that an end follows another one.
  void hastily() {
    for (unsigned segments = below(3); segments != 0; --segments)
      segment();
    if (chance(3))
      addCorner(model::hastyCorner(overlay, random));
    const size_t from = code.size();
    const bool every = !chance(3);
    for (unsigned loops = 1 + below(4); loops != 0; --loops)
      launch(below(unsigned(mix.program.binary.contexts.size())));
    if (!every) {
      constexpr uint32_t Count = isa::ScratchBase + 2048; // behind what other code writes
      Words skip;
      as::li(skip, as::t0, Count);
      skip.insert(skip.end(), {as::lw(as::t1, as::t0, 0), as::addi(as::t1, as::t1, 1),
                               as::sw(as::t1, as::t0, 0), as::iType(0x13, 7, as::t1, as::t1, 1)});
      skip.push_back(branchIfZero(as::t1, int32_t(4 * (code.size() - from + 1))));
      code.insert(code.begin() + ptrdiff_t(from), skip.begin(), skip.end());
    }
    code.push_back(as::wfi);
  }

  /// beq reg, zero, offset
  static uint32_t branchIfZero(uint32_t reg, int32_t offset) {
    const uint32_t bits = uint32_t(offset);
    return (bits >> 12 & 1) << 31 | (bits >> 5 & 0x3f) << 25 | reg << 15 | (bits >> 1 & 0xf) << 8 |
           (bits >> 11 & 1) << 7 | 0x63;
  }

  void addPackets() {
    const unsigned many = hasty ? 2 + below(6) : 0;
    const bool small = hasty && chance(2); // so that the next invocation's are there
    for (unsigned invocation = 0; invocation < (hasty ? many : 1 + below(3)); ++invocation)
      for (uint64_t sum = 0; sum == 0 || sum < in; sum += mix.program.packets.back().size()) {
        mix.program.packets.emplace_back(small || chance(3) ? 1 + below(40) : 400 + below(1000));
        for (uint8_t &byte : mix.program.packets.back())
          byte = uint8_t(chance(5) ? random() : below(8));
      }
  }

  const Overlay &overlay;
  std::mt19937 &random;
  const bool hasty;
  RandomMix mix;
  Words &code;
  RandomScalar scalar;
  const uint32_t vectorWrites, scalarMemory; ///< addresses
  uint64_t in = 0, out = 0;                  ///< positions in the streams
  bool silent = false;                       ///< `out` is not known: nothing more is sent
  uint32_t vl = 0, mask = ~0u;
  unsigned launches = 0;
};

} // namespace

RandomMix randomMix(const Overlay &overlay, std::mt19937 &random, bool hasty) {
  return Composer(overlay, random, hasty).compose();
}

} // namespace acis
