// acisctl: loads, replaces and unloads handlers of a running acisd and shows its counters.
#include "backend/support/CommandLine.h"
#include "runtime/host/client/ControlClient.h"
#include "runtime/switch/wire/Channel.h"

#include <cstdio>
#include <fstream>
#include <iterator>

namespace {
using nlohmann::json;

struct Settings {
  std::string control = "/run/acisd.sock", listen, binary, handler, memory, match, engine = "fast",
              state = "one";
  uint64_t memoryBytes = 0;
  std::string remote; ///< HOST:PORT, or "" for the local switch
  acis::tls::Files files;
  json policy = json::object(); ///< what of a control group is to be changed
  bool asJson = false;

  acis::Result<json> ask(json command, std::span<const uint8_t> content = {}) const {
    const acis::ControlPoint at =
        remote.empty() ? acis::ControlPoint(control) : acis::ControlPoint(remote, files);
    return at.ask(std::move(command), content);
  }
};

int fail(const std::string &what) {
  std::fprintf(stderr, "acisctl: error: %s\n", what.c_str());
  return 1;
}

int show(const json &reply) {
  std::printf("%s\n", reply.dump(2, ' ', false, json::error_handler_t::replace).c_str());
  return 0;
}

/// How packets are spread, if there are several workers.
void printWorkers(const json &port) {
  const json &received = port["workerReceived"];
  if (received.size() < 2)
    return;
  std::string list;
  for (const json &packets : received)
    list += " " + std::to_string(packets.get<uint64_t>());
  std::printf("  received by worker:%s\n", list.c_str());
  if (const std::string why = port["keepsState"]; !why.empty())
    std::printf("  %s: %s\n",
                port["onAllWorkers"].get<bool>() ? "a state for each worker"
                                                 : "one worker, because it may keep state",
                why.c_str());
}

/// Ports and rules of a switch that forwards frames.
void printForwarding(const json &reply) {
  if (!reply.contains("forwarding"))
    return;
  auto count = [](const json &item, const char *name) {
    return (unsigned long long)item[name].get<uint64_t>();
  };
  std::printf("\n%-40s %12s %12s %12s\n", "frames on port", "received", "sent", "refused");
  for (const json &port : reply["forwarding"]["ports"])
    std::printf("%-40s %12llu %12llu %12llu\n", port["port"].get<std::string>().c_str(),
                count(port, "received"), count(port, "sent"), count(port, "refused"));
  for (const json &rule : reply["forwarding"]["rules"]) {
    std::printf("rule %s: %s, %llu datagrams, %llu passed on, bytes %llu to %llu\n",
                rule["match"].get<std::string>().c_str(),
                rule["handler"].get<std::string>().c_str(), count(rule, "received"),
                count(rule, "sent"), count(rule, "bytesReceived"), count(rule, "bytesSent"));
    if (const std::string trap = rule["lastTrap"]; !trap.empty())
      std::printf("  last trap: %s\n", trap.c_str());
  }
}

int printStatus(const json &reply) {
  std::printf("%-24s %-16s %-6s %12s %12s %12s %10s\n", "listens at", "handler", "engine",
              "received", "processed", "sent", "dropped");
  for (const json &port : reply["handlers"]) {
    std::printf(
        "%-24s %-16s %-6s %12llu %12llu %12llu %10llu\n", port["listen"].get<std::string>().c_str(),
        port["handler"].get<std::string>().c_str(), port["engine"].get<std::string>().c_str(),
        (unsigned long long)port["received"].get<uint64_t>(),
        (unsigned long long)port["processed"].get<uint64_t>(),
        (unsigned long long)port["sent"].get<uint64_t>(),
        (unsigned long long)(port["droppedTrap"].get<uint64_t>() +
                             port["droppedTooLong"].get<uint64_t>()));
    if (const std::string trap = port["lastTrap"]; !trap.empty())
      std::printf("  last trap: %s\n", trap.c_str());
    printWorkers(port);
  }
  printForwarding(reply);
  std::printf("\n");
  for (const auto &[name, value] : reply["counters"].items())
    std::printf("%-32s %llu\n", name.c_str(), (unsigned long long)value.get<uint64_t>());
  return 0;
}

/// Appends the file's bytes.
bool append(const std::string &path, std::vector<uint8_t> &content) {
  std::ifstream in(path, std::ios::binary);
  const size_t before = content.size();
  content.insert(content.end(), std::istreambuf_iterator<char>(in),
                 std::istreambuf_iterator<char>());
  return in && content.size() > before;
}

int load(const Settings &settings) {
  std::vector<uint8_t> content;
  if (!append(settings.binary, content))
    return fail(settings.binary + ": cannot be read");
  json command = {{"command", "load"},
                  {"listen", settings.listen},
                  {"handler", settings.handler},
                  {"engine", settings.engine},
                  {"state", settings.state}};
  if (!settings.memory.empty()) {
    const size_t binaryBytes = content.size();
    if (!append(settings.memory, content))
      return fail(settings.memory + ": cannot be read");
    command["memory"] = content.size() - binaryBytes;
  }
  if (settings.memoryBytes > 0)
    command["memoryBytes"] = settings.memoryBytes;
  const acis::Result<json> reply = settings.ask(std::move(command), content);
  if (!reply)
    return fail(reply.error().str());
  if (settings.asJson)
    return show(*reply);
  std::printf("loaded at %s\n", (*reply)["listen"].get<std::string>().c_str());
  return 0;
}

int unload(const Settings &settings) {
  const acis::Result<json> reply =
      settings.ask({{"command", "unload"}, {"listen", settings.listen}});
  if (!reply)
    return fail(reply.error().str());
  return settings.asJson ? show(*reply) : 0;
}

/// Without a binary the rule goes.
int rule(const Settings &settings) {
  std::vector<uint8_t> content;
  if (!settings.binary.empty() && !append(settings.binary, content))
    return fail(settings.binary + ": cannot be read");
  const acis::Result<json> reply = settings.ask({{"command", "rule"},
                                                 {"match", settings.match},
                                                 {"handler", settings.handler},
                                                 {"engine", settings.engine}},
                                                content);
  if (!reply)
    return fail(reply.error().str());
  return settings.asJson ? show(*reply) : 0;
}

int status(const Settings &settings) {
  const acis::Result<json> reply = settings.ask({{"command", "status"}});
  if (!reply)
    return fail(reply.error().str());
  return settings.asJson ? show(*reply) : printStatus(*reply);
}

int printMetrics(const Settings &settings) {
  const acis::Result<json> reply = settings.ask({{"command", "metrics"}});
  if (!reply)
    return fail(reply.error().str());
  std::fputs((*reply)["text"].get<std::string>().c_str(), stdout);
  return 0;
}

int control(const Settings &settings) {
  json command = settings.policy;
  command["command"] = "control";
  const acis::Result<json> reply = settings.ask(std::move(command));
  if (!reply)
    return fail(reply.error().str());
  if (settings.asJson)
    return show(*reply);
  if (!reply->contains("groups"))
    return 0;
  std::printf("%10s %10s %8s %9s %12s %12s %10s %8s %8s %12s\n", "job", "group", "members",
              "staleness", "deadline", "may begin", "done", "missed", "moved", "sums");
  for (const json &group : (*reply)["groups"]) {
    auto count = [&](const char *name) { return (unsigned long long)group[name].get<uint64_t>(); };
    std::printf("%10llu %10llu %8llu %9llu %10.6f s %12llu %10llu %8llu %8llu %12llu\n",
                count("job"), count("group"), count("members"), count("stalenessInForce"),
                group["deadlineInForce"].get<double>(), count("mayBegin"), count("done"),
                count("missedDeadlines"), count("moved"), count("sums"));
    if (!group["decidedHere"].get<bool>())
      std::printf("  the switch above decides\n");
    if (const std::string failure = group["failure"]; !failure.empty())
      std::printf("  %s\n", failure.c_str());
  }
  return 0;
}

/// What hosts of a job get: the fabric's key stays with the switches.
int printJobKey(const std::string &path, uint32_t job) {
  const acis::Result<acis::wire::Key> key = acis::wire::readKeyFile(path);
  if (!key)
    return fail(key.error().str());
  std::printf("%s\n", acis::wire::keyText(acis::wire::jobKey(*key, job)).c_str());
  return 0;
}

/// An option whose number is a field of the command.
CLI::Option *addField(CLI::App *app, const char *option, const char *field, Settings &settings,
                      const char *help) {
  return app->add_option_function<double>(
      option, [&settings, field](double value) { settings.policy[field] = value; }, help);
}

} // namespace

