// Engine `rtl`: the SystemVerilog of the overlay, translated by Verilator.
#pragma once

#include "runtime/engine/device/Stepped.h"

#include <memory>
#include <string>

namespace acis {

struct RtlOptions {
  uint64_t seed = 0;   ///< of random latencies, gaps and back-pressure; 0: none
  std::string trace;   ///< file for a waveform (FST), "" for none
  bool events = false; ///< record events, see SteppedDevice::events()
};

/// Fails for an overlay that this program was not built with.
Result<std::unique_ptr<SteppedDevice>> makeRtlDevice(const Overlay &overlay,
                                                     const RtlOptions &options);

namespace rtl {

/// A translated overlay.
struct Built {
  const char *name;
  uint64_t (*hardware)(); ///< hardwareFingerprint() of its description
  std::unique_ptr<SteppedDevice> (*make)(const Overlay &, const RtlOptions &);
};
/// Those of this program; the build writes the list (CMakeLists.txt).
std::vector<Built> builtOverlays();

} // namespace rtl
} // namespace acis
