// acis-lockstep: engines model and rtl side by side, on a program or on random ones.
#include "backend/support/CommandLine.h"
#include "runtime/engine/model/Model.h"
#include "runtime/hardware/lockstep/Coverage.h"
#include "runtime/hardware/lockstep/Lockstep.h"
#include "runtime/hardware/lockstep/RandomMix.h"
#include "runtime/hardware/verilated/Verilated.h"
#include "runtime/io/Files.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <optional>
#include <set>

using namespace acis;
using Bytes = std::vector<uint8_t>;

namespace {

constexpr const char *description =
    "Runs engines model and rtl side by side and compares them in every cycle: program counter,\n"
    "registers, launches, slots, fill of the streams, writes of the register files, and at the\n"
    "end packets, memory and counters. Stops at the first difference, with both states, the pc\n"
    "and the source line.";
constexpr const char *footer =
    "A program:       acis-lockstep add.acis --config=tiny.json --in in.bin --packet-bytes=1024\n"
    "Random programs: acis-lockstep --config=tiny.json --random=1000 --disturb\n"
    "                 acis-lockstep --config=tiny.json --seconds=600 --disturb --complete\n"
    "                 acis-lockstep --config=tiny.json --first=10000000 --random=1000 --disturb\n"
    "From number 10,000,000 on they end without waiting for what their loops send, so that\n"
    "invocations overlap.\n"
    "Exit code: 0 if there is no difference (and, with --complete, nothing was missed), 1 if "
    "there\n"
    "is one, 2 after an error.";

/// From this number on random programs are hasty ones (randomMix()).
constexpr unsigned FirstHasty = 10'000'000;

struct Settings {
  std::string program, config, input, handler;
  std::vector<std::string> memory;
  uint64_t packetBytes = 0, memoryBytes = 1 << 20;
  unsigned random = 0, first = 0, seconds = 0;

  bool isRandom() const { return random != 0 || seconds != 0; }
  bool disturb = false, coverage = false, complete = false;
};

/// What both engines get.
struct Job {
  std::shared_ptr<const Image> image;
  std::string handler;
  std::vector<Bytes> packets;
  Bytes memory;
  bool timed = false; ///< its data depends on time
};

Status prepare(Device &device, const Job &job) {
  if (Status loaded = device.load(job.image, job.handler); !loaded)
    return loaded;
  if (Status sized = device.resizeMemory(job.memory.size()); !sized)
    return sized;
  std::copy(job.memory.begin(), job.memory.end(), device.memory().begin());
  for (const Bytes &packet : job.packets)
    device.push(packet);
  return {};
}

/// Loops of which an iteration ran, for the coverage.
void addContexts(const ModelDevice &model, const Image &image, Coverage &coverage) {
  std::set<uint32_t> ran;
  for (const model::Event &event : model.events())
    if (event.kind == model::EventKind::Loop && event.context < image.contexts.size())
      ran.insert(event.context);
  for (const uint32_t context : ran)
    coverage.addContext(image.contexts[context].loop);
}

class Runs {
public:
  Runs(const Settings &settings, Overlay overlay)
      : settings(settings), overlay(std::move(overlay)), coverage(this->overlay) {}

  /// Whether engines agree on the job; an error if it cannot be run.
  Result<bool> compare(const Job &job, uint64_t seed) {
    std::unique_ptr<ModelDevice> model = makeModelDevice(overlay, {.trace = true});
    auto rtl = makeRtlDevice(overlay, {});
    if (!rtl)
      return rtl.error();
    if (Status ready = prepare(*model, job); !ready)
      return ready.error();
    if (Status ready = prepare(**rtl, job); !ready)
      return ready.error();
    const LockstepResult result = runLockstep(*model, **rtl, "model", "rtl", *job.image);
    cycles += result.cycles;
    ++programs;
    trapped += model->trap() != nullptr;
    coverage.addCounters(model->counters());
    addContexts(*model, *job.image, coverage);
    if (!result.same) {
      std::printf("different at %s\n%s", result.difference.c_str(), result.report.c_str());
      return false;
    }
    return !settings.disturb || job.timed || sameDisturbed(job, seed);
  }

