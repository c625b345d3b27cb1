// acis-steps: what the supersteps of an MPI program (ACIS_STEPS) say about extra work.
#include "backend/support/CommandLine.h"
#include "runtime/io/Files.h"
#include "runtime/switch/wire/Steering.h"
#include "runtime/tools/acis-steps/Report.h"
#include "runtime/tools/acis-steps/Trace.h"

#include <cstdio>

namespace {
using namespace acis;

struct Settings {
  std::string file, svg, timeline;
  steps::Model model;
  uint32_t window = 64;
  bool asJson = false;
};

int fail(const Error &error) {
  std::fprintf(stderr, "acis-steps: error: %s\n", error.str().c_str());
  return 1;
}

Status write(const std::string &path, const std::string &text) {
  if (path.empty())
    return {};
  return io::writeFile(path, {reinterpret_cast<const uint8_t *>(text.data()), text.size()});
}

/// Of the file, or of the model if there is none.
Result<control::Samples> read(const Settings &settings) {
  if (settings.file.empty())
    return steps::drawSamples(settings.model);
  Result<std::vector<uint8_t>> bytes = io::readFile(settings.file);
  if (!bytes)
    return bytes.error();
  Result<steps::Trace> trace =
      steps::parseTrace({reinterpret_cast<const char *>(bytes->data()), bytes->size()});
  if (!trace)
    return Error{settings.file, trace.error().str()};
  if (Status written = write(settings.timeline, steps::timelineOf(*trace)); !written)
    return written.error();
  return trace->samples();
}

int run(const Settings &settings) {
  Result<control::Samples> samples = read(settings);
  if (!samples)
    return fail(samples.error());
  const steps::Report report = steps::analyse(*samples, settings.window);
  if (Status written = write(settings.svg, steps::toSvg(report, *samples)); !written)
    return fail(written.error());
  std::fputs(
      (settings.asJson ? steps::toJson(report).dump(2) + "\n" : steps::toText(report)).c_str(),
      stdout);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  Settings settings;
  CLI::App app{
      "How long ranks of an MPI program wait for each other in its supersteps, and what a\n"
      "deadline for extra work in that time would be worth.\n"
      "Exit code 0, or 1 with the reason."};
  app.set_version_flag("--version", "acis-steps (ACiS) " ACIS_VERSION);
  CLI::Option *file = app.add_option("file", settings.file, "CSV file that ACIS_STEPS names");
  app.add_flag("--json", settings.asJson, "print JSON");
  app.add_option("--svg", settings.svg, "FILE for the figures");
  app.add_option("--timeline", settings.timeline, "FILE for a timeline of all ranks (Perfetto)")
      ->needs(file);
  app.add_option("--window", settings.window,
                 "iterations that a deadline is computed from while it runs (default: 64)")
      ->check(CLI::Range(1u, wire::Policy::MostWindow));
  CLI::Option *model = app.add_option_function<std::vector<double>>(
      "--model",
      [&](const std::vector<double> &values) {
        settings.model.idleRatio = values[0];
        settings.model.idleSeconds = values[1];
      },
      "RATIO SECONDS: no file, but work at random, lognormal, so that ranks are idle so much");
  model->expected(2)->excludes(file);
  settings.model.ranks = 8;
  settings.model.steps = 200;
  for (CLI::Option *option :
       {app.add_option("--ranks", settings.model.ranks, "of the model (default: 8)")
            ->check(CLI::Range(2u, 1u << 16)),
        app.add_option("--steps", settings.model.steps, "of the model (default: 200)")
            ->check(CLI::Range(1u, 1u << 16)),
        app.add_option("--seed", settings.model.seed, "of the model (default: 1)")})
    option->needs(model);
  if (const std::optional<int> ends = parseCommandLine(app, argc, argv, "acis-steps"))
    return *ends;
  if (settings.file.empty() && !*model)
    return fail({"", "no file; name the one that ACIS_STEPS has written, or --model"});
  return run(settings);
}
