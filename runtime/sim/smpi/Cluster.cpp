// The platform library that SMPI loads: it makes the network and, unless the run is a plain one,
// starts the switches. What it is to do stands in ACIS_SIMULATION, as acis-simrun writes it.
#include "runtime/sim/smpi/Cluster.h"

#include "runtime/io/Files.h"
#include "runtime/sim/world/SimSession.h"
#include "runtime/sim/world/World.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

extern "C" {
void smpi_bench_begin();
void smpi_bench_end();
}

namespace acis::cluster {
namespace {

using Json = nlohmann::ordered_json;

/// Lives as long as the process: SimGrid's engine refers to it until the end.
World *world = nullptr;

[[noreturn]] void stop(const std::string &why) {
  std::fflush(stdout); // what the ranks have said comes first
  std::fprintf(stderr, "acis-simrun: error: %s", why.c_str());
  std::fflush(stderr);
  _exit(1); // actors that are not done cannot be ended in order
}

void writeReport(const std::string &path) {
  const WorldCounters traffic = world->counters();
  Json report = {{"simulatedSeconds", simgrid::s4u::Engine::get_clock()},
                 {"datagrams", traffic.datagrams},
                 {"datagramBytes", traffic.bytes}};
  for (const LinkUse &link : world->linkUse())
    report["links"].push_back({{"name", link.name}, {"bytes", link.bytes}, {"share", link.share}});
  const std::string text = report.dump(1) + "\n";
  (void)io::writeFile(path, {reinterpret_cast<const uint8_t *>(text.data()), text.size()});
}

Status load(const char *text) {
  const Json settings = Json::parse(text ? text : "", nullptr, /*allow_exceptions=*/false);
  if (settings.is_discarded())
    return Error{"ACIS_SIMULATION", "is not set; start the program with acis-simrun"};
  Result<Platform> platform = Platform::readFile(settings.at("platform"));
  if (!platform)
    return platform.error();
  WorldOptions options;
  options.ranks = settings.at("ranks");
  options.aggregates = settings.at("aggregates");
  options.countsLinks = settings.at("links");
  options.limit = settings.at("limit");
  if (const std::string config = settings.at("config"); !config.empty()) {
    Result<Overlay> overlay = Overlay::load(config);
    if (!overlay)
      return overlay.error();
    options.overlay = std::make_shared<const Overlay>(std::move(*overlay));
  }
  Result<wire::FaultRates> faults = wire::parseFaults(settings.at("faults").get<std::string>());
  if (!faults)
    return faults.error();
  options.faults = *faults;
  options.faults.seed = settings.at("seed");
  Result<std::unique_ptr<World>> made = World::make(*platform, options);
  if (!made)
    return made.error();
  world = made->release();
  world->atLimit([limit = options.limit] {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%g", limit);
    stop(std::string("not done after ") + seconds +
         " s of simulated time, the limit; who waits for whom:\n" + world->whoWaits());
  });
  simgrid::s4u::Engine::on_simulation_end_cb(
      [path = settings.at("report").get<std::string>()] { writeReport(path); });
  return {};
}

} // namespace

Result<std::unique_ptr<Session>> openInCluster(uint32_t rank, const SessionOptions &options) {
  if (!world || !world->options().aggregates)
    return Error{"ACIS_SIMULATION", "this run has no switches that aggregate"};
  return openSession(*world, rank, options, {smpi_bench_end, smpi_bench_begin});
}

} // namespace acis::cluster

/// SimGrid's name for what makes a platform.
extern "C" void load_platform(const simgrid::s4u::Engine &) {
  try {
    const acis::Status loaded = acis::cluster::load(std::getenv("ACIS_SIMULATION"));
    if (!loaded)
      acis::cluster::stop(loaded.error().str() + "\n");
  } catch (const std::exception &error) {
    acis::cluster::stop(std::string("ACIS_SIMULATION: ") + error.what() + "\n");
  }
}
