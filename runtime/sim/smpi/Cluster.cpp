// The platform library that SMPI loads: it makes the network and, unless the run is a plain one,
// starts the switches. What it is to do stands in ACIS_SIMULATION, as acis-simrun writes it.
#include "runtime/sim/smpi/Cluster.h"

#include "runtime/io/Files.h"
#include "runtime/sim/smpi/ComputeFile.h"
#include "runtime/sim/smpi/Progress.h"
#include "runtime/sim/smpi/Work.h"
#include "runtime/sim/world/SimSession.h"
#include "runtime/sim/world/World.h"

#include <nlohmann/json.hpp>

#include <mpi.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
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
Work *work = nullptr;

[[noreturn]] void stop(const std::string &why) {
  std::fflush(stdout); // what the ranks have said comes first
  std::fprintf(stderr, "acis-simrun: error: %s", why.c_str());
  std::fflush(stderr);
  _exit(1); // actors that are not done cannot be ended in order
}

/// SMPI calls abort() where it has no such function, when it has said which.
void aborted(int) {
  constexpr std::string_view text =
      "acis-simrun: error: the program, or SMPI, has called abort(); what SMPI, SimGrid's MPI, has "
      "not implemented is listed in docs/simulation.md: run a program that needs it by "
      "acis-mpirun\n";
  (void)!write(STDERR_FILENO, text.data(), text.size());
  _exit(1);
}

Status writeText(const std::string &path, const std::string &text) {
  return io::writeFile(path, {reinterpret_cast<const uint8_t *>(text.data()), text.size()});
}

/// What else a run leaves, at its end or at its limit: the timeline, and what was measured.
Status writeFiles(const Json &settings) {
  if (const std::string path = settings.at("timeline"); !path.empty())
    if (Status written = writeText(path, world->finishTimeline()); !written)
      return written;
  return work->writeRecord();
}

void writeReport(const Json &settings) {
  const WorldCounters traffic = world->counters();
  Json report = {{"simulatedSeconds", simgrid::s4u::Engine::get_clock()},
                 {"datagrams", traffic.datagrams},
                 {"datagramBytes", traffic.bytes}};
  if (const Work::Unsaid &unsaid = work->unsaid(); unsaid.count > 0)
    report["stepsWithoutTime"] = {
        {"count", unsaid.count}, {"of", work->steps()}, {"first", unsaid.first}};
  if (const Timeline *timeline = world->timeline(); timeline && timeline->dropped() > 0)
    report["timelineDropped"] = timeline->dropped();
  for (const LinkUse &link : world->linkUse())
    report["links"].push_back({{"name", link.name}, {"bytes", link.bytes}, {"share", link.share}});
  if (Status written = writeFiles(settings); !written)
    report["failure"] = written.error().str();
  (void)writeText(settings.at("report"), report.dump(1) + "\n");
}

Result<Work::Options> workOf(const Json &settings) {
  Work::Options out;
  out.scale = settings.at("computeScale");
  out.record = settings.at("record");
  const std::string path = settings.at("compute");
  if (path.empty())
    return out;
  Result<ComputeTimes> times = readComputeTimes(path);
  if (!times)
    return times.error();
  out.times = std::move(*times);
  return out;
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
  options.drawsTimeline = !settings.at("timeline").get<std::string>().empty();
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
  std::signal(SIGABRT, aborted);
  Result<Work::Options> computing = workOf(settings);
  if (!computing)
    return computing.error();
  work = new Work(std::move(*computing));
  if (const double every = settings.at("progress"); every > 0)
    reportProgress(every);
  world->atLimit([limit = options.limit, settings] {
    (void)writeFiles(settings);
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%g", limit);
    stop(std::string("not done after ") + seconds +
         " s of simulated time, the limit; who waits for whom:\n" + world->whoWaits());
  });
  simgrid::s4u::Engine::on_simulation_end_cb([settings] { writeReport(settings); });
  return {};
}

} // namespace

Result<std::unique_ptr<Session>> openInCluster(const Endpoint &endpoint, uint32_t rank,
                                               uint32_t size, const SessionOptions &options) {
  const Bench bench = {smpi_bench_end, smpi_bench_begin};
  if (world && World::isMemory(endpoint.address))
    return openMemorySession(*world, endpoint, callingRank(), {rank, size}, options, bench);
  if (!world || !world->options().aggregates)
    return Error{"ACIS_SIMULATION", "this run has no switches that aggregate"};
  return openSession(*world, rank, options, bench);
}

void endOfWork(uint32_t rank, uint64_t step, const std::string &call) {
  smpi_bench_end(); // what was measured takes its time before it is asked for
  const double begin = simgrid::s4u::Engine::get_clock();
  const double seconds = work->endOf(rank, step, call);
  pass(seconds);
  if (Timeline *timeline = world->timeline(); timeline && seconds > 0)
    timeline->slice(timeline->track("ranks", "rank " + std::to_string(rank)),
                    "compute " + std::to_string(step), begin, simgrid::s4u::Engine::get_clock());
  smpi_bench_begin();
}

void endRun(int code) {
  std::fflush(nullptr); // what the ranks have said comes first
  std::fprintf(stderr, "acis-simrun: error: rank %u has called MPI_Abort with code %d\n",
               callingRank(), code);
  _exit(code & 0xff ? code & 0xff : 1); // actors that are not done cannot be ended in order
}

World &theWorld() { return *world; }

uint32_t callingRank() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return uint32_t(rank);
}

bool hasTimeline() { return world->timeline() != nullptr; }

void drawCall(uint32_t rank, const char *name, double begin, uint64_t bytes,
              const std::string &by) {
  Timeline &timeline = *world->timeline();
  timeline.slice(timeline.track("ranks", "rank " + std::to_string(rank)), name, begin,
                 simgrid::s4u::Engine::get_clock(), {bytes, by});
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