  void summary() const {
    std::printf("%u programs, %llu cycles equal, %u ended in a trap, %u refused\n", programs,
                static_cast<unsigned long long>(cycles), trapped, refused);
    if (settings.coverage || settings.complete)
      std::fputs(coverage.report().c_str(), stdout);
  }

  bool covered() const { return coverage.missed() == 0; }

  Result<bool> randomProgram(unsigned seed) {
    std::mt19937 random(seed);
    const RandomMix mix = randomMix(overlay, random, seed >= FirstHasty);
    auto image = loadImage(mix.program.binary.elf(), overlay);
    if (!image)
      return image.error();
    const Job job{*image, "", mix.program.packets, mix.program.memory, mix.timed};
    Result<bool> same = compare(job, seed + 1);
    // The one thing that engines with a clock do not load, docs/timing.md, Interlock.
    if (!same && same.error().what.find("an interlocked write whose operation") == 0) {
      ++refused;
      return true;
    }
    return same;
  }

private:
  struct Outcome {
    std::vector<Bytes> packets;
    Bytes memory;
    std::optional<Trap> trap;
  };
  static Outcome finish(Device &device) {
    Outcome outcome;
    (void)device.run();
    for (Bytes packet; device.pop(packet);)
      outcome.packets.push_back(packet);
    outcome.memory.assign(device.memory().begin(), device.memory().end());
    if (device.trap())
      outcome.trap = *device.trap();
    return outcome;
  }

  /// Random latencies and back-pressure: the same packets, memory and trap.
  bool sameDisturbed(const Job &job, uint64_t seed) {
    auto model = makeModelDevice(overlay);
    auto rtl = makeRtlDevice(overlay, {seed, ""});
    (void)prepare(*model, job);
    (void)prepare(**rtl, job);
    const Outcome expected = finish(*model), found = finish(**rtl);
    const char *what = nullptr;
    if (expected.trap.has_value() != found.trap.has_value() ||
        (expected.trap &&
         (expected.trap->what != found.trap->what || expected.trap->pc != found.trap->pc)))
      what = "trap";
    else if (expected.trap)
      return true; // how much was done before it depends on time
    else if (expected.packets != found.packets)
      what = "packets";
    else if (expected.memory != found.memory)
      what = "memory";
    if (what)
      std::printf("different with disturbances of seed %llu: %s\n",
                  static_cast<unsigned long long>(seed), what);
    return what == nullptr;
  }

