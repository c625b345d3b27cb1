// The other end of acisd's control socket: one command, one answer (docs/wire-handlers.md).
#pragma once

#include "backend/support/Result.h"
#include "runtime/switch/tls/Tls.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace acis {

/// Where a switch takes commands: by the path of its control socket, or over TLS elsewhere
/// (HOST:PORT; its certificate is for that host) with this end's certificate, key and
/// authorities.
class ControlPoint {
public:
  ControlPoint() = default; ///< none
  explicit ControlPoint(std::string path) : place(std::move(path)) {}
  ControlPoint(std::string address, tls::Files files)
      : place(std::move(address)), files(std::move(files)), remote(true) {}

  bool none() const { return place.empty(); }
  const std::string &name() const { return place; }
  /// Any port where the switch is, in the form that commands take.
  Result<std::string> anyPort() const;

  /// Sends the line and the content, and waits for the answer, 10 seconds at the most. Fails
  /// if there is no switch, and with the switch's own words if it refused.
  Result<nlohmann::json> ask(nlohmann::json command, std::span<const uint8_t> content = {}) const;

private:
  Result<std::string> askHere(const std::string &line, std::span<const uint8_t> content) const;
  Result<std::string> askThere(const std::string &line, std::span<const uint8_t> content) const;

  std::string place;
  tls::Files files;
  bool remote = false;
};

} // namespace acis
