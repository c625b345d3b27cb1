// acis-simrun: an MPI program on a simulated cluster.
//
// What it adds to SMPI: a platform made of a JSON file, switches in it, and libacis-sim before MPI
// in the copy of the program that is run.
#include "backend/overlay/Overlay.h"
#include "runtime/host/acis-mpirun/Children.h"
#include "runtime/io/Files.h"
#include "runtime/sim/acis-simrun/Options.h"
#include "runtime/sim/acis-simrun/Program.h"
#include "runtime/sim/platform/Placement.h"
#include "runtime/sim/platform/Platform.h"
#include "runtime/sim/smpi/ComputeFile.h"
#include "runtime/switch/wire/Faults.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <unistd.h>

using namespace acis;
using namespace acis::tools;

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

/// Shorter than the name of SimGrid's library, whose place they take: by switches, and plain.
constexpr const char *Library = "libacis-sim.so", *PlainLibrary = "libacis-end.so";

int fail(const Error &error) {
  std::cerr << "acis-simrun: error: " << error.str() << "\n";
  return 1;
}

/// A folder that is gone with the run.
struct Folder {
  fs::path path;
  ~Folder() {
    std::error_code code;
    if (!path.empty())
      fs::remove_all(path, code);
  }
};

/// All that one run needs.
struct Run {
  SimrunOptions options;
  cluster::Platform platform;
  Folder folder;
  std::string program; ///< what SMPI gets
  Variables variables;

  std::string report() const { return (folder.path / "report").string(); }
  /// Whether calls of the program come to libacis-sim before SMPI: to switches, and to be observed.
  bool isInterposed() const {
    return !options.plain || !options.compute.empty() || !options.record.empty() ||
           !options.timeline.empty();
  }
};

fs::path libraryFolder() {
  std::error_code code;
  return (fs::read_symlink("/proc/self/exe", code).parent_path() / ".." / "lib").lexically_normal();
}

std::string joined(const std::vector<uint16_t> &numbers) {
  std::string text;
  for (uint16_t number : numbers)
    text +=
        (text.empty() ? "" : ",") + (number == 0xffff ? std::string("-") : std::to_string(number));
  return text;
}

/// What libacis-sim finds in its environment, as it does on metal.
Status addSwitches(Run &run) {
  Result<cluster::Placement> placement = cluster::place(run.platform.graph, run.options.ranks);
  if (!placement)
    return Error{run.options.platform + ": " + placement.error().where, placement.error().what};
  std::string addresses;
  for (uint32_t node : placement->nodeOfSwitch)
    addresses += (addresses.empty() ? "" : ",") + run.platform.graph.name(node);
  run.variables.emplace_back("ACIS_SWITCH", addresses);
  run.variables.emplace_back("ACIS_LEAVES", joined(placement->leafOfRank));
  run.variables.emplace_back("ACIS_PARENTS", joined(placement->parentOfSwitch));
  if (!run.options.why.empty())
    run.variables.emplace_back("ACIS_WHY", run.options.why);
  std::string operators;
  for (const std::string &one : run.options.operators)
    operators += (operators.empty() ? "" : ",") + one;
  if (!operators.empty())
    run.variables.emplace_back("ACIS_OPERATORS", operators);
  if (!run.options.timeout.empty())
    run.variables.emplace_back("ACIS_TIMEOUT", run.options.timeout);
  return {};
}

/// What a host takes to copy and to fold, for the library that SMPI is to call for both.
void addHostCosts(Run &run) {
  const cluster::HostCosts &host = run.platform.host;
  if (host.copy == 0 && host.reduce == 0)
    return;
  char costs[64];
  std::snprintf(costs, sizeof costs, "%.9g %.9g", host.copy > 0 ? 1 / host.copy : 0,
                host.reduce > 0 ? 1 / host.reduce : 0);
  run.variables.emplace_back("ACIS_SIM_COSTS", costs);
  const char *before = std::getenv("LD_PRELOAD");
  run.variables.emplace_back("LD_PRELOAD", (libraryFolder() / "libacis-simcosts.so").string() +
                                               (before ? std::string(":") + before : ""));
}

