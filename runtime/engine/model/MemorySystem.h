// All of the overlay's access to off-chip memory: bytes, banks and masters.
#pragma once

#include "backend/isa/Numbers.h"
#include "backend/isa/Traps.h"
#include "runtime/engine/model/Memory.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace acis::model {

/// User of a read master that is the grid; others are vector loads, by number.
inline constexpr uint64_t GridUser = 0;

class MemorySystem {
public:
  void reset(const Overlay &overlay) {
    banks.reset(overlay);
    readers.resize(overlay.numPes());
    writers.resize(overlay.numPes());
    for (unsigned pe = 0; pe < overlay.numPes(); ++pe) {
      readers[pe].reset(overlay);
      writers[pe].reset(overlay);
    }
    readLatency = overlay.memReadLatency;
    writeLatency = overlay.memWriteLatency;
    beatBytes = overlay.beatBytes();
    scalarDone = scalarWritten = 0;
    scalarReading = false;
  }

  /// The bytes at an address of the scalar unit's map, or nullptr.
  uint8_t *at(uint32_t address, unsigned size) {
    const uint64_t offset = uint64_t(address) - isa::MemoryBase;
    return address >= isa::MemoryBase && offset + size <= bytes.size() ? bytes.data() + offset
                                                                       : nullptr;
  }

  /// The text of a trap for an access that at() refuses.
  std::string outside(uint32_t address, unsigned size) const {
    return isa::trapMemory(size, address, bytes.size());
  }

  /// A cycle begins: the ports do what the sequencer decided `stallLatency` cycles before.
  void begin() {
    for (ReadMaster &reader : readers)
      reader.begin();
    for (WriteMaster &writer : writers)
      writer.begin(banks);
  }

  /// One cycle: arbitration in the order scalar unit (by the caller), reads of PE 0,
  /// 1, ..., writes of PE 0, 1, ...
  void cycle(uint64_t now) {
    for (ReadMaster &reader : readers)
      if (!reader.idle()) {
        reader.receive(now);
        reader.request(banks, now);
      }
    for (WriteMaster &writer : writers)
      if (!writer.idle())
        writer.cycle(banks, now);
  }

  /// Every write was acknowledged.
  bool writesIdle(uint64_t now) const {
    for (const WriteMaster &writer : writers)
      if (!writer.idle())
        return false;
    return scalarWritten <= now;
  }
  /// The ports of the PEs have nothing to do.
  bool portsIdle() const {
    for (const ReadMaster &reader : readers)
      if (!reader.idle())
        return false;
    for (const WriteMaster &writer : writers)
      if (!writer.idle())
        return false;
    return true;
  }
  bool idle(uint64_t now) const { return portsIdle() && scalarWritten <= now; }

  // The scalar unit's own accesses, one at a time, each a burst of one beat.
  /// True when the load that was begun has its data; begins it when the bank is free.
  bool scalarLoad(uint32_t address, uint64_t now) {
    if (scalarReading) {
      scalarReading = now < scalarDone;
      return !scalarReading;
    }
    if (banks.free(address / beatBytes, now)) {
      banks.take({address / beatBytes, 1}, now);
      scalarReading = true;
      scalarDone = now + readLatency;
    }
    return false;
  }
  bool scalarStore(uint32_t address, uint64_t now) {
    if (!banks.free(address / beatBytes, now))
      return false;
    banks.take({address / beatBytes, 1}, now);
    scalarWritten = now + 1 + writeLatency;
    return true;
  }

  std::vector<uint8_t> own;
  std::span<uint8_t> bytes; ///< own, or what was attached
  Banks banks;
  std::vector<ReadMaster> readers;
  std::vector<WriteMaster> writers;

private:
  unsigned readLatency = 0, writeLatency = 0, beatBytes = 64;
  uint64_t scalarDone = 0, scalarWritten = 0;
  bool scalarReading = false;
};

} // namespace acis::model
