// The command line through CLI11, whose exceptions end in this file.
#include "runtime/tools/acis-run/Options.h"

#include "backend/support/CommandLine.h"
#include "runtime/io/Npy.h"

namespace acis::tools {

namespace {

constexpr const char *description =
    "Streams packets through a handler on an overlay.\n\n"
    "Packets come from a capture (.pcap, .pcapng), a NumPy array (.npy) or raw bytes (any other\n"
    "name) and go to a file of one of these formats.";

constexpr const char *footer =
    "Example: acis-run add.acis --config=u280.json --in data.npy --out sum.npy --stats\n"
    "Exit code: 0, or 1 after an error or a trap; then no output file is written.";

/// "file", or "file@offset" with a decimal or hexadecimal (0x) offset.
std::optional<MemoryImage> parseMemory(const std::string &text) {
  size_t at = text.rfind('@');
  if (at == std::string::npos)
    return MemoryImage{text, 0};
  uint64_t offset = 0;
  if (at == 0 || !CLI::detail::lexical_cast(text.substr(at + 1), offset))
    return std::nullopt;
  return MemoryImage{text.substr(0, at), offset};
}

std::string checkMemory(const std::string &text) {
  return parseMemory(text) ? "" : "found '" + text + "', allowed is FILE or FILE@OFFSET";
}

std::string checkType(const std::string &text) {
  unsigned itemBytes = 0;
  Status status = io::parseDescr(text, itemBytes);
  return status ? "" : status.error().what;
}

std::string checkPositive(const std::string &text) {
  uint64_t value = 0;
  bool good = CLI::detail::lexical_cast(text, value) && value > 0 && text[0] != '-';
  return good ? "" : "found '" + text + "', allowed is a number above 0";
}

/// Options that are made into something else once all are there.
struct Texts {
  std::vector<std::string> memory;
  std::string stats, engine = "fast";
};

void declare(CLI::App &app, Options &options, Texts &texts) {
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag("--version", "acis-run (ACiS) " ACIS_VERSION, "print the version");
  app.footer(footer);
  app.add_option("program", options.program, "binary that acisc wrote")
      ->required()
      ->type_name("PROG.acis");
  app.add_option("--config", options.config, "overlay description, or the name of a shipped one")
      ->required()
      ->type_name("FILE");
  app.add_option("--in", options.input, "packets to stream in")->required()->type_name("FILE");
  app.add_option("--out", options.output, "packets that come out")->type_name("FILE");
  app.add_option("--capture", options.capture,
                 "write a .pcapng capture of packets and answers, with cycles (engine model) or\n"
                 "the reason why it was dropped as each packet's comment. Each packet is then\n"
                 "one invocation, as in acisd, and one that traps is dropped")
      ->type_name("FILE");
  app.add_option("--packet-bytes", options.packetBytes,
                 "cut raw and npy input into packets (default: one packet)")
      ->check(checkPositive)
      ->type_name("N");
  app.add_option("--out-type", options.outType, "type of an .npy output, as <f4")
      ->check(checkType)
      ->type_name("TYPE");
  app.add_option("--mem", texts.memory, "load a file into the off-chip memory; may be repeated")
      ->check(checkMemory)
      ->expected(1)
      ->take_all()
      ->type_name("FILE[@OFFSET]");
  app.add_option("--mem-bytes", options.memoryBytes, "least size of the off-chip memory")
      ->type_name("N");
  app.add_option("--mem-out", options.memoryOutput, "write the off-chip memory after the run")
      ->type_name("FILE");
  app.add_option("--engine", texts.engine,
                 "fast (default): functional; model: cycle-exact; rtl: the hardware's "
                 "description, simulated")
      ->type_name("fast|model|rtl");
  app.add_option("--seed", options.seed,
                 "engine rtl: random memory latencies, gaps and back-pressure (default: none)")
      ->check(checkPositive)
      ->type_name("N");
  app.add_option("--handler", options.handler, "handler to run (default: the only one)")
      ->type_name("NAME");
  app.add_option("--deadline", options.deadline,
                 "most scalar instructions plus iterations of an invocation (default: 2^32)")
      ->check(checkPositive)
      ->type_name("N");
  app.add_flag("--stats{text}", texts.stats, "print counters; --stats=json for programs");
  app.add_option("--trace", options.trace,
                 "write a Perfetto (Chrome JSON) trace; engine rtl with a name in .fst: a waveform")
      ->type_name("FILE");
}

/// What CLI11 cannot express. Empty if all is well.
std::string complete(Options &options, const Texts &texts) {
  const std::string &stats = texts.stats;
  if (!stats.empty() && stats != "text" && stats != "json")
    return "--stats: found '" + stats + "', allowed are text and json";
  options.stats = stats.empty()     ? StatsFormat::None
                  : stats == "text" ? StatsFormat::Text
                                    : StatsFormat::Json;
  if (texts.engine != "fast" && texts.engine != "model" && texts.engine != "rtl")
    return "--engine: found '" + texts.engine + "', allowed are fast, model and rtl";
  options.engine = texts.engine == "fast"    ? Engine::Fast
                   : texts.engine == "model" ? Engine::Model
                                             : Engine::Rtl;
  if (options.seed != 0 && options.engine != Engine::Rtl)
    return "--seed: engine " + texts.engine + " has nothing random; add --engine=rtl";
  for (const std::string &text : texts.memory)
    if (std::optional<MemoryImage> image = parseMemory(text)) // checked while parsing
      options.memory.push_back(*image);
  if (options.trace.ends_with(".fst") && options.engine != Engine::Rtl)
    return "--trace: found '" + options.trace + "', waveforms are of engine rtl; add --engine=rtl";
  if (!options.trace.empty() && options.engine == Engine::Fast)
    return "--trace: engine fast has no cycles to trace; add --engine=model";
  if (options.capture.empty())
    return "";
  if (!options.capture.ends_with(".pcapng"))
    return "--capture: found '" + options.capture + "', the name of a capture ends with .pcapng";
  if (options.engine == Engine::Rtl)
    return "--capture: found engine rtl, allowed are fast and model";
  if (!options.trace.empty() || !options.memoryOutput.empty() || !stats.empty() || options.deadline)
    return "--capture: found with --trace, --mem-out, --stats or --deadline, which belong to a run "
           "of all packets at once";
  return "";
}

} // namespace

const char *nameOf(Engine engine) {
  switch (engine) {
  case Engine::Fast:
    return "fast";
  case Engine::Model:
    return "model";
  case Engine::Rtl:
    break;
  }
  return "rtl";
}

std::optional<int> parseOptions(int argc, char **argv, Options &options) {
  CLI::App app(description, "acis-run");
  Texts texts;
  declare(app, options, texts);
  if (std::optional<int> code = parseCommandLine(app, argc, argv, "acis-run"))
    return code;
  return refuseCommandLine("acis-run", complete(options, texts));
}

} // namespace acis::tools
