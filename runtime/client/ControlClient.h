// The other end of acisd's control socket: one command, one answer (docs/wire-handlers.md).
#pragma once

#include "backend/support/Result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace acis {

/// Sends the line and the content, and waits for the answer, 10 seconds at the most. Fails
/// if there is no switch, and with the switch's own words if it refused.
Result<nlohmann::json> askSwitch(const std::string &controlPath, nlohmann::json command,
                                 std::span<const uint8_t> content = {});

} // namespace acis