  const Settings &settings;
  const Overlay overlay;
  Coverage coverage;
  uint64_t cycles = 0;
  unsigned programs = 0, trapped = 0, refused = 0;
};

int fail(const std::string &what) {
  std::fprintf(stderr, "acis-lockstep: error: %s\n", what.c_str());
  return 2;
}

/// The program of the command line.
Result<Job> readJob(const Settings &settings, const Overlay &overlay) {
  Job job;
  auto elf = io::readFile(settings.program);
  if (!elf)
    return elf.error();
  auto image = loadImage(*elf, overlay);
  if (!image)
    return Error{settings.program, image.error().str()};
  job.image = *image;
  job.handler = settings.handler;
  auto input = io::readFile(settings.input);
  if (!input)
    return input.error();
  const uint64_t step = settings.packetBytes ? settings.packetBytes : input->size();
  for (uint64_t at = 0; at < input->size(); at += step)
    job.packets.emplace_back(input->begin() + ptrdiff_t(at),
                             input->begin() +
                                 ptrdiff_t(std::min<uint64_t>(input->size(), at + step)));
  for (const std::string &file : settings.memory) {
    auto bytes = io::readFile(file);
    if (!bytes)
      return bytes.error();
    job.memory.insert(job.memory.end(), bytes->begin(), bytes->end());
  }
  job.memory.resize(std::max<uint64_t>(job.memory.size(), settings.memoryBytes));
  return job;
}

int runProgram(const Settings &settings, const Overlay &overlay, Runs &runs) {
  Result<Job> job = readJob(settings, overlay);
  if (!job)
    return fail(job.error().str());
  Result<bool> same = runs.compare(*job, 1);
  if (!same)
    return fail(settings.program + ": " + same.error().str());
  runs.summary();
  return *same ? 0 : 1;
}

/// Random programs until there were enough, or the time is over and everything asked for was met.
int runRandom(const Settings &settings, Runs &runs) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const auto goesOn = [&](unsigned done) {
    if (settings.random != 0 && done >= settings.random)
      return false;
    if (settings.seconds != 0 && Clock::now() - begin < std::chrono::seconds(settings.seconds))
      return true;
    return settings.complete ? !runs.covered() : settings.seconds == 0;
  };
  bool same = true;
  for (unsigned done = 0; same && goesOn(done); ++done) {
    const unsigned seed = settings.first + done;
    Result<bool> found = runs.randomProgram(seed);
    if (!found)
      return fail("program " + std::to_string(seed) + ": " + found.error().str());
    same = *found;
    if (!same)
      std::printf("program %u: different\n", seed);
  }
  runs.summary();
  return same && (!settings.complete || runs.covered()) ? 0 : 1;
}

int run(const Settings &settings) {
  Result<Overlay> overlay = Overlay::load(settings.config);
  if (!overlay)
    return fail(overlay.error().str());
  Runs runs(settings, *overlay);
  return settings.isRandom() ? runRandom(settings, runs) : runProgram(settings, *overlay, runs);
}

void declare(CLI::App &app, Settings &settings) {
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag("--version", "acis-lockstep (ACiS) " ACIS_VERSION, "print the version");
  app.footer(footer);
  app.add_option("program", settings.program, "binary that acisc wrote")->type_name("PROG.acis");
  app.add_option("--config", settings.config, "overlay description, or the name of a shipped one")
      ->required()
      ->type_name("FILE");
  app.add_option("--in", settings.input, "packets, raw bytes")->type_name("FILE");
  app.add_option("--packet-bytes", settings.packetBytes, "cut the input into packets")
      ->type_name("N");
  app.add_option("--mem", settings.memory, "content of the off-chip memory")->type_name("FILE");
  app.add_option("--mem-bytes", settings.memoryBytes, "least size of the memory (default 1 MiB)")
      ->type_name("N");
  app.add_option("--handler", settings.handler, "handler to run (default: the only one)")
      ->type_name("NAME");
  app.add_option("--random", settings.random, "so many random programs instead")->type_name("N");
  app.add_option("--seconds", settings.seconds,
                 "random programs for so long; with --random, at most so many")
      ->type_name("N");
  app.add_option("--first", settings.first, "number of the first random program (default 0)")
      ->type_name("SEED");
  app.add_flag("--disturb", settings.disturb,
               "run each program again with random latencies and back-pressure; data is compared");
  app.add_flag("--coverage", settings.coverage,
               "say which instructions, stalls and values of context fields were not met");
  app.add_flag("--complete", settings.complete,
               "after the time of --seconds go on until there is nothing left to say; with "
               "--random, at most with so many programs");
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app(description, "acis-lockstep");
  Settings settings;
  declare(app, settings);
  if (const std::optional<int> ends =
          parseCommandLine(app, argc, argv, "acis-lockstep", /*mistake=*/2))
    return *ends;
  const bool isProgram = !settings.program.empty() && !settings.input.empty();
  if (isProgram == settings.isRandom())
    return fail("found neither or both of a program with --in, and --random or --seconds\n"
                "see acis-lockstep --help");
  return run(settings);
}
