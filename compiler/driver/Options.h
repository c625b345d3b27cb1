// The whole command line of acisc as one struct.
#pragma once

#include "backend/overlay/Variants.h"
#include "compiler/driver/RateCertificate.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace acis::driver {

enum class Phase : uint8_t {
#define ACIS_PHASE(id, name, gives) id,
#include "compiler/driver/Phases.def"
};
inline constexpr Phase LastPhase = Phase::Assemble;
const char *phaseName(Phase phase);

/// --explore: what the handler reaches on other machines, and what these take.
struct ExploreOptions {
  std::string file;          ///< .json or .svg; empty: the table alone
  std::vector<Sweep> sweeps; ///< none: the usual ones
  std::string device = "lfe5u-85f";
  unsigned payloadBytes = 1024;
};

struct Options {
  std::string input;
  std::optional<std::string> text; ///< the source, in place of what the file has
  std::string config;              ///< overlay description
  std::string output;              ///< empty: derived from input; "-": stdout
  Phase last = LastPhase;          ///< stop after it and write what it gives
  std::string lastStep;            ///< of the phase normal-form, to stop behind, if it is the last
  std::vector<std::string> clangArgs;
  std::string ruleFile, ruleTarget; ///< a makefile's rule; no file: none is written
  std::string resourceDir;
  unsigned minIi = 1; ///< smallest initiation interval to try
  bool exactMapper = false;
  bool persistentMapper = false;
  unsigned mapperSeconds = 10, mapperSeed = 0, mapperThreads = 1;
  bool report = false;    ///< as text, on stderr
  std::string reportFile; ///< as JSON
  bool wantsPage() const { return reportFile.ends_with(".html"); }
  bool remarks = false;
  bool timePhases = false;
  bool doubleBuffer = true;
  bool scalarLoops = false; ///< loops that the array cannot run, with a warning
  bool certify = false;
  std::optional<RateRequirement> requiredRate; ///< certifies, too
  bool verifyEach = false;
  bool color = false;
  std::optional<ExploreOptions> explore; ///< in place of a binary
};

enum class ParseResult : uint8_t {
  Run,  ///< options are complete
  Done, ///< help or version: `text` is for stdout
  Error ///< `text` is for stderr
};
ParseResult parseOptions(int argc, const char *const *argv, Options &options, std::string &text);

} // namespace acis::driver
