// An engine's hardware cycle by cycle, without what is in the packets: when what comes in at a port
// has gone through it. Every unit works in order and takes a phit a cycle, so a packet is counted
// as the span of cycles that each unit has for it.
//
//   port -> FIFO -> control module -> pass by ------------------> output ports
//                                  -> reduction unit: fold ----> the same phit to all of its
//                                  -> reduction unit: gather --> output ports (multicast)
//
//   packet          latency beyond its phits      holds
//   passes by       portToPortNs                  its FIFO, a datapath
//   for the engine  portToPortNs + packetNs       the same
//     a fold        the same                      a column of the unit that has its row; folds of
//                                                 one row do so side by side
//     a gather      the same                      all of the unit: its collector gives one
//                                                 packet after the other
//
// A packet that waits stays in its port's FIFO, and what is behind it does, too. When the FIFO is
// full but for the margin, the other end of the link is stopped.
#pragma once

#include "runtime/sim/engine/EngineDescription.h"

#include <algorithm>
#include <deque>
#include <vector>

namespace acis::cluster {

struct EngineCounters {
  uint64_t packets = 0, passed = 0, folded = 0, gathered = 0;
  uint64_t foldCycles = 0; ///< columns were busy
  uint64_t peakBytes = 0;  ///< that waited in a FIFO
  uint64_t stops = 0;      ///< packets behind which the other end was stopped
  uint64_t stopCycles = 0;
  uint64_t cycles = 0; ///< until the last packet was through

  EngineCounters &operator+=(const EngineCounters &other);
};

class EngineModel {
public:
  /// `bufferBytes`: of each FIFO. Port 0 is the host's, the others those of neighbours.
  EngineModel(const EngineDescription &description, uint64_t bufferBytes);

  /// What becomes of a packet: it is for others; it is for the control module, and perhaps copied;
  /// its elements go one behind the other; they are folded.
  enum class Use : uint8_t { Pass, Copy, Gather, Fold };
  struct Packet {
    uint32_t port = 0; ///< up to description.ports
    uint64_t bytes = 0;
    Use use = Use::Pass;
    uint64_t row = 0;             ///< of the tables of reductions and gathers
    uint64_t first = 0, last = 0; ///< the cycles that bring its first and its last phit
  };
  /// The cycle in which the last phit of what it becomes is at output ports. Packets of a port come
  /// in the order of `first`.
  uint64_t take(const Packet &packet);
  /// The cycle in which an output port begins a packet that is there at `ready`; it takes a phit
  /// each cycle. Copies for several ports leave at the same time, if these are free.
  uint64_t leave(uint32_t port, uint64_t bytes, uint64_t ready);

  const EngineCounters &counters() const { return count; }
  const EngineDescription &description() const { return shape; }
  uint64_t bufferBytes() const { return buffer; }

private:
  /// The phits of a packet in a FIFO: they leave it from `start` on, one in so many cycles.
  struct Waiting {
    uint64_t start = 0, phits = 0, perPhit = 1;

    uint64_t end() const { return start + phits * perPhit; }
    uint64_t left(uint64_t at) const {
      return at < start ? phits : phits - std::min(phits, (at - start + 1) / perPhit);
    }
  };
  struct Port {
    uint64_t free = 0;    ///< the cycle in which a phit may come
    uint64_t drained = 0; ///< the cycle in which the FIFO is empty, so far
    uint64_t leaves = 0;  ///< the cycle in which the output is free
    std::deque<Waiting> fifo;
  };
  struct Unit {
    uint64_t row = 0, free = 0;
    std::vector<uint64_t> columns; ///< when each is free, while the unit has that row
  };

  uint64_t startInUnit(const Packet &packet, uint64_t start);
  void holdUnit(const Packet &packet, uint64_t until);
  void queue(Port &port, uint64_t in, const Waiting &packet);
  Unit &unitOf(uint64_t row) { return units[row % units.size()]; }

  const EngineDescription shape;
  const uint64_t buffer;
  std::vector<Port> ports;
  std::vector<Unit> units;
  std::vector<uint64_t> datapaths; ///< when each is free; none: each port has its own
  EngineCounters count;
};

} // namespace acis::cluster
