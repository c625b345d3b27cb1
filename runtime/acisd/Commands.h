// What acisctl can ask of a running switch.
#pragma once

#include "runtime/acisd/ControlSocket.h"
#include "runtime/acisd/Ports.h"
#include "runtime/switch/Handlers.h"

#include <nlohmann/json.hpp>

namespace acis::acisd {

class Commands {
public:
  /// `handlers` is null if the switch has no overlay.
  Commands(sw::Switch &device, sw::Handlers *handlers, Ports &ports)
      : device(device), handlers(handlers), ports(ports) {}

  /// Their counters are shown, too.
  void watch(const std::vector<ControlSocket> &list) { controls = &list; }

  /// {"command": "load", "listen": "127.0.0.1:9100", "handler": "", "engine": "fast"} with
  /// the binary as content, and behind it the first "memory" bytes of the memory; "unload" with
  /// "listen"; "status".
  nlohmann::json execute(const nlohmann::json &command, std::vector<uint8_t> content);

  /// Opens the port if it is not, and loads; what `--handler` of acisd does, too.
  Result<wire::Address> load(const wire::Address &listen, sw::HandlerLoad what);

private:
  nlohmann::json loadCommand(const nlohmann::json &command, std::vector<uint8_t> content);
  nlohmann::json unloadCommand(const nlohmann::json &command);
  nlohmann::json status() const;

  sw::Switch &device;
  sw::Handlers *handlers;
  const std::vector<ControlSocket> *controls = nullptr;
  Ports &ports;
};

} // namespace acis::acisd
