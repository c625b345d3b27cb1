// Reads the command line with LLVM's option library; Options.td is the table.
#include "compiler/driver/Options.h"

#include "backend/support/Refusal.h"
#include "compiler/driver/CommandLine.h"
#include "compiler/driver/PhaseList.h"
#include "passes/llvm/Steps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Option/Arg.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <climits>
#include <optional>

#define ACIS_OPTION_TABLE "compiler/driver/Options.inc"
#include "compiler/driver/OptionTable.h"

using namespace llvm;
using namespace llvm::opt;

namespace acis::driver {
namespace {

std::string phaseNames() {
  std::string names;
  for (const PhaseEntry &entry : phases())
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

std::optional<Phase> findPhase(StringRef name) {
  for (const PhaseEntry &entry : phases())
    if (name == entry.name)
      return entry.phase;
  return std::nullopt;
}

bool isFormStep(StringRef name) {
  auto isNamed = [&](const auto &step) { return step.name == name; };
  return any_of(moduleSteps(), isNamed) || any_of(handlerSteps(), isNamed);
}

/// What -S, -emit-llvm, --emit= and --stop-after= ask for; at most one may be given
/// (-emit-llvm together with --stop-after=frontend or normal-form is fine).
std::string readLastPhase(const InputArgList &args, Options &options) {
  struct Request {
    const Arg *arg;
    Phase phase;
  };
  std::vector<Request> requests;
  if (const Arg *arg = args.getLastArg(OPT_S))
    requests.push_back({arg, Phase::Select});
  if (const Arg *arg = args.getLastArg(OPT_emit_EQ)) {
    StringRef value = arg->getValue();
    if (value == "dfg")
      requests.push_back({arg, Phase::Import});
    else if (value == "dfg-opt")
      requests.push_back({arg, Phase::Optimise});
    else if (value == "mapped")
      requests.push_back({arg, Phase::Map});
    else
      return "unknown value in '" + arg->getAsString(args) + "'; allowed: dfg, dfg-opt, mapped";
  }
  if (const Arg *arg = args.getLastArg(OPT_stop_after_EQ)) {
    std::optional<Phase> phase = findPhase(arg->getValue());
    if (!phase && isFormStep(arg->getValue())) {
      phase = Phase::NormalForm;
      options.lastStep = arg->getValue();
    }
    if (!phase)
      return "unknown phase in '" + arg->getAsString(args) + "'; allowed: " + phaseNames() +
             ", and the steps of normal-form (see --list-phases)";
    requests.push_back({arg, *phase});
  }
  if (const Arg *arg = args.getLastArg(OPT_emit_llvm)) {
    if (requests.size() == 1 && requests[0].phase > Phase::NormalForm)
      return "'-emit-llvm' and '" + requests[0].arg->getAsString(args) + "' exclude each other";
    if (requests.empty())
      requests.push_back({arg, Phase::NormalForm});
  }
  if (requests.size() > 1)
    return "'" + requests[0].arg->getAsString(args) + "' and '" +
           requests[1].arg->getAsString(args) + "' exclude each other";
  if (!requests.empty())
    options.last = requests[0].phase;
  return "";
}

struct Range {
  unsigned least = 0, most = UINT_MAX;
};

/// The value of an option that takes a number.
std::string readNumber(const InputArgList &args, unsigned option, Range range, const char *what,
                       unsigned &number) {
  const Arg *arg = args.getLastArg(option);
  unsigned found = 0;
  if (!arg)
    return "";
  if (StringRef(arg->getValue()).getAsInteger(10, found) || found < range.least ||
      found > range.most)
    return "'" + arg->getAsString(args) + "' is no " + what + "; allowed: a number from " +
           std::to_string(range.least) + " to " + std::to_string(range.most);
  number = found;
  return "";
}

/// -O, which makefiles give: any level that compilers have means the same here.
std::string readLevels(const InputArgList &args) {
  for (const Arg *arg : args.filtered(OPT_O))
    if (StringRef level = arg->getValue();
        !is_contained({"", "0", "1", "2", "3", "s", "z", "g", "fast"}, level))
      return "'" + arg->getAsString(args) +
             "' is no level; allowed: -O0, -O1, -O2, -O3, -Os, -Oz, -Og, -Ofast, which all mean "
             "the "
             "same here";
  return "";
}

std::string readMapper(const InputArgList &args, Options &options) {
  if (const Arg *arg = args.getLastArg(OPT_mapper_EQ)) {
    StringRef how = arg->getValue();
    if (how != "heuristic" && how != "persistent" && how != "exact")
      return "'" + arg->getAsString(args) + "' is no mapper; allowed: heuristic, persistent, exact";
    options.exactMapper = how == "exact";
    options.persistentMapper = how == "persistent";
  }
  for (std::string problem :
       {readNumber(args, OPT_min_ii_EQ, {1}, "interval", options.minIi),
        readNumber(args, OPT_mapper_timeout_EQ, {1}, "time in seconds", options.mapperSeconds),
        readNumber(args, OPT_mapper_seed_EQ, {}, "seed", options.mapperSeed),
        readNumber(args, OPT_mapper_threads_EQ, {1, 1024}, "number of threads",
                   options.mapperThreads)})
    if (!problem.empty())
      return problem;
  return "";
}

std::string readRate(const InputArgList &args, Options &options) {
  options.certify = args.hasArg(OPT_certify);
  const Arg *arg = args.getLastArg(OPT_require_rate_EQ);
  if (!arg)
    return "";
  options.requiredRate = parseRateRequirement(arg->getValue());
  return options.requiredRate ? ""
                              : "'" + arg->getAsString(args) +
                                    "' is no rate; allowed: for example 100G@256B or 950M@64B";
}

/// --explore and what belongs to it.
std::string readExplore(const InputArgList &args, Options &options) {
  if (!args.hasArg(OPT_explore, OPT_explore_EQ)) {
    const Arg *alone = args.getLastArg(OPT_sweep_EQ, OPT_payload_EQ, OPT_device_EQ);
    return alone ? "'" + alone->getAsString(args) + "' needs --explore" : "";
  }
  if (const Arg *arg = args.getLastArg(OPT_o, OPT_S, OPT_emit_llvm, OPT_emit_EQ, OPT_stop_after_EQ,
                                       OPT_MD, OPT_report_EQ, OPT_require_rate_EQ))
    return "'" + arg->getAsString(args) +
           "' and '--explore' exclude each other: it writes no binary";
  ExploreOptions &explore = options.explore.emplace();
  explore.file = args.getLastArgValue(OPT_explore_EQ).str();
  const StringRef extension = sys::path::extension(explore.file);
  if (args.hasArg(OPT_explore_EQ) && extension != ".json" && extension != ".svg")
    return "'" + args.getLastArg(OPT_explore_EQ)->getAsString(args) +
           "' is no file that it writes; allowed: .json, .svg";
  for (const std::string &text : args.getAllArgValues(OPT_sweep_EQ)) {
    Result<Sweep> sweep = parseSweep(text);
    if (!sweep)
      return "'--sweep=" + text + "': " + sweep.error().what;
    explore.sweeps.push_back(std::move(*sweep));
  }
  explore.device = args.getLastArgValue(OPT_device_EQ, explore.device).str();
  return readNumber(args, OPT_payload_EQ, {1}, "payload in bytes", explore.payloadBytes);
}

std::string readFiles(const InputArgList &args, Options &options) {
  std::vector<std::string> inputs = args.getAllArgValues(OPT_INPUT);
  if (inputs.empty())
    return "no input file";
  if (inputs.size() > 1)
    return "'" + inputs[1] + "' is a second input file; acisc takes one";
  options.input = inputs[0];
  StringRef extension = sys::path::extension(options.input);
  if (!is_contained({".c", ".cpp", ".cc", ".cxx", ".C"}, extension))
    return "'" + options.input + "' is no source file; allowed: .c, .cpp, .cc, .cxx";
  options.config = args.getLastArgValue(OPT_config_EQ).str();
  if (options.config.empty())
    return "no overlay given; pass --config=<overlay.json>";
  options.output = args.getLastArgValue(OPT_o).str();
  if (options.output.empty())
    options.output =
        options.last == LastPhase ? (sys::path::stem(options.input) + ".acis").str() : "-";
  return "";
}

/// -MD and what belongs to it.
std::string readRule(const InputArgList &args, Options &options) {
  if (!args.hasArg(OPT_MD)) {
    const Arg *alone = args.getLastArg(OPT_MF, OPT_MT);
    return alone ? "'" + alone->getAsString(args) + "' needs -MD, which asks for the rule" : "";
  }
  options.ruleTarget = args.getLastArgValue(OPT_MT, options.output).str();
  options.ruleFile = args.getLastArgValue(OPT_MF).str();
  if (!options.ruleFile.empty())
    return "";
  if (options.output == "-")
    return "'-MD' with output to stdout; say where the rule goes with -MF <file>";
  SmallString<128> file(options.output);
  sys::path::replace_extension(file, "d");
  options.ruleFile = file.str().str();
  return "";
}

/// Folders and files that options name.
std::string readPlaces(const InputArgList &args, Options &options) {
  const Arg *folder = args.getLastArg(OPT_resource_dir_EQ);
  if (folder && !sys::fs::is_directory(folder->getValue()))
    return "'" + folder->getAsString(args) + "' is no folder; give that of Clang's own headers";
  if (folder)
    options.resourceDir = folder->getValue();
  const Arg *report = args.getLastArg(OPT_report_EQ);
  if (report && !*report->getValue())
    return "'--report=' names no file; give json, html or <file>";
  return "";
}

/// What Clang's front end takes as it is.
void readClangArgs(const InputArgList &args, Options &options) {
  constexpr std::pair<unsigned, const char *> joined[] = {
      {OPT_D, "-D"}, {OPT_U, "-U"}, {OPT_I, "-I"}, {OPT_std_EQ, "-std="}, {OPT_W_Joined, "-W"}};
  constexpr std::pair<unsigned, const char *> separate[] = {{OPT_isystem, "-isystem"},
                                                            {OPT_include_file, "-include"}};
  for (const Arg *arg : args) {
    for (auto [option, name] : joined)
      if (arg->getOption().matches(option))
        options.clangArgs.push_back(std::string(name) + arg->getValue());
    for (auto [option, name] : separate)
      if (arg->getOption().matches(option))
        options.clangArgs.insert(options.clangArgs.end(), {name, arg->getValue()});
  }
  if (args.hasArg(OPT_w))
    options.clangArgs.push_back("-w");
}

/// `json` or `html` alone is a format: the file stands beside the output, or where that is
/// stdout in the current folder.
std::string reportFile(StringRef value, const Options &options) {
  if (value != "json" && value != "html")
    return value.str();
  SmallString<128> file(options.output == "-" ? sys::path::filename(options.input)
                                              : StringRef(options.output));
  sys::path::replace_extension(file, value);
  return file.str().str();
}

} // namespace

const char *phaseName(Phase phase) { return phases()[static_cast<unsigned>(phase)].name; }

ParseResult parseOptions(int argc, const char *const *argv, Options &options, std::string &text) {
  CommandLineTable table;
  CommandLine line = readCommandLine(table, ArrayRef(argv + 1, argc - 1), OPT_UNKNOWN, "");
  const InputArgList &args = line.args;
  if (args.hasArg(OPT_help)) {
    text = helpText(table, "acisc <handler.c> --config=<overlay.json> [options]",
                    "compiles packet handlers into a binary for the switch overlay");
    return ParseResult::Done;
  }
  if (args.hasArg(OPT_version)) {
    text = "acisc version " ACIS_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
    return ParseResult::Done;
  }
  if (args.hasArg(OPT_list_phases)) {
    text = phasesAsText();
    return ParseResult::Done;
  }
  if (args.hasArg(OPT_list_refusals)) {
    text = refusalsAsMarkdown();
    return ParseResult::Done;
  }
  if (const Arg *arg = args.getLastArg(OPT_list_phases_EQ)) {
    bool isKnown = StringRef(arg->getValue()) == "markdown";
    text = isKnown ? phasesAsMarkdown()
                   : "unknown value in '" + arg->getAsString(args) + "'; allowed: markdown";
    return isKnown ? ParseResult::Done : ParseResult::Error;
  }
  text = line.error;
  if (text.empty())
    text = readLevels(args);
  if (text.empty())
    text = readLastPhase(args, options);
  if (text.empty())
    text = readMapper(args, options);
  if (text.empty())
    text = readRate(args, options);
  if (text.empty())
    text = readFiles(args, options);
  if (text.empty())
    text = readRule(args, options);
  if (text.empty())
    text = readExplore(args, options);
  if (text.empty())
    text = readPlaces(args, options);
  if (!text.empty())
    return ParseResult::Error;

  readClangArgs(args, options);
  options.report = args.hasArg(OPT_report);
  options.reportFile = reportFile(args.getLastArgValue(OPT_report_EQ), options);
  options.remarks = args.hasArg(OPT_remarks);
  options.timePhases = args.hasArg(OPT_time_phases);
  options.scalarLoops = args.hasArg(OPT_scalar_loops);
  options.doubleBuffer = !args.hasArg(OPT_no_double_buffer);
  options.verifyEach = args.hasArg(OPT_verify_each);
  options.color = args.hasFlag(OPT_color, OPT_no_color, sys::Process::StandardErrHasColors());
  return ParseResult::Run;
}

} // namespace acis::driver
