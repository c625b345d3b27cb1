// acis-sim: one collective, again and again, on a simulated cluster with real switches.
#include "backend/support/CommandLine.h"
#include "runtime/io/Files.h"
#include "runtime/sim/acis-sim/Lateness.h"
#include "runtime/sim/world/Pattern.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>

namespace {

using namespace acis;
using namespace acis::cluster;
using nlohmann::ordered_json;

struct Settings {
  std::string platform, collective = "allreduce", op = "sum", type = "float64", way = "automatic",
                        faults, format = "table";
  std::vector<uint64_t> bytes = {64};
  uint32_t ranks = 0, calls = 10, warmUp = 1, root = 0;
  uint64_t seed = 1;
  double limit = 100;
  std::string lateness, timeline;
  bool links = false, together = false;
};

constexpr const char *description =
    "Calls a collective again and again on a simulated cluster and says what it takes.\n\n"
    "Switches and hosts are the code that runs on metal; time, links and losses are simulated, "
    "the\n"
    "same on each run with the same seed. Results are compared with a fold.";

void declare(CLI::App &app, Settings &settings) {
  app.set_version_flag("--version", "acis-sim (ACiS) " ACIS_VERSION, "print the version");
  app.footer(
      "Example: acis-sim --platform fat-tree.json --collective allreduce --bytes 64,16384\n"
      "Exit code: 0, or 1 after an error, a wrong result or at the limit of simulated time.");
  app.add_option("--platform", settings.platform, "platform file (docs/simulation.md)")
      ->required()
      ->type_name("FILE");
  app.add_option("-n,--ranks", settings.ranks, "how many hosts take part (default: all)")
      ->type_name("N");
  app.add_option("--collective", settings.collective,
                 "allreduce, reduce, bcast, gather, allgather, scatter, reduce_scatter,\n"
                 "reduce_scatter_block, barrier, scan, exscan or alltoall (default: allreduce)")
      ->type_name("NAME");
  app.add_option("--op", settings.op, "operation of a reduction (default: sum)")->type_name("NAME");
  app.add_option("--type", settings.type, "element type (default: float64)")->type_name("NAME");
  app.add_option("--way", settings.way,
                 "of engines, where they can: doubling, halving, ring, torus or tree (default:\n"
                 "automatic, by size; docs/engines.md)")
      ->type_name("NAME");
  app.add_option("--bytes", settings.bytes, "sizes of a rank's block, a run each (default: 64)")
      ->delimiter(',')
      ->type_name("N,...");
  app.add_option("--root", settings.root, "rank of the root (default: 0)")->type_name("N");
  app.add_option("--calls", settings.calls, "how many calls are measured (default: 10)")
      ->check(CLI::Range(1u, 100'000'000u))
      ->type_name("N");
  app.add_option("--warm-up", settings.warmUp, "how many calls come before (default: 1)")
      ->type_name("N");
  app.add_flag("--together", settings.together,
               "ranks wait for each other before each measured call, at no cost");
  app.add_option("--lateness", settings.lateness,
                 "file of how late ranks begin: a line for each call, microseconds for each rank;\n"
                 "lines are taken again from the first on (docs/simulation.md)")
      ->type_name("FILE");
  app.add_option("--faults", settings.faults,
                 "loss=0.01,duplicate=...,reorder=...,corrupt=...,delay=...,delay-time=US")
      ->type_name("TEXT");
  app.add_option("--seed", settings.seed, "of contents and faults (default: 1)")->type_name("N");
  app.add_option("--limit", settings.limit,
                 "simulated seconds after which a run ends with an error (default: 100)")
      ->check(CLI::PositiveNumber)
      ->type_name("S");
  app.add_option("--timeline", settings.timeline,
                 "write what ranks, switches and links do to this file, for ui.perfetto.dev; of\n"
                 "one size")
      ->type_name("FILE");
  app.add_flag("--links", settings.links, "say what each link has carried");
  app.add_option("--format", settings.format, "table, json or csv (default: table)")
      ->check(CLI::IsMember({"table", "json", "csv"}))
      ->type_name("NAME");
}

template <typename T>
Result<T> named(const std::string &option, const std::string &text, unsigned count) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < count; ++i) {
    names.emplace_back(nameOf(T(i)));
    if (names.back() == text)
      return T(i);
  }
  std::string allowed;
  for (const std::string &name : names)
    allowed += (allowed.empty() ? "" : ", ") + name;
  return Error{option, "found '" + text + "'; allowed are " + allowed + didYouMean(text, names)};
}

