// What every overlay can do, whichever engine runs it.
#pragma once

#include "backend/isa/Numbers.h"
#include "backend/overlay/Overlay.h"
#include "backend/support/Result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acis {

struct Image; // runtime/engine/loader/Image.h: a verified binary

using isa::NumStalls;
using isa::Stall;

struct Counters {
  uint64_t cycles = 0; ///< start to done; 0 on engine `fast`
  uint64_t beatsIn = 0, beatsOut = 0, bytesIn = 0, bytesOut = 0;
  uint64_t packetsIn = 0, packetsOut = 0;
  uint64_t stalls[NumStalls] = {};
  uint64_t tilesSkipped = 0;
  uint64_t iterations = 0; ///< of mapped loops and vector instructions
  /// Instructions retired, by mnemonic, in the order of the ISA tables. A launch
  /// counts as `acis.launch`; one whose context holds a sparse accumulation also
  /// as `spvacc`.
  std::vector<std::pair<std::string, uint64_t>> instructions;
};

/// A run that could not go on. `pc` is the address in .text; `line` the source
/// line ("file:line") or "".
struct Trap {
  std::string what;
  uint32_t pc = 0;
  std::string line;
};

/// One loaded handler on one overlay. Not thread-safe; independent of other
/// devices. The device owns its off-chip memory, registers and tables.
class Device {
public:
  virtual ~Device() = default;

  virtual const Overlay &overlay() const = 0;
  /// Selects the handler by name ("" if the image has one) and resets all state:
  /// register files to zero, memory to zero, counters to zero.
  virtual Status load(std::shared_ptr<const Image> image, std::string_view handler) = 0;
  /// Off-chip memory of the job, as the handler's memory pointer sees it.
  virtual std::span<uint8_t> memory() = 0;
  virtual Status resizeMemory(uint64_t bytes) = 0;
  /// From here on the off-chip memory is these bytes, which the caller owns, keeps while the device
  /// may use them, and which load() leaves as they are. For engines in software.
  virtual Status attachMemory(std::span<uint8_t> bytes) {
    return Error{"", "this device has a memory of its own"};
  }

  /// Queues one packet's payload (no header). Copied.
  virtual void push(std::span<const uint8_t> payload) = 0;
  /// No more packets: a handler that waits for one traps with "deadline".
  /// Runs invocations until the queue is empty or a trap. Each invocation gives
  /// at most one output packet (none if it sent nothing).
  virtual Status run() = 0;
  /// Takes the next output packet; false when there is none.
  virtual bool pop(std::vector<uint8_t> &payload) = 0;

  virtual const Counters &counters() const = 0;
  /// Set when run() failed because of the program or its input.
  virtual const Trap *trap() const = 0;
  /// A bound on scalar instructions plus iterations per invocation; a run past it
  /// traps with "deadline". Default 2^32.
  virtual void setDeadline(uint64_t steps) = 0;
};

std::unique_ptr<Device> makeFastDevice(const Overlay &overlay);
std::unique_ptr<Device> makeModelDevice(const Overlay &overlay);

} // namespace acis
