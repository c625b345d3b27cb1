// Finds the translated overlay for a description.
#include "runtime/hardware/verilated/Verilated.h"

#include "backend/overlay/SystemVerilog.h"

namespace acis {

Result<std::unique_ptr<SteppedDevice>> makeRtlDevice(const Overlay &overlay,
                                                     const RtlOptions &options) {
  if (!options.trace.empty() && !VM_TRACE_FST)
    return Error{
        options.trace,
        "this program was built without waveforms of the RTL; in the source folder run "
        "'cmake --preset dev -B build/waves -DACIS_RTL_WAVES=ON' and 'ninja -C build/waves "
        "acis-run', then use build/waves/bin/acis-run; or write a trace for Perfetto with "
        "a name that ends in .json"};
  std::string names;
  for (const rtl::Built &built : rtl::builtOverlays()) {
    if (built.hardware() == hardwareFingerprint(overlay))
      return built.make(overlay, options);
    names += (names.empty() ? "" : ", ") + std::string(built.name);
  }
  return Error{"", "the RTL of overlay '" + overlay.name + "' is not in this program, that of " +
                       names + " is; configure with -DACIS_RTL_OVERLAYS=... (docs/rtl.md)"};
}

} // namespace acis
