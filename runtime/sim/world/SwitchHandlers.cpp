// See SwitchHandlers.h.
#include "runtime/sim/world/SwitchHandlers.h"

#include <algorithm>

namespace acis::cluster {
namespace {

using nlohmann::json;

constexpr uint16_t FirstPort = 9100;

std::string textIn(const json &command, const char *name) {
  const auto at = command.find(name);
  return at != command.end() && at->is_string() ? at->get<std::string>() : "";
}

} // namespace

/// Of this switch; port 0 is any.
Result<wire::Address> SwitchHandlers::addressIn(const json &command) const {
  Result<wire::Address> listen = wire::parseAddress(textIn(command, "listen"));
  if (!listen)
    return Error{"listen", listen.error().str()};
  wire::Address here = self;
  here.port = listen->port;
  if (listen->ip != self.ip || listen->port == self.port)
    return Error{"listen", "found " + listen->str() + "; this switch is " + self.str() +
                               ", and that port is for collectives"};
  return here;
}

Result<wire::Address> SwitchHandlers::load(const json &command, std::vector<uint8_t> content) {
  Result<wire::Address> listen = addressIn(command);
  if (!listen)
    return listen;
  if (!overlay)
    return Error{"", "the switch has no overlay to run handlers on; give acis-simrun --config"};
  sw::HandlerLoad what;
  what.exact = true;
  what.handler = textIn(command, "handler");
  if (const auto memory = command.find("memory"); memory != command.end()) {
    const auto start = content.end() - ptrdiff_t(memory->get<uint64_t>());
    what.memory.assign(start, content.end());
    what.memoryBytes = std::max<uint64_t>(what.memoryBytes, what.memory.size());
    content.erase(start, content.end());
  }
  if (const auto size = command.find("memoryBytes"); size != command.end())
    what.memoryBytes = std::max(what.memoryBytes, size->get<uint64_t>());
  what.elf = std::move(content);
  Result<std::unique_ptr<sw::HandlerPort>> port = sw::HandlerPort::make(*overlay, std::move(what));
  if (!port)
    return port.error();
  if (listen->port == 0)
    listen->port = replaced.empty() ? FirstPort : uint16_t(replaced.rbegin()->first + 1);
  const auto [at, isNew] = replaced.try_emplace(listen->port, 0);
  at->second += !isNew;
  plugin.place(listen->port, std::move(*port));
  return listen;
}

Result<wire::Address> SwitchHandlers::unload(const json &command) {
  Result<wire::Address> listen = addressIn(command);
  if (listen && replaced.erase(listen->port) == 0)
    return Error{"", "no handler is loaded at " + listen->str()};
  if (listen)
    plugin.place(listen->port, nullptr);
  return listen;
}

json SwitchHandlers::status() const {
  json all = json::array();
  for (const auto &[number, times] : replaced) {
    const sw::HandlerPort &port = *plugin.at(number);
    const sw::HandlerCounters &count = port.counters();
    wire::Address listen = self;
    listen.port = number;
    all.push_back({{"listen", listen.str()},
                   {"handler", port.name()},
                   {"engine", "model"},
                   {"received", count.received},
                   {"bytesReceived", count.bytesReceived},
                   {"processed", count.processed},
                   {"sent", count.sent},
                   {"bytesSent", count.bytesSent},
                   {"droppedTrap", count.trapped},
                   {"droppedTooLong", count.tooLong},
                   {"replaced", times},
                   {"cycles", count.cycles},
                   {"lastTrap", port.lastTrap()}});
  }
  return {{"handlers", std::move(all)}};
}

json SwitchHandlers::command(const json &command, std::vector<uint8_t> content) {
  const std::string name = textIn(command, "command");
  if (name == "status")
    return status();
  const Result<wire::Address> done =
      name == "load" ? load(command, std::move(content)) : unload(command);
  if (!done)
    return {{"error", done.error().str()}};
  return {{name == "load" ? "listen" : "unloaded", done->str()}};
}

} // namespace acis::cluster