/// All but the count, which differs between the runs.
Result<PatternOptions> patternOf(const Settings &settings) {
  const Result<Kind> kind = named<Kind>("--collective", settings.collective, NumKinds);
  const Result<ReduceOp> op = named<ReduceOp>("--op", settings.op, unsigned(ReduceOp::Merge));
  const Result<ElementType> type = named<ElementType>("--type", settings.type, NumElementTypes);
  if (!kind || !op || !type)
    return !kind ? kind.error() : !op ? op.error() : type.error();
  if (isReduction(*kind) && !isDefined(*op, *type))
    return Error{"--op", settings.op + " is not defined on " + settings.type};
  PatternOptions out;
  out.shape.kind = *kind;
  out.shape.op = isReduction(*kind) ? *op : ReduceOp::None;
  out.shape.type = *type;
  out.shape.root = settings.root;
  out.calls = settings.calls;
  out.warmUp = settings.warmUp;
  out.seed = settings.seed;
  return out;
}

/// The way that was asked for, if there is one like it in the platform.
Result<acis::Way> wayOf(const Settings &settings, const Platform &platform, uint32_t ranks) {
  const Result<acis::Way> way = named<acis::Way>("--way", settings.way, NumWays);
  if (!way || *way == acis::Way::Automatic)
    return way;
  const std::optional<direct::Fabric> &fabric = platform.graph.fabric;
  if (!fabric)
    return Error{"--way", "is of engines; the platform's topology has none"};
  const bool isRound = *way == acis::Way::Ring || *way == acis::Way::Torus;
  const direct::Form form = *way == acis::Way::Ring ? direct::Form::Ring : direct::Form::Torus;
  if (isRound && fabric->form != form)
    return Error{"--way", "found '" + settings.way + "'; a " + fabric->str() +
                              " has no such rings: doubling, halving and tree go everywhere"};
  if (isRound && ranks != fabric->engines())
    return Error{"--way", "found '" + settings.way + "'; it needs all " +
                              std::to_string(fabric->engines()) + " engines, and there are " +
                              std::to_string(ranks) + " ranks"};
  return way;
}

double micro(double seconds) { return std::round(seconds * 1e9) / 1e3; }

ordered_json describe(uint64_t bytes, const PatternResult &result, bool links) {
  ordered_json out = {{"bytes", bytes},
                      {"leastUs", micro(result.least)},
                      {"meanUs", micro(result.mean)},
                      {"mostUs", micro(result.most)},
                      {"perCallUs", micro(result.perCall)},
                      {"simulatedUs", micro(result.total)},
                      {"datagrams", result.traffic.datagrams},
                      {"linkBytes", result.traffic.bytes},
                      {"repeated", result.repeated}};
  if (result.afterLast > 0)
    out["afterLastUs"] = micro(result.afterLast);
  if (const std::optional<EngineCounters> &of = result.hardware)
    out["engines"] = {{"packets", of->packets},       {"passed", of->passed},
                      {"folded", of->folded},         {"gathered", of->gathered},
                      {"foldCycles", of->foldCycles}, {"peakBufferBytes", of->peakBytes},
                      {"stops", of->stops},           {"stopCycles", of->stopCycles}};
  if (links) {
    out["links"] = ordered_json::array();
    for (const LinkUse &link : result.links)
      out["links"].push_back({{"name", link.name},
                              {"bytes", std::round(link.bytes)},
                              {"share", std::round(link.share * 1e6) / 1e6}});
  }
  return out;
}

