// What acisctl can ask of a running switch.
#pragma once

#include "runtime/switch/acisd/ControlSocket.h"
#include "runtime/switch/acisd/Forwarding.h"
#include "runtime/switch/acisd/HandlerService.h"
#include "runtime/switch/acisd/JobService.h"
#include "runtime/switch/acisd/Log.h"

#include <nlohmann/json.hpp>

namespace acis::acisd {

class Commands {
public:
  /// `handlers` is null if the switch has no overlay.
  Commands(JobService &jobs, HandlerService *handlers) : jobs(jobs), handlers(handlers) {}

  /// Their counters are shown, too.
  void watch(const std::vector<ControlSocket> &list) { controls = &list; }

  /// What changes handlers, rules and groups is told, and what was refused.
  void tell(Log &journal) { log = &journal; }

  /// Its rules can be shown and changed; null: nothing is forwarded.
  void forward(Forwarding *frames) { forwarding = frames; }

  /// {"command": "load", "listen": "127.0.0.1:9100", "handler": "", "engine": "fast",
  /// "state": "one"} with the binary as content, and behind it the first "memory" bytes of the
  /// memory, which has "memoryBytes" at least; "unload" with "listen"; "status"; "metrics", which
  /// has its "text"; "control", which lists the control groups, or
  /// with "job" and "group" changes one: "staleness", "mostStaleness", "quorum", "deadline"
  /// (seconds), "utility"; "rule" with "match" and a binary as content, or without one: it goes.
  nlohmann::json execute(const nlohmann::json &command, std::vector<uint8_t> content);

  /// Opens the port if it is not, and loads; what `--handler` of acisd does, too.
  Result<wire::Address> load(const wire::Address &listen, sw::HandlerLoad what, StateUse state);
  /// The status for Prometheus.
  std::string metrics();
  /// Counters of all parts of the switch.
  sw::Statistics statistics();

private:
  nlohmann::json answer(const std::string &name, const nlohmann::json &command,
                        std::vector<uint8_t> content);
  void note(const std::string &name, const nlohmann::json &command, const nlohmann::json &answer);
  nlohmann::json loadCommand(const nlohmann::json &command, std::vector<uint8_t> content);
  nlohmann::json unloadCommand(const nlohmann::json &command);
  nlohmann::json status();
  nlohmann::json controlCommand(const nlohmann::json &command);
  nlohmann::json ruleCommand(const nlohmann::json &command, std::vector<uint8_t> content);

  JobService &jobs;
  HandlerService *handlers;
  const std::vector<ControlSocket> *controls = nullptr;
  Forwarding *forwarding = nullptr;
  Log *log = nullptr;
};

} // namespace acis::acisd
