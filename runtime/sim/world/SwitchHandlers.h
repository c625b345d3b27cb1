// Packet handlers on ports of a simulated switch, and the commands that load them: those of acisd's
// control socket (docs/wire-handlers.md) that hosts use. Handlers run on engine `model`.
#pragma once

#include "backend/overlay/Overlay.h"
#include "runtime/switch/core/Handlers.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace acis::cluster {

class SwitchHandlers {
public:
  /// `overlay` may be nullptr: nothing can be loaded. Both outlive this.
  SwitchHandlers(const wire::Address &self, sw::Handlers &plugin, const Overlay *overlay)
      : self(self), plugin(plugin), overlay(overlay) {}

  /// load, unload or status; the answer has "error" if it was refused.
  nlohmann::json command(const nlohmann::json &command, std::vector<uint8_t> content);

private:
  Result<wire::Address> addressIn(const nlohmann::json &command) const;
  Result<wire::Address> load(const nlohmann::json &command, std::vector<uint8_t> content);
  Result<wire::Address> unload(const nlohmann::json &command);
  nlohmann::json status() const;

  const wire::Address self;
  sw::Handlers &plugin;
  const Overlay *overlay;
  std::map<uint16_t, uint64_t> replaced; ///< ports that have a handler: how often another took over
};

} // namespace acis::cluster
