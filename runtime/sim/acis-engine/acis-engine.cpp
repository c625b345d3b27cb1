// acis-engine: what the hardware of an engine is, and what packets take in it.
#include "backend/support/CommandLine.h"
#include "runtime/io/Files.h"
#include "runtime/sim/engine/EngineModel.h"
#include "runtime/sim/platform/Platform.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <cstdio>

namespace {

using namespace acis;
using namespace acis::cluster;
using nlohmann::ordered_json;

struct Settings {
  std::string file, platform;
  std::vector<uint64_t> bytes = {8, 64, 256, 1392};
  uint32_t depth = 7;
  double linkNs = 440;
  bool hasDepth = false, asJson = false;
};

/// What is shown, and where it is.
struct Subject {
  EngineDescription engine;
  uint32_t depth = 7;
  double linkNs = 440;
  uint32_t framing = 42; ///< bytes of a datagram on the link
};

Result<Subject> ofPlatform(const Settings &settings) {
  const Result<Platform> platform = Platform::readFile(settings.platform);
  if (!platform)
    return platform.error();
  if (!platform->graph.fabric)
    return Error{settings.platform + ": topology/role",
                 "its switches are no engines; say \"role\": \"engine\""};
  const uint32_t engines = platform->graph.fabric->engines();
  return Subject{platform->engine, uint32_t(std::bit_width(engines - 1)),
                 std::round(platform->link.latency * 1e12) / 1e3, platform->link.framingBytes};
}

Result<Subject> subjectOf(const Settings &settings) {
  Subject out;
  if (!settings.platform.empty()) {
    Result<Subject> found = ofPlatform(settings);
    if (!found)
      return found;
    out = *found;
  } else if (!settings.file.empty()) {
    const Result<std::vector<uint8_t>> text = io::readFile(settings.file);
    if (!text)
      return text.error();
    const nlohmann::json json = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
    if (json.is_discarded())
      return Error{settings.file, "is no JSON; give a description of an engine (docs/engines.md)"};
    Result<EngineDescription> read = EngineDescription::read(json, "");
    if (!read)
      return Error{settings.file + (read.error().where.empty() ? "" : ": " + read.error().where),
                   read.error().what};
    out.engine = *read;
  }
  if (settings.hasDepth || settings.platform.empty())
    out.depth = settings.depth;
  if (settings.platform.empty())
    out.linkNs = settings.linkNs;
  return out;
}

ordered_json timesOf(const Subject &of, uint64_t bytes) {
  const EngineDescription &engine = of.engine;
  auto nanoseconds = [&](EngineModel::Use use) {
    EngineModel model(engine, engine.buffer(of.depth, of.linkNs));
    const uint64_t last = model.take({1, bytes + of.framing, use, 1, 0, 0});
    return std::round(double(last + 1) * engine.cycleNs() * 100) / 100;
  };
  return {{"bytes", bytes},
          {"phits", engine.phits(bytes + of.framing)},
          {"passNs", nanoseconds(EngineModel::Use::Pass)},
          {"foldNs", nanoseconds(EngineModel::Use::Fold)},
          {"gatherNs", nanoseconds(EngineModel::Use::Gather)}};
}

ordered_json describe(const Subject &of, const std::vector<uint64_t> &sizes) {
  const EngineDescription &engine = of.engine;
  ordered_json folds = ordered_json::object(), packets = ordered_json::array();
  for (uint32_t operands = 2; operands <= engine.operandsAtOnce() + 1; ++operands)
    folds[std::to_string(operands)] = engine.foldCycles(operands);
  for (const uint64_t bytes : sizes)
    packets.push_back(timesOf(of, bytes));
  return {{"description", engine.json()},
          {"units", engine.units()},
          {"gigabitsPerPort", double(engine.phitBits) * engine.clockMHz / 1e3},
          {"passCycles", engine.passCycles()},
          {"packetCycles", engine.packetCycles()},
          {"foldCyclesByOperands", std::move(folds)},
          {"depth", of.depth},
          {"linkNs", of.linkNs},
          {"bufferBytes", engine.buffer(of.depth, of.linkNs)},
          {"streamingBufferBytes", engine.streamingBuffer(of.depth, of.linkNs)},
          {"packets", std::move(packets)}};
}

void print(const ordered_json &report) {
  const ordered_json &of = report["description"];
  std::printf("engine %s\n", of["name"].get<std::string>().c_str());
  for (const EngineField &field : engineFields())
    std::printf("  %-16s%10s  %s\n", std::string(field.name).c_str(),
                of[std::string(field.name)].dump().c_str(), std::string(field.meaning).c_str());
  std::printf("a port takes %s Gb/s; %s units in all\n", report["gigabitsPerPort"].dump().c_str(),
              report["units"].dump().c_str());
  std::printf("cycles: port to port %s, a packet of a collective %s more; folds by operands:",
              report["passCycles"].dump().c_str(), report["packetCycles"].dump().c_str());
  for (const auto &[operands, cycles] : report["foldCyclesByOperands"].items())
    std::printf(" %s: %s", operands.c_str(), cycles.dump().c_str());
  std::printf("\nbuffer of a port: %s bytes for trees of depth %s over links of %s ns; to stream "
              "all the time: %s\n",
              report["bufferBytes"].dump().c_str(), report["depth"].dump().c_str(),
              report["linkNs"].dump().c_str(), report["streamingBufferBytes"].dump().c_str());
  std::printf("%10s%10s%10s%10s%10s\n", "bytes", "phits", "passNs", "foldNs", "gatherNs");
  for (const ordered_json &row : report["packets"]) {
    for (const auto &[name, value] : row.items())
      std::printf("%10s", value.dump().c_str());
    std::printf("\n");
  }
}

} // namespace

