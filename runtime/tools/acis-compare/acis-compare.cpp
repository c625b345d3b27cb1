// acis-compare: runs a handler natively and on the engines, on the same input, and
// compares every output byte and the memory afterwards; with --time it also measures.
//
// The native handler is the same source compiled by the host's C compiler into a
// shared library. It is given each packet as one call.
#include "backend/overlay/Overlay.h"
#include "backend/support/CommandLine.h"
#include "runtime/engine/device/Device.h"
#include "runtime/engine/loader/Image.h"
#include "runtime/io/Files.h"
#include "runtime/tools/Program.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace {
using namespace acis;
using Bytes = std::vector<uint8_t>;
using NativeHandler = void (*)(const void *in, void *out, void *mem, uint32_t *len);

struct Settings {
  std::string binary, config, native, handler, input, memory;
  uint64_t packetBytes = 0, memoryBytes = 1 << 20, outputBytes = 64u << 20;
  unsigned runs = 0;
};

struct Outcome {
  std::vector<Bytes> packets;
  Bytes memory;
  Counters counters;
  bool writesLength = false; ///< native: some packet's length is another than its input's
  double seconds = 0;        ///< median of the timed runs
};

std::vector<Bytes> cut(const Bytes &input, uint64_t packetBytes) {
  std::vector<Bytes> packets;
  uint64_t step = packetBytes ? packetBytes : std::max<uint64_t>(input.size(), 1);
  for (uint64_t at = 0; at < input.size(); at += step)
    packets.emplace_back(input.begin() + at,
                         input.begin() + std::min<uint64_t>(input.size(), at + step));
  return packets;
}