/// The program as SMPI gets it.
Status addProgram(Run &run) {
  const fs::path program = run.options.command[0];
  const std::string copy = (run.folder.path / program.filename()).string();
  Result<SimProgram> copied =
      copyProgram(program.string(), copy, run.isInterposed() ? Library : PlainLibrary);
  if (!copied)
    return copied.error();
  run.program = copy;
  run.variables.emplace_back("ACIS_SIMULATED_PROGRAM", program.string());
  // Found out once here, not by every rank.
  // What is simulated is all ranks at the switch, unless it is asked for otherwise.
  if (!std::getenv("ACIS_PLACEMENT"))
    run.variables.emplace_back("ACIS_PLACEMENT", "apart");
  if (!std::getenv("ACIS_JOIN"))
    run.variables.emplace_back("ACIS_JOIN", copied->namesNonBlocking ? "creation" : "use");
  return {};
}

/// Of ranks that there are.
Status checkCompute(const SimrunOptions &options) {
  if (options.compute.empty())
    return {};
  const Result<cluster::ComputeTimes> times = cluster::readComputeTimes(options.compute);
  if (!times)
    return times.error();
  for (const cluster::ComputeTimes::Row &row : times->rows())
    if (row.rank.value_or(0) >= options.ranks)
      return Error{options.compute, "has a row for rank " + std::to_string(*row.rank) +
                                        ", but the run has " + std::to_string(options.ranks) +
                                        " ranks; start more, or take such rows out"};
  return {};
}

