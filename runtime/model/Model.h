// The cycle-exact engine with its options. docs/timing.md says what takes how long.
#pragma once

#include "runtime/device/Stepped.h"
#include "runtime/model/TraceLog.h"

#include <memory>

namespace acis {

struct ModelOptions {
  /// Record events, see ModelDevice::events().
  bool trace = false;
  /// Lets every interlocked read wait as if an earlier iteration wrote its beat: no data
  /// takes longer. Results stay right.
  bool worstCase = false;
};

/// What the model can tell besides its state.
class ModelDevice : public SteppedDevice {
public:
  /// Events since load(); `acis-run --trace` writes them for a viewer.
  virtual const std::vector<model::Event> &events() const = 0;
  /// "file:line" of an event, or "".
  virtual std::string lineOf(const model::Event &event) const = 0;
};

std::unique_ptr<ModelDevice> makeModelDevice(const Overlay &overlay, const ModelOptions &options);

} // namespace acis
