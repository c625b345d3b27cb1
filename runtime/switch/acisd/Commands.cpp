#include "runtime/switch/acisd/Commands.h"

#include <algorithm>

namespace acis::acisd {

using nlohmann::json;

namespace {

std::string textOf(const json &command, const char *name) {
  const auto found = command.find(name);
  return found != command.end() && found->is_string() ? found->get<std::string>() : "";
}

json describe(const HandlerService::PortStatus &port) {
  const sw::HandlerCounters &count = port.counters;
  return {{"listen", port.listen.str()},
          {"handler", port.handler},
          {"engine", port.exact ? "model" : "fast"},
          {"received", count.received},
          {"bytesReceived", count.bytesReceived},
          {"processed", count.processed},
          {"sent", count.sent},
          {"bytesSent", count.bytesSent},
          {"droppedTrap", count.trapped},
          {"droppedTooLong", count.tooLong},
          {"replaced", count.replaced},
          {"cycles", count.cycles},
          {"lastTrap", port.lastTrap},
          {"keepsState", port.whyKeepsState},
          {"onAllWorkers", port.onAllWorkers},
          {"workerReceived", port.workerReceived}};
}

} // namespace

Result<wire::Address> Commands::load(const wire::Address &listen, sw::HandlerLoad what,
                                     StateUse state) {
  if (!handlers)
    return Error{"", "the switch has no overlay to run handlers on; start acisd with --config"};
  return handlers->load(listen, std::move(what), state);
}

json Commands::loadCommand(const json &command, std::vector<uint8_t> content) {
  Result<wire::Address> listen = wire::parseAddress(textOf(command, "listen"));
  if (!listen)
    return controlError("listen: " + listen.error().str());
  const std::string engine = textOf(command, "engine");
  if (!engine.empty() && engine != "fast" && engine != "model")
    return controlError("engine '" + engine + "'; fast and model are allowed");
  const std::string state = textOf(command, "state");
  if (!state.empty() && state != "one" && state != "each")
    return controlError("state '" + state + "'; one and each are allowed");
  sw::HandlerLoad what;
  if (const auto memory = command.find("memory"); memory != command.end()) {
    const uint64_t bytes = memory->is_number_unsigned() ? memory->get<uint64_t>() : ~uint64_t(0);
    if (bytes > content.size())
      return controlError("memory: " + memory->dump() + "; at most the " +
                          std::to_string(content.size()) + " bytes of content are allowed");
    const auto start = content.end() - ptrdiff_t(bytes);
    what.memory.assign(start, content.end());
    what.memoryBytes = std::max<uint64_t>(what.memoryBytes, bytes);
    content.erase(start, content.end());
  }
  what.elf = std::move(content);
  what.handler = textOf(command, "handler");
  what.exact = engine == "model";
  Result<wire::Address> loaded =
      load(*listen, std::move(what), state == "each" ? StateUse::Each : StateUse::One);
  if (!loaded)
    return controlError(loaded.error().str());
  return {{"listen", loaded->str()}};
}

json Commands::unloadCommand(const json &command) {
  Result<wire::Address> listen = wire::parseAddress(textOf(command, "listen"));
  if (!listen)
    return controlError("listen: " + listen.error().str());
  if (!handlers)
    return controlError("no handler is loaded at " + listen->str());
  if (Status unloaded = handlers->unload(*listen); !unloaded)
    return controlError(unloaded.error().str());
  return {{"unloaded", listen->str()}};
}

sw::Statistics Commands::statistics() const {
  sw::Statistics all = device.statistics();
  if (handlers)
    addUp(all, handlers->statistics());
  return all;
}

json Commands::status() {
  json list = json::array(), counters = json::object();
  if (handlers)
    for (const HandlerService::PortStatus &port : handlers->ports())
      list.push_back(describe(port));
  for (const auto &[name, value] : statistics())
    counters[name] = value;
  uint64_t refused = 0;
  if (controls)
    for (const ControlSocket &control : *controls)
      refused += control.refused();
  counters["control_refused"] = refused;
  return {{"handlers", std::move(list)}, {"counters", std::move(counters)}};
}

json Commands::execute(const json &command, std::vector<uint8_t> content) {
  const std::string name = textOf(command, "command");
  if (name == "load")
    return loadCommand(command, std::move(content));
  if (name == "unload")
    return unloadCommand(command);
  if (name == "status")
    return status();
  return controlError("unknown command '" + name + "'; load, unload and status are allowed");
}

} // namespace acis::acisd