void printRows(const ordered_json &runs, bool asTable) {
  bool first = true;
  for (const ordered_json &run : runs) {
    std::string head, row;
    for (const auto &[name, value] : run.items()) {
      if (value.is_structured())
        continue;
      const std::string text = value.dump();
      const int width = asTable ? 13 : 0;
      char cell[64];
      std::snprintf(cell, sizeof cell, "%s%*s", asTable || head.empty() ? "" : ",", width,
                    name.c_str());
      head += cell;
      std::snprintf(cell, sizeof cell, "%s%*s", asTable || row.empty() ? "" : ",", width,
                    text.c_str());
      row += cell;
    }
    std::printf("%s%s%s\n", first ? head.c_str() : "", first ? "\n" : "", row.c_str());
    first = false;
  }
  for (const ordered_json &run : runs)
    if (run.contains("links"))
      for (const ordered_json &link : run["links"])
        std::printf(asTable ? "%13s  %-28s %14.0f bytes %9.6f of it used\n" : "%s,%s,%.0f,%.6f\n",
                    run["bytes"].dump().c_str(), link["name"].get<std::string>().c_str(),
                    link["bytes"].get<double>(), link["share"].get<double>());
}

Result<ordered_json> run(const Settings &settings) {
  Result<PatternOptions> pattern = patternOf(settings);
  if (!pattern)
    return pattern.error();
  Result<Platform> platform = Platform::readFile(settings.platform);
  if (!platform)
    return platform.error();
  WorldOptions world;
  world.ranks = settings.ranks ? settings.ranks : uint32_t(platform->graph.hosts.size());
  Result<wire::FaultRates> faults = wire::parseFaults(settings.faults);
  if (!faults)
    return Error{"--faults", faults.error().what};
  world.faults = *faults;
  world.faults.seed = settings.seed;
  world.limit = settings.limit;
  world.countsLinks = settings.links;
  world.drawsTimeline = !settings.timeline.empty();
  if (world.drawsTimeline && settings.bytes.size() != 1)
    return Error{"--timeline", "is of one run; name one size in --bytes"};
  if (settings.root >= world.ranks)
    return Error{"--root", "found " + std::to_string(settings.root) + "; expected a rank below " +
                               std::to_string(world.ranks)};
  const Result<acis::Way> way = wayOf(settings, *platform, world.ranks);
  if (!way)
    return way.error();
  pattern->way = *way;
  ordered_json runs = ordered_json::array();
  pattern->together = settings.together;
  if (!settings.lateness.empty()) {
    Result<std::vector<std::vector<double>>> lateness =
        readLateness(settings.lateness, world.ranks);
    if (!lateness)
      return lateness.error();
    pattern->lateness = std::move(*lateness);
  }
  for (uint64_t bytes : settings.bytes) {
    const size_t element = bytesOf(pattern->shape.type);
    if (bytes % element || bytes > (uint64_t(1) << 32))
      return Error{"--bytes", "found " + std::to_string(bytes) + "; expected a multiple of " +
                                  std::to_string(element) + ", the bytes of " + settings.type};
    pattern->shape.count = bytes / element;
    Result<PatternResult> result = runPattern(*platform, world, *pattern);
    if (!result)
      return result.error().where.empty()
                 ? result.error()
                 : Error{settings.platform + ": " + result.error().where, result.error().what};
    runs.push_back(describe(bytes, *result, settings.links));
    if (const std::string &text = result->timeline; !text.empty())
      if (Status written = io::writeFile(
              settings.timeline, {reinterpret_cast<const uint8_t *>(text.data()), text.size()});
          !written)
        return written.error();
  }
  return ordered_json{{"platform", settings.platform}, {"collective", settings.collective},
                      {"ranks", world.ranks},          {"calls", settings.calls},
                      {"seed", settings.seed},         {"runs", std::move(runs)}};
}

} // namespace

int main(int argc, char **argv) {
  Settings settings;
  CLI::App app(description, "acis-sim");
  declare(app, settings);
  if (std::optional<int> code = parseCommandLine(app, argc, argv, "acis-sim"))
    return *code;
  Result<ordered_json> report = run(settings);
  if (!report) {
    std::fprintf(stderr, "acis-sim: error: %s\n", report.error().str().c_str());
    return 1;
  }
  if (settings.format == "json")
    std::printf("%s\n", report->dump(1).c_str());
  else
    printRows((*report)["runs"], settings.format == "table");
  return 0;
}
