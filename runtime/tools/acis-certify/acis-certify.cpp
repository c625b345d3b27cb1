// acis-certify: computes the line-rate certificate of a switch binary, or takes the one
// that is in it, and checks it with random packets on the cycle-exact engine.
#include "backend/overlay/Overlay.h"
#include "backend/support/CommandLine.h"
#include "runtime/engine/certify/Certify.h"
#include "runtime/io/Files.h"
#include "runtime/tools/Program.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace {
using namespace acis;
using nlohmann::json;

struct Settings {
  std::string binary, config, handler;
  double rate = 100;
  uint32_t longest = 9000;
  uint64_t check = 0, seed = 1, memoryBytes = 0;
  bool again = false, asJson = false;
};

json describe(const Settings &settings, const Handler &handler, const Overlay &overlay,
              const Certificate &certificate) {
  json steps = json::array();
  for (const CertificateStep &step : certificate.steps)
    steps.push_back({{"fromBytes", step.from},
                     {"latencyCycles", step.latency},
                     {"controlCycles", step.control},
                     {"periodCycles", step.period}});
  json report = {{"handler", handler.name},
                 {"elementBytes", certificate.elementBytes},
                 {"longestBytes", certificate.longest},
                 {"gigabits", settings.rate},
                 {"steps", std::move(steps)}};
  if (auto bytes =
          smallestAtRate(certificate, settings.rate, overlay.headerBytes, overlay.clockMhz))
    report["smallestBytes"] = *bytes;
  return report;
}

void print(const json &report) {
  std::printf("handler        %s\n", report["handler"].get<std::string>().c_str());
  std::printf("longest        %u bytes\n", report["longestBytes"].get<unsigned>());
  if (report.contains("smallestBytes"))
    std::printf("%.3g Gb/s       from payloads of %u bytes on\n", report["gigabits"].get<double>(),
                report["smallestBytes"].get<unsigned>());
  else
    std::printf("%.3g Gb/s       not for the longest payload\n", report["gigabits"].get<double>());
  std::printf("\n%10s %10s %14s %14s\n", "from bytes", "cycles", "control code", "back to back");
  for (const json &step : report["steps"])
    std::printf("%10u %10u %14u %14u\n", step["fromBytes"].get<unsigned>(),
                step["latencyCycles"].get<unsigned>(), step["controlCycles"].get<unsigned>(),
                step["periodCycles"].get<unsigned>());
  if (report.contains("check"))
    std::printf("\n%llu random packets, %llu late; certified to worst seen: %.3f alone, %.3f in "
                "trains\n",
                (unsigned long long)report["check"]["packets"].get<uint64_t>(),
                (unsigned long long)report["check"]["late"].get<uint64_t>(),
                report["check"]["tightness"].get<double>(),
                report["check"]["trainTightness"].get<double>());
}

Result<json> run(const Settings &settings) {
  auto program = tools::loadProgram(settings.config, settings.binary);
  if (!program)
    return program.error();
  const auto &[overlay, image] = *program;
  auto handler = image->handler(settings.handler);
  if (!handler)
    return Error{settings.binary, handler.error().what};
  Certificate certificate;
  if (!image->certificates.empty())
    certificate = image->certificates[size_t(*handler - image->handlers.data())];
  if (settings.again || certificate.steps.empty()) {
    auto made = certify(image, **handler, overlay, {settings.longest, settings.memoryBytes});
    if (!made)
      return Error{made.error().where, "no certificate: " + made.error().what};
    certificate = std::move(*made);
  }
  json report = describe(settings, **handler, overlay, certificate);
  if (settings.check != 0) {
    auto checked = checkCertificate(image, **handler, overlay, certificate,
                                    {settings.check, settings.seed, settings.memoryBytes});
    if (!checked)
      return checked.error();
    report["check"] = {{"packets", checked->packets},
                       {"late", checked->late},
                       {"tightness", checked->tightness},
                       {"trainTightness", checked->trainTightness}};
    if (checked->late != 0)
      report["check"]["firstLate"] = checked->firstLate;
  }
  return report;
}

} // namespace

int main(int argc, char **argv) {
  Settings settings;
  CLI::App app{"Line-rate certificate of a switch binary: most cycles of a packet by its length.\n"
               "Takes the one in the binary (acisc --certify) or computes it.\n"
               "Exit code 0 when it holds for all packets that were checked, 1 otherwise."};
  app.set_version_flag("--version", "acis-certify " ACIS_VERSION);
  app.add_option("binary", settings.binary, "switch binary made by acisc")->required();
  app.add_option("--config", settings.config, "overlay description")->required();
  app.add_option("--handler", settings.handler, "name of the handler, if there are several");
  app.add_option("--rate", settings.rate, "Gb/s of the port (default 100)");
  app.add_option("--longest", settings.longest, "longest payload in bytes (default 9000)")
      ->check(CLI::Range(1u, 65507u));
  app.add_option("--mem-bytes", settings.memoryBytes,
                 "size of the off-chip memory (default 16 MiB,\nor all that the overlay has)");
  app.add_flag("--again", settings.again, "compute it even if the binary has one");
  app.add_option("--check", settings.check, "try this many random packets");
  app.add_option("--seed", settings.seed, "of the random packets");
  app.add_flag("--json", settings.asJson, "print JSON");
  if (const std::optional<int> ends = parseCommandLine(app, argc, argv, "acis-certify"))
    return *ends;
  auto report = run(settings);
  if (!report) {
    std::fprintf(stderr, "acis-certify: error: %s\n", report.error().str().c_str());
    return 1;
  }
  if (settings.asJson)
    std::printf("%s\n", report->dump(2, ' ', false, json::error_handler_t::replace).c_str());
  else
    print(*report);
  if (!report->contains("check") || (*report)["check"]["late"] == 0)
    return 0;
  std::fprintf(stderr, "acis-certify: error: %s\n",
               (*report)["check"]["firstLate"].get<std::string>().c_str());
  return 1;
}
