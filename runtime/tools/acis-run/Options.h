// The command line of acis-run as one struct.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace acis::tools {

enum class Engine : uint8_t { Fast, Model, Rtl };
enum class StatsFormat : uint8_t { None, Text, Json };

struct MemoryImage {
  std::string path;
  uint64_t offset = 0;
};

struct Options {
  std::string program, config;
  std::string input, output; ///< output may be empty
  std::vector<MemoryImage> memory;
  uint64_t memoryBytes = 0;
  std::string memoryOutput, trace;
  std::string capture; ///< pcapng of what became of each packet; empty: none
  Engine engine = Engine::Fast;
  std::string handler; ///< empty: the only one
  uint64_t packetBytes = 0;
  std::string outType; ///< empty: as the input's or the handler's
  StatsFormat stats = StatsFormat::None;
  uint64_t deadline = 0; ///< 0: the engine's own
  uint64_t seed = 0;     ///< engine rtl: of random latencies and gaps, 0: none
};

const char *nameOf(Engine engine);

/// Parses the command line. If there is nothing to run (--help, --version, an error) it
/// prints what there is to say and gives the exit code.
std::optional<int> parseOptions(int argc, char **argv, Options &options);

} // namespace acis::tools
