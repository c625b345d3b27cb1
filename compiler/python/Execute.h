// One run of a binary on an engine in software.
#pragma once

#include "backend/overlay/Overlay.h"
#include "runtime/engine/device/Interrupt.h"
#include "runtime/engine/loader/Image.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace acis::python {

/// A binary that the engines can run.
struct Program {
  Overlay overlay;
  std::shared_ptr<const Image> image;
};

struct RunRequest {
  std::string handler; ///< empty: the only one
  bool exact = false;  ///< engine `model`, else `fast`
  bool trace = false;  ///< engine `model` only
  uint64_t deadline = 0;
  std::span<const uint8_t> data; ///< the caller keeps it as it is during the run
  std::vector<uint64_t> lengths; ///< of the packets, one after the other in `data`
  std::span<uint8_t> memory;     ///< off-chip memory, written in place
  Interrupt interrupt = {};
};

struct RunOutcome {
  bool good = false;
  std::string where, what; ///< if it is not: "file:line" or "", and why
  bool trapped = false;    ///< by the handler or its input
  uint32_t pc = 0;         ///< of the trap
  std::vector<uint8_t> output;
  std::vector<uint64_t> lengths; ///< of the packets in it
  std::string statistics;        ///< those of acis-run --stats=json
  std::string trace;             ///< for Perfetto; also of a run that trapped
};

RunOutcome execute(const Program &program, const RunRequest &request);

} // namespace acis::python
