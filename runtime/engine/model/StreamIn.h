// The input stream: wire, header shifter, FIFO, aligner, and the commands that say
// which bytes belong to which loop and where an invocation ends (docs/timing.md).
#pragma once

#include "backend/overlay/Overlay.h"
#include "runtime/engine/device/Stepped.h"
#include "runtime/engine/model/Following.h"

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace acis::model {

class StreamIn {
public:
  void reset(const Overlay &overlay);
  void push(std::span<const uint8_t> payload);
  /// Forgets the packets if all were consumed; true if they were, then packets are
  /// numbered from 0 again.
  bool compact();

  /// One clock cycle begins: what was decided `stallLatency` cycles before is popped.
  void begin();
  /// One clock cycle, after the grid has popped.
  void cycle(Counters &counters);

  // Packets, by number since the last compact().
  size_t packetsPushed() const { return ends.size(); }
  /// Packets whose header has been seen.
  size_t packetsVisible() const { return visible; }
  uint64_t packetBytes(size_t packet) const { return ends[packet] - begin(packet); }
  /// Of the packet and all behind it.
  uint64_t bytesFrom(size_t packet) const { return ends.back() - begin(packet); }
  /// The packet after an invocation that started with `first` and read up to byte
  /// `end`: the shortest run of packets, at least one. May be packetsPushed() + 1
  /// when the packets do not suffice.
  size_t packetAfter(size_t first, uint64_t end) const;

  // Commands, in program order.
  bool commandSpace() const { return commands.size() < isa::StreamCommands; }
  bool idle() const { return commands.empty(); }
  /// No command was there at the start of the cycle: the scalar unit may read.
  bool scalarMayRead() const { return commands.empty() && !popped; }
  /// Packets before `packet` belong to invocations that have begun; their lengths are
  /// forgotten. The wire stops when isa::PacketLengths others are known.
  void packetsOwned(size_t packet) { owned = packet; }
  /// `bytes` will be popped, from invocation position `position` on.
  void addRead(uint64_t position, uint64_t bytes, uint32_t pc);
  /// The invocation that started with packet `first` ends; `next` is packetAfter().
  void addEnd(size_t next);

  /// Whether `bytes` (at most a beat) can be popped, behind what is on its way: of the first
  /// command, or of one that goes on where the one before it ends, in the same invocation or the
  /// next.
  bool ready(unsigned bytes) const;
  /// The bytes that pop() or decide() will give.
  const uint8_t *peek() const { return data.data() + consumed + onTheirWay; }
  /// Of the scalar unit, and of the grid if nothing follows it.
  const uint8_t *pop(unsigned bytes);
  /// A pop of the grid, `stallLatency` cycles before it is made.
  void decide(unsigned bytes);
  /// No progress is possible any more: the wire is empty and so is the FIFO.
  bool exhausted() const;
  /// PC of the read that waits.
  uint32_t waitingPc() const { return commands.empty() ? 0 : commands.front().pc; }
  /// Everything that was pushed has been consumed or dropped.
  bool empty() const { return consumed == data.size() && commands.empty(); }
  unsigned fifoFill() const { return unsigned(fifo.size()); }
  void describe(CycleState &state) const {
    state.set(CycleState::InShifted, pending.size());
    state.set(CycleState::InFifo, fifo.size());
    state.set(CycleState::InAligned, aligned);
    state.set(CycleState::InCommands, commands.size());
  }

private:
  struct Command {
    bool end = false;
    uint64_t position = 0, left = 0; ///< read
    size_t next = 0;                 ///< end
    uint32_t pc = 0;
  };
  uint64_t begin(size_t packet) const { return packet == 0 ? 0 : ends[packet - 1]; }
  void takeWireBeat(Counters &counters);
  void work();
  void discard(uint64_t until);
  bool holdsNext() const;

  unsigned beatBytes = 64, headerBytes = 0, fifoBeats = 0;
  std::vector<uint8_t> data;  ///< payloads, one after the other
  std::vector<uint64_t> ends; ///< of each packet in `data`
  size_t visible = 0, owned = 0;
  bool popped = false; ///< in this cycle
  // Wire and shifter
  size_t wirePacket = 0;
  uint64_t wireBeat = 0, shifted = 0; ///< beat of the packet; payload bytes given on
  std::deque<unsigned> pending;       ///< payload beats (bytes each) that wait for the FIFO
  std::deque<unsigned> fifo;
  unsigned aligned = 0; ///< bytes in the aligner, at most `alignerBytes`
  unsigned alignerBytes = 128;
  uint64_t consumed = 0; ///< absolute
  uint64_t base = 0;     ///< absolute start of the current invocation
  std::deque<Command> commands;
  Following<unsigned> pops; ///< of the grid, in bytes
  unsigned onTheirWay = 0;  ///< their sum
};

} // namespace acis::model
