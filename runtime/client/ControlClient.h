// The other end of acisd's control socket: one command, one answer (docs/wire-handlers.md).
#pragma once

#include "backend/support/Result.h"
#include "runtime/tls/Tls.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace acis {

/// Sends the line and the content, and waits for the answer, 10 seconds at the most. Fails
/// if there is no switch, and with the switch's own words if it refused.
Result<nlohmann::json> askSwitch(const std::string &controlPath, nlohmann::json command,
                                 std::span<const uint8_t> content = {});

/// A switch elsewhere: where its control listens (HOST:PORT; its certificate is for that host),
/// and this end's certificate, key and authorities.
struct RemoteControl {
  std::string address;
  tls::Files files;
};

/// The same over TLS. The caller ignores SIGPIPE.
Result<nlohmann::json> askSwitch(const RemoteControl &remote, nlohmann::json command,
                                 std::span<const uint8_t> content = {});

} // namespace acis