/// Median time of run(), each after a prepare() that is not counted.
template <typename Prepare, typename Run>
double medianSeconds(unsigned runs, Prepare prepare, Run run) {
  std::vector<double> times;
  for (unsigned i = 0; i < runs; ++i) {
    prepare();
    auto start = std::chrono::steady_clock::now();
    run();
    times.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times.empty() ? 0 : times[times.size() / 2];
}

/// Memory that no page is spent on before it is written.
class Buffer {
public:
  explicit Buffer(uint64_t bytes)
      : size(bytes), data(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Buffer() {
    if (data != MAP_FAILED)
      munmap(data, size);
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  uint8_t *get() const { return data == MAP_FAILED ? nullptr : static_cast<uint8_t *>(data); }

private:
  uint64_t size;
  void *data;
};

Result<Outcome> runNative(const Settings &settings, const std::vector<Bytes> &packets,
                          const Bytes &memory) {
  // A name without a folder is a file here, not one of the library path.
  std::filesystem::path file = std::filesystem::absolute(settings.native);
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Error{settings.native, dlerror()};
  auto handler = reinterpret_cast<NativeHandler>(dlsym(library, settings.handler.c_str()));
  if (!handler)
    return Error{settings.native, "has no function '" + settings.handler + "'"};
  Buffer out(settings.outputBytes);
  if (!out.get())
    return Error{"--output-bytes", "memory for the native output cannot be had"};

  Outcome outcome;
  outcome.memory = memory;
  for (const Bytes &packet : packets) {
    uint32_t length = packet.size();
    handler(packet.data(), out.get(), outcome.memory.data(), &length);
    outcome.writesLength |= length != packet.size();
    if (length > settings.outputBytes)
      return Error{settings.native, "the handler's output is larger than --output-bytes"};
    if (length)
      outcome.packets.emplace_back(out.get(), out.get() + length);
  }
  Bytes scratch = memory;
  outcome.seconds = medianSeconds(
      settings.runs, [] {},
      [&] {
        for (const Bytes &packet : packets) {
          uint32_t length = packet.size();
          handler(packet.data(), out.get(), scratch.data(), &length);
        }
      });
  return outcome;
}

void queue(Device &device, const std::vector<Bytes> &packets) {
  for (const Bytes &packet : packets)
    device.push(packet);
}

Status runQueued(Device &device) {
  Status done = device.run();
  if (done || !device.trap())
    return done;
  return Error{device.trap()->line, done.error().what};
}

Result<Outcome> runEngine(Device &device, const std::shared_ptr<const Image> &image,
                          const Settings &settings, const std::vector<Bytes> &packets,
                          const Bytes &memory, unsigned runs) {
  if (Status loaded = device.load(image, settings.handler); !loaded)
    return loaded.error();
  if (Status sized = device.resizeMemory(memory.size()); !sized)
    return sized.error();
  std::copy(memory.begin(), memory.end(), device.memory().begin());
  queue(device, packets);
  if (Status done = runQueued(device); !done)
    return done.error();
  Outcome outcome;
  outcome.counters = device.counters();
  for (Bytes packet; device.pop(packet);)
    outcome.packets.push_back(packet);
  outcome.memory.assign(device.memory().begin(), device.memory().end());
  Status timed;
  auto prepare = [&] {
    for (Bytes packet; device.pop(packet);)
      ;
    queue(device, packets);
  };
  outcome.seconds = medianSeconds(runs, prepare, [&] {
    if (Status done = runQueued(device); !done)
      timed = done;
  });
  if (!timed)
    return timed.error();
  return outcome;
}

/// What to do where a length differs and the native handler left all lengths as they were.
std::string lengthHint(const Outcome &expected) {
  return expected.writesLength ? ""
                               : "; the handler does not write *len, and native code has no other "
                                 "way to say how much it sends";
}

/// "" when equal, else the first difference.
std::string difference(const Outcome &expected, const Outcome &found) {
  if (expected.packets.size() != found.packets.size())
    return "sent " + std::to_string(found.packets.size()) + " packets, the native handler " +
           std::to_string(expected.packets.size()) + lengthHint(expected);
  for (size_t i = 0; i < expected.packets.size(); ++i) {
    const Bytes &a = expected.packets[i], &b = found.packets[i];
    if (a.size() != b.size())
      return "packet " + std::to_string(i) + " has " + std::to_string(b.size()) +
             " bytes, the native handler's " + std::to_string(a.size()) + lengthHint(expected);
    auto at = std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
    if (static_cast<size_t>(at) != a.size())
      return "packet " + std::to_string(i) + " differs from the native handler's at byte " +
             std::to_string(at);
  }
  auto at =
      std::mismatch(expected.memory.begin(), expected.memory.end(), found.memory.begin()).first -
      expected.memory.begin();
  if (static_cast<size_t>(at) != expected.memory.size())
    return "the memory differs from the native handler's at byte " + std::to_string(at);
  return "";
}

nlohmann::json instructions(const Counters &counters) {
  nlohmann::json counts = nlohmann::json::object();
  for (const auto &[mnemonic, count] : counters.instructions)
    if (count)
      counts[mnemonic] = count;
  return counts;
}

Result<nlohmann::json> compare(const Settings &settings) {
  auto program = tools::loadProgram(settings.config, settings.binary);
  if (!program)
    return program.error();
  const auto &[overlay, image] = *program;
  auto input = io::readFile(settings.input);
  if (!input)
    return input.error();
  Bytes memory(settings.memoryBytes);
  if (!settings.memory.empty()) {
    auto content = io::readFile(settings.memory);
    if (!content)
      return content.error();
    memory = *content;
    memory.resize(std::max<uint64_t>(memory.size(), settings.memoryBytes));
  }
  auto packets = cut(*input, settings.packetBytes);
  auto native = runNative(settings, packets, memory);
  if (!native)
    return native.error();

  nlohmann::json report = {{"handler", settings.handler},
                           {"native", {{"seconds", native->seconds}}}};
  struct Engine {
    const char *name;
    std::unique_ptr<Device> device;
    unsigned runs; ///< the model is exact, not fast: its time is not of interest
  } engines[] = {{"fast", makeFastDevice(overlay), settings.runs},
                 {"model", makeModelDevice(overlay), 0}};
  for (Engine &engine : engines) {
    auto outcome = runEngine(*engine.device, image, settings, packets, memory, engine.runs);
    if (!outcome)
      return Error{std::string("engine ") + engine.name, outcome.error().str()};
    if (std::string what = difference(*native, *outcome); !what.empty())
      return Error{std::string("engine ") + engine.name, what};
    report[engine.name] = {{"equal", true},
                           {"cycles", outcome->counters.cycles},
                           {"beatsIn", outcome->counters.beatsIn},
                           {"beatsOut", outcome->counters.beatsOut},
                           {"packetsOut", outcome->packets.size()},
                           {"tilesSkipped", outcome->counters.tilesSkipped},
                           {"instructions", instructions(outcome->counters)},
                           {"seconds", outcome->seconds}};
    if (engine.runs)
      report[engine.name]["toNative"] = outcome->seconds / native->seconds;
  }
  return report;
}

} // namespace

int main(int argc, char **argv) {
  Settings settings;
  CLI::App app{"Runs a handler natively and on every engine and compares all that they give.\n"
               "Exit code 0 when everything is equal, 1 otherwise."};
  app.set_version_flag("--version", "acis-compare " ACIS_VERSION);
  app.add_option("binary", settings.binary, "switch binary made by acisc")->required();
  app.add_option("--config", settings.config, "overlay description")->required();
  app.add_option("--native", settings.native, "the same source as a shared library")->required();
  app.add_option("--handler", settings.handler, "name of the handler")->required();
  app.add_option("--in", settings.input, "payload of the packets, raw bytes")->required();
  app.add_option("--mem", settings.memory, "content of the off-chip memory");
  app.add_option("--packet-bytes", settings.packetBytes, "payload of a packet (0: one packet)");
  app.add_option("--mem-bytes", settings.memoryBytes, "size of the off-chip memory at least");
  app.add_option("--output-bytes", settings.outputBytes, "room for one native output packet");
  app.add_option("--time", settings.runs, "measure over this many runs of fast and native");
  if (const std::optional<int> ends = parseCommandLine(app, argc, argv, "acis-compare"))
    return *ends;

  auto report = compare(settings);
  if (!report) {
    std::fprintf(stderr, "acis-compare: error: %s\n", report.error().str().c_str());
    return 1;
  }
  // A handler's name may be any bytes.
  using Json = nlohmann::json;
  std::string text = report->dump(2, ' ', false, Json::error_handler_t::replace);
  std::printf("%s\n", text.c_str());
  return 0;
}