Status prepare(Run &run) {
  const SimrunOptions &options = run.options;
  Result<cluster::Platform> platform = cluster::Platform::readFile(options.platform);
  if (!platform)
    return platform.error();
  run.platform = std::move(*platform);
  if (Status holds = run.platform.holds(options.ranks); !holds)
    return Error{options.platform + ": " + holds.error().where, holds.error().what};
  if (!options.config.empty())
    if (Result<Overlay> overlay = Overlay::load(options.config); !overlay)
      return overlay.error();
  if (Status checked = checkCompute(options); !checked)
    return checked;
  if (Result<wire::FaultRates> faults = wire::parseFaults(options.faults); !faults)
    return Error{"--faults", faults.error().what};
  std::string pattern = (fs::temp_directory_path() / "acis-simrun-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    return Error{pattern, "cannot be made"};
  run.folder.path = pattern;
  std::ofstream list(run.folder.path / "hosts");
  for (uint32_t r = 0; r < options.ranks; ++r)
    list << run.platform.graph.hosts[r] << "\n";
  const Json settings = {{"platform", fs::absolute(options.platform).string()},
                         {"ranks", options.ranks},
                         {"aggregates", !options.plain},
                         {"faults", options.faults},
                         {"config", options.config},
                         {"seed", options.seed},
                         {"limit", options.limit},
                         {"links", options.links},
                         {"timeline", options.timeline},
                         {"compute", options.compute},
                         {"computeScale", options.computeScale},
                         {"record", options.record},
                         {"progress", options.progress.value_or(isatty(STDERR_FILENO) ? 10 : 0)},
                         {"report", run.report()}};
  run.variables.emplace_back("ACIS_SIMULATION", settings.dump());
  // The ranks' copies of libraries are in the folder, and known by name alone.
  const char *before = std::getenv("LD_LIBRARY_PATH");
  run.variables.emplace_back("LD_LIBRARY_PATH",
                             run.folder.path.string() + ":" + libraryFolder().string() + ":" +
                                 ACIS_SIMGRID_FOLDER + (before ? std::string(":") + before : ""));
  run.variables.emplace_back("SMPI_GLOBAL_SIZE", std::to_string(options.ranks));
  if (Status status = addProgram(run); !status)
    return status;
  addHostCosts(run);
  return options.plain ? Status() : addSwitches(run);
}

/// What a message costs one of its ends: as long as it is eager, its bytes, too.
std::string overhead(const cluster::MessageCosts &message, double seconds) {
  char text[128];
  std::snprintf(text, sizeof text, "0:%.9g:%.9g;%u:%.9g:0", seconds,
                message.buffer > 0 ? 1 / message.buffer : 0, message.eager + 1, seconds);
  return text;
}

/// SMPI's options. What a look at a message costs (smpi/test, iprobe) is not to grow, as it does by
/// default with each: the interposition looks often.
std::vector<std::string> launch(const Run &run) {
  const SimrunOptions &options = run.options;
  const cluster::MessageCosts &message = run.platform.message;
  const bool measured = options.computation == "measured";
  const double here = options.hostSpeed > 0 ? options.hostSpeed * 1e9 : run.platform.host.flops;
  const std::vector<std::pair<std::string, std::string>> settings = {
      {"smpi/privatization", "dlopen"},
      {"smpi/privatize-libs", run.isInterposed() ? Library : ""},
      {"smpi/tmpdir", run.folder.path.string()},
      {"smpi/np", std::to_string(options.ranks)},
      {"smpi/hostfile", (run.folder.path / "hosts").string()},
      {"network/model", "CM02"},
      {"network/crosstraffic", "0"},
      {"surf/precision", "1e-12"},
      {"smpi/coll-selector", options.algorithms},
      {"smpi/simulate-computation", measured ? "yes" : "no"},
      {"smpi/host-speed", std::to_string(here) + "f"},
      {"smpi/grow-injected-times", "no"},
      {"smpi/test", "1e-6"},
      {"smpi/iprobe", "1e-6"},
      {"smpi/send-is-detached-thresh", std::to_string(message.eager + 1)},
      {"smpi/os", overhead(message, message.send)},
      {"smpi/ois", overhead(message, message.send)},
      {"smpi/or", overhead(message, message.receive)}};
  std::vector<std::string> command = {ACIS_SMPIMAIN, run.program, "--log=root.thresh:error"};
  for (const auto &[name, value] : settings)
    if (!value.empty())
      command.push_back("--cfg=" + name + ":" + value);
  command.insert(command.end(), options.smpiArguments.begin(), options.smpiArguments.end());
  command.push_back((libraryFolder() / "libacis-simgrid.so").string());
  command.insert(command.end(), options.command.begin() + 1, options.command.end());
  return command;
}

/// What the cluster has written at its end.
Status report(const Run &run, int exitCode) {
  std::ifstream file(run.report());
  Json found = Json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (found.is_discarded())
    return {}; // the program has ended before the simulation did, and has said why
  std::fprintf(stderr, "acis-simrun: %.9g s of simulated time\n",
               found["simulatedSeconds"].get<double>());
  if (const auto missing = found.find("stepsWithoutTime"); missing != found.end())
    std::fprintf(stderr,
                 "acis-simrun: %s says nothing of %llu of %llu supersteps, as %s; they took "
                 "no time\n",
                 run.options.compute.c_str(),
                 (unsigned long long)missing->at("count").get<uint64_t>(),
                 (unsigned long long)missing->at("of").get<uint64_t>(),
                 missing->at("first").get<std::string>().c_str());
  if (const auto dropped = found.find("timelineDropped"); dropped != found.end())
    std::fprintf(stderr, "acis-simrun: %s ends early: %llu more events were not kept\n",
                 run.options.timeline.c_str(), (unsigned long long)dropped->get<uint64_t>());
  if (const auto failure = found.find("failure"); failure != found.end())
    return Error{"", failure->get<std::string>()};
  if (run.options.json.empty())
    return {};
  Json out = {{"program", run.options.command[0]},    {"platform", run.options.platform},
              {"ranks", run.options.ranks},           {"plain", run.options.plain},
              {"algorithms", run.options.algorithms}, {"exitCode", exitCode}};
  out.update(found);
  const std::string text = out.dump(1) + "\n";
  return io::writeFile(run.options.json,
                       {reinterpret_cast<const uint8_t *>(text.data()), text.size()});
}

} // namespace

int main(int argc, char **argv) {
  Run run;
  if (std::optional<int> code = parseOptions(argc, argv, run.options))
    return *code;
  if (Status status = prepare(run); !status)
    return fail(status.error());
  Result<Child> child = start(launch(run), run.variables);
  if (!child)
    return fail(child.error());
  forwardSignals(*child);
  const int code = child->wait();
  if (Status status = report(run, code); !status)
    return fail(status.error());
  return code;
}