int main(int argc, char **argv) {
  Settings settings;
  CLI::App app{"Controls a running acisd.\n"
               "Exit code 0 when the switch did what was asked, 1 otherwise."};
  app.set_version_flag("--version", "acisctl (ACiS) " ACIS_VERSION);
  app.add_option("--control", settings.control,
                 "control socket of the switch (default: /run/acisd.sock)");
  CLI::Option *remote =
      app.add_option("--control-tls", settings.remote,
                     "HOST:PORT of a switch's control over TLS, instead of --control");
  CLI::Option *files[] = {
      app.add_option("--cert", settings.files.certificate, "own certificate (PEM)"),
      app.add_option("--key", settings.files.key, "its private key (PEM)"),
      app.add_option("--ca", settings.files.authority,
                     "authorities that sign certificates of switches (PEM)")};
  for (CLI::Option *file : files) {
    file->needs(remote);
    remote->needs(file);
  }
  app.require_subcommand(1);
  CLI::App *loading = app.add_subcommand("load", "load a handler, or replace the one at the port");
  loading->add_option("binary", settings.binary, "switch binary made by acisc")->required();
  loading->add_option("--listen", settings.listen, "HOST:PORT that its packets come to")
      ->required();
  loading->add_option("--handler", settings.handler, "name of the handler, if there are several");
  loading->add_option("--memory", settings.memory, "file with the first bytes of its memory");
  loading
      ->add_option("--memory-bytes", settings.memoryBytes,
                   "bytes of its memory, if that is more than the file has; such as 64M")
      ->transform(CLI::AsSizeValue(false));
  loading->add_option("--engine", settings.engine, "fast, or model, which counts cycles")
      ->check(CLI::IsMember({"fast", "model"}));
  loading
      ->add_option("--state", settings.state,
                   "one (default): if it keeps state it runs on one worker of the switch;\n"
                   "each: on every one, with a state of its own")
      ->check(CLI::IsMember({"one", "each"}));
  CLI::App *unloading = app.add_subcommand("unload", "close a handler's port");
  unloading->add_option("--listen", settings.listen, "HOST:PORT of the handler")->required();
  CLI::App *ruling = app.add_subcommand(
      "rule", "let datagrams that the switch forwards go through a handler, or replace it");
  CLI::App *unruling = app.add_subcommand("unrule", "let them pass again as they are");
  for (CLI::App *command : {ruling, unruling})
    command
        ->add_option("--match", settings.match,
                     "which: udp=PORT, to=PREFIX, from=PREFIX, in=PORT of the switch, with commas")
        ->required();
  ruling->add_option("binary", settings.binary, "switch binary made by acisc")->required();
  ruling->add_option("--handler", settings.handler, "name of the handler, if there are several");
  ruling->add_option("--engine", settings.engine, "fast, or model, which counts cycles")
      ->check(CLI::IsMember({"fast", "model"}));
  CLI::App *state = app.add_subcommand("status", "handlers and counters");
  CLI::App *metrics = app.add_subcommand("metrics", "counters in the text format of Prometheus");
  CLI::App *steering = app.add_subcommand(
      "control", "control groups; with --job and --group: change the policy of one, while it runs");
  CLI::Option *job = addField(steering, "--job", "job", settings, "of the group to change");
  CLI::Option *group = addField(steering, "--group", "group", settings, "its number in the job");
  job->needs(group);
  group->needs(job);
  for (CLI::Option *change :
       {addField(steering, "--staleness", "staleness", settings,
                 "a member may be so many iterations ahead"),
        addField(steering, "--most-staleness", "mostStaleness", settings,
                 "more: chosen at run time between the two"),
        addField(steering, "--quorum", "quorum", settings,
                 "members that must have done an iteration, or are in a sum; 0: all"),
        addField(steering, "--deadline", "deadline", settings,
                 "SECONDS of an iteration until extra work ends, 0: computed; without extra\n"
                 "work, from the first share of a sum until it is made, 0: none"),
        addField(steering, "--imbalance", "imbalance", settings,
                 "tasks are moved from the longest queue from 1 + this of an even share on"),
        addField(steering, "--settled", "settled", settings, "until 1 + this; default: half of it"),
        addField(steering, "--utility", "utility", settings, "of extra work, 0 to 1")})
    change->needs(group);
  std::string keyFile;
  uint32_t keyJob = 1;
  CLI::App *keys =
      app.add_subcommand("job-key", "print the key of a job, for its hosts; asks no switch");
  keys->add_option("--key-file", keyFile, "the fabric's key, that the switches have")
      ->required()
      ->type_name("FILE");
  keys->add_option("--job", keyJob, "number of the job (default: 1)")->type_name("N");
  for (CLI::App *command : {loading, unloading, ruling, unruling, state, steering})
    command->add_flag("--json", settings.asJson, "print JSON");
  if (const std::optional<int> ends = acis::parseCommandLine(app, argc, argv, "acisctl"))
    return *ends;
  if (keys->parsed())
    return printJobKey(keyFile, keyJob);
  if (ruling->parsed() || unruling->parsed())
    return rule(settings);
  return loading->parsed()     ? load(settings)
         : unloading->parsed() ? unload(settings)
         : steering->parsed()  ? control(settings)
         : metrics->parsed()   ? printMetrics(settings)
                               : status(settings);
}
