// The output stream: packer, FIFO, and the commands that say where a packet ends.
#pragma once

#include "backend/overlay/Overlay.h"
#include "runtime/engine/device/Stepped.h"
#include "runtime/engine/model/Following.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace acis::model {

class StreamOut {
public:
  void reset(const Overlay &overlay);
  /// One clock cycle begins: what was decided `stallLatency` cycles before is pushed. A decision of
  /// the cycle does not know that yet.
  void begin(Counters &counters);
  /// One clock cycle, after the grid has pushed.
  void cycle(Counters &counters);

  bool commandSpace() const { return commands.size() < isa::StreamCommands; }
  /// No command was there at the start of the cycle: the scalar unit may write.
  bool idle() const { return commands.empty() && !pushed; }
  void addWrite(uint64_t bytes);
  void addEnd();

  /// Whether there is room for `bytes` (at most a beat) of the first command, or of what comes
  /// behind that is on its way and, as far as is known, all sent.
  bool ready(unsigned bytes) const {
    if (pushes.cycles() != 0)
      return ahead.open && ahead.beats + (ahead.filled + bytes) / beatBytes <= fifoBeats;
    return !commands.empty() && !commands.front().end && room(bytes);
  }
  bool room(unsigned bytes) const { return partial + bytes < beatBytes || fifo < fifoBeats; }
  /// Room for `bytes` of the first command, of the scalar unit; the caller fills it.
  uint8_t *push(unsigned bytes, Counters &counters);
  /// The same of the grid, `stallLatency` cycles before they are pushed.
  uint8_t *decide(unsigned bytes, Counters &counters);
  /// The grid leaves as many bytes out.
  void decideSkip(unsigned bytes);
  /// Bytes of the packet until now.
  uint64_t sent() const { return current.size(); }
  /// The last beat has left.
  bool empty() const { return commands.empty() && fifo == 0; }
  bool popPacket(std::vector<uint8_t> &payload);
  void describe(CycleState &state) const {
    state.set(CycleState::OutPartial, partial);
    state.set(CycleState::OutFifo, fifo);
    state.set(CycleState::OutCommands, commands.size());
  }

private:
  struct Command {
    bool end = false;
    uint64_t left = 0;
  };
  struct Push {
    unsigned bytes = 0;
    std::vector<uint8_t> data; ///< empty: they are left out
  };
  /// Where the output is behind what is on its way: whether something can be pushed there, beats of
  /// the FIFO, bytes in the packer.
  struct Ahead {
    bool open = false;
    uint64_t beats = 0, filled = 0;
  };
  void skip(unsigned bytes);
  Ahead lookAhead() const;

  unsigned beatBytes = 64, fifoBeats = 0;
  unsigned partial = 0; ///< bytes in the packer, less than a beat
  unsigned fifo = 0;    ///< beats
  bool pushed = false;  ///< or left out, in this cycle
  std::vector<uint8_t> current;
  std::deque<std::vector<uint8_t>> packets;
  std::deque<Command> commands;
  Following<Push> pushes;  ///< of the grid
  unsigned onTheirWay = 0; ///< their bytes
  Ahead ahead;             ///< at the end of the cycle before
};

} // namespace acis::model
