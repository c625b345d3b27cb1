#include "runtime/switch/acisd/Commands.h"

#include "runtime/switch/acisd/Metrics.h"
#include "runtime/switch/acisd/Statistics.h"

#include <algorithm>
#include <cmath>

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

json describe(const forward::Forwarder &forwarder) {
  json ports = json::array(), rules = json::array();
  for (const forward::Forwarder::PortStatus &port : forwarder.ports())
    ports.push_back({{"port", port.name},
                     {"received", port.counters.received},
                     {"bytesReceived", port.counters.bytesReceived},
                     {"sent", port.counters.sent},
                     {"bytesSent", port.counters.bytesSent},
                     {"refused", port.counters.refused}});
  for (const forward::Forwarder::RuleStatus &rule : forwarder.rules()) {
    const sw::HandlerCounters &count = rule.handler->counters();
    rules.push_back({{"match", rule.match},
                     {"handler", rule.handler->name()},
                     {"engine", rule.handler->isExact() ? "model" : "fast"},
                     {"received", count.received},
                     {"bytesReceived", count.bytesReceived},
                     {"sent", count.sent},
                     {"bytesSent", count.bytesSent},
                     {"droppedTrap", count.trapped},
                     {"cycles", count.cycles},
                     {"lastTrap", rule.handler->lastTrap()}});
  }
  return {{"ports", std::move(ports)}, {"rules", std::move(rules)}};
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
  if (const auto size = command.find("memoryBytes"); size != command.end()) {
    if (!size->is_number_unsigned())
      return controlError("memoryBytes: " + size->dump() + "; a number of bytes is needed");
    what.memoryBytes = std::max(what.memoryBytes, size->get<uint64_t>());
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

json Commands::ruleCommand(const json &command, std::vector<uint8_t> content) {
  if (!forwarding)
    return controlError("the switch forwards nothing; start acisd with --forward");
  const std::string match = textOf(command, "match"), engine = textOf(command, "engine");
  if (!engine.empty() && engine != "fast" && engine != "model")
    return controlError("engine '" + engine + "'; fast and model are allowed");
  Status done;
  if (content.empty()) {
    done = forwarding->removeRule(match);
  } else {
    sw::HandlerLoad what;
    what.elf = std::move(content);
    what.handler = textOf(command, "handler");
    what.exact = engine == "model";
    done = forwarding->setRule(match, std::move(what));
  }
  return done ? json{{"match", match}} : controlError(done.error().str());
}

sw::Statistics Commands::statistics() {
  sw::Statistics all = jobs.statistics();
  if (handlers)
    addUp(all, handlers->statistics());
  if (forwarding)
    addUp(all, forwarding->forwarder().statistics());
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
  json out = {{"handlers", std::move(list)}, {"counters", std::move(counters)}};
  if (forwarding)
    out["forwarding"] = describe(forwarding->forwarder());
  return out;
}

namespace {

json describe(const sw::Control::Status &group) {
  return {{"job", group.job},
          {"group", group.context},
          {"members", group.members},
          {"decidedHere", group.decides},
          {"staleness", group.policy.staleness},
          {"mostStaleness", group.policy.mostStaleness},
          {"quorum", group.policy.quorum},
          {"deadline", double(group.policy.deadline) / wire::Second},
          {"utility", double(group.policy.utility) / wire::Policy::Whole},
          {"stalenessInForce", group.order.staleness},
          {"deadlineInForce", double(group.order.deadline) / wire::Second},
          {"mayBegin", group.order.allowed},
          {"done", group.order.floor},
          {"imbalance", double(group.policy.imbalance) / wire::Policy::Whole},
          {"settled", double(group.policy.settled) / wire::Policy::Whole},
          {"moved", group.moved},
          {"sums", group.sums},
          {"partialSums", group.partials},
          {"measured", group.measured},
          {"missedDeadlines", group.missedDeadlines},
          {"failure", group.order.failure}};
}

/// A number in the command of at most so much, times `scale`, to `out` if it is there; "" or what
/// is wrong.
template <typename T>
std::string take(const json &command, const char *name, double most, double scale, T &out) {
  const auto found = command.find(name);
  if (found == command.end())
    return "";
  const double value = found->is_number() ? found->get<double>() : -1;
  if (!(value >= 0 && value <= most))
    return std::string(name) + ": " + found->dump() + "; a number of at least 0 and at most " +
           json(most).dump() + " is allowed";
  out = T(std::llround(value * scale));
  return "";
}

} // namespace

json Commands::controlCommand(const json &command) {
  const std::vector<sw::Control::Status> groups = jobs.groups();
  if (!command.contains("job") && !command.contains("group")) {
    json list = json::array();
    for (const sw::Control::Status &group : groups)
      list.push_back(describe(group));
    return {{"groups", std::move(list)}};
  }
  constexpr double most = UINT32_MAX;
  uint32_t job = 0, context = 0;
  for (const std::string &wrong :
       {take(command, "job", most, 1, job), take(command, "group", most, 1, context)})
    if (!wrong.empty())
      return controlError(wrong);
  const auto at = std::find_if(groups.begin(), groups.end(), [&](const sw::Control::Status &group) {
    return group.job == job && group.context == context;
  });
  if (at == groups.end())
    return controlError("job " + std::to_string(job) + " has no control group " +
                        std::to_string(context) + " here; control without a job lists all");
  wire::Policy policy = at->policy;
  const double longest = double(wire::Policy::MostDeadline) / wire::Second;
  for (const std::string &wrong :
       {take(command, "staleness", most, 1, policy.staleness),
        take(command, "mostStaleness", most, 1, policy.mostStaleness),
        take(command, "quorum", double(at->members), 1, policy.quorum),
        take(command, "deadline", longest, wire::Second, policy.deadline),
        take(command, "utility", 1, wire::Policy::Whole, policy.utility),
        take(command, "imbalance", 1000, wire::Policy::Whole, policy.imbalance),
        take(command, "settled", 1000, wire::Policy::Whole, policy.settled)})
    if (!wrong.empty())
      return controlError(wrong);
  if (command.contains("staleness") && !command.contains("mostStaleness"))
    policy.mostStaleness = std::max(policy.mostStaleness, policy.staleness);
  if (command.contains("imbalance") && !command.contains("settled"))
    policy.settled = policy.imbalance / 2;
  if (std::string wrong = jobs.change(job, context, policy); !wrong.empty())
    return controlError(wrong);
  return {{"changed", context}};
}

std::string Commands::metrics() { return metricsText(status()); }

json Commands::execute(const json &command, std::vector<uint8_t> content) {
  const std::string name = textOf(command, "command");
  json result = answer(name, command, std::move(content));
  note(name, command, result);
  return result;
}

/// What only reads is not told, nor are its refusals.
void Commands::note(const std::string &name, const json &command, const json &answer) {
  const bool isRead =
      name == "status" || name == "metrics" || (name == "control" && !command.contains("job"));
  if (!log || isRead)
    return;
  LogLine line;
  if (const std::string error = textOf(answer, "error"); !error.empty()) {
    line.level = LogLevel::Warning;
    line.event = "command-refused";
    line.message = name + ": " + error;
  } else if (name == "load" || name == "unload") {
    line.event = name == "load" ? "handler-loaded" : "handler-unloaded";
    line.address = textOf(answer, name == "load" ? "listen" : "unloaded");
  } else if (name == "rule") {
    line.event = "rule-changed";
    line.message = textOf(command, "match");
  } else {
    line.event = "group-changed";
    line.job = command.at("job").get<uint32_t>();
    line.message = "group " + answer.at("changed").dump();
  }
  log->write(line);
}

json Commands::answer(const std::string &name, const json &command, std::vector<uint8_t> content) {
  if (name == "load")
    return loadCommand(command, std::move(content));
  if (name == "unload")
    return unloadCommand(command);
  if (name == "rule")
    return ruleCommand(command, std::move(content));
  if (name == "status")
    return status();
  if (name == "metrics")
    return {{"text", metrics()}};
  if (name == "control")
    return controlCommand(command);
  return controlError("unknown command '" + name +
                      "'; load, unload, rule, status, metrics and control are allowed");
}

} // namespace acis::acisd