int main(int argc, char **argv) {
  Settings settings;
  CLI::App app("The hardware of an engine of a direct network (docs/engines.md): what is in it, "
               "and what\npackets take from the first phit that comes to the last that leaves.",
               "acis-engine");
  app.set_version_flag("--version", "acis-engine (ACiS) " ACIS_VERSION, "print the version");
  app.footer("Example: acis-engine --bytes 8,128 netfpga-sume.json\n"
             "Exit code: 0, or 1 after an error.");
  CLI::Option *file =
      app.add_option("file", settings.file, "description; none: that of the dissertation's torus")
          ->type_name("FILE");
  app.add_option("--platform", settings.platform,
                 "show the engines of this platform (docs/simulation.md)")
      ->excludes(file)
      ->type_name("FILE");
  app.add_option("--bytes", settings.bytes, "datagrams, without Ethernet, IP and UDP headers")
      ->delimiter(',')
      ->check(CLI::Range(uint64_t(1), uint64_t(65'535)))
      ->type_name("N,...");
  CLI::Option *depth =
      app.add_option("--depth", settings.depth,
                     "of trees, for buffers (default: 7, or of the platform: log2 of its engines)")
          ->check(CLI::Range(0u, 64u))
          ->type_name("N");
  app.add_option("--link-ns", settings.linkNs, "latency of a link (default: 440)")
      ->check(CLI::Range(0.0, 1e9))
      ->type_name("NS");
  app.add_flag("--json", settings.asJson, "print JSON");
  if (std::optional<int> code = parseCommandLine(app, argc, argv, "acis-engine"))
    return *code;
  settings.hasDepth = depth->count() > 0;
  const Result<Subject> subject = subjectOf(settings);
  if (!subject) {
    std::fprintf(stderr, "acis-engine: error: %s\n", subject.error().str().c_str());
    return 1;
  }
  const ordered_json report = describe(*subject, settings.bytes);
  if (settings.asJson)
    std::printf("%s\n", report.dump(1).c_str());
  else
    print(report);
  return 0;
}
