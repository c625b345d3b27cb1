// Loads a binary into an overlay and streams packets through it.
#include "runtime/engine/device/Device.h"
#include "runtime/engine/loader/Image.h"
#include "runtime/engine/model/Model.h"
#include "runtime/hardware/verilated/Verilated.h"
#include "runtime/io/Files.h"
#include "runtime/io/Packets.h"
#include "runtime/tools/Program.h"
#include "runtime/tools/acis-run/Options.h"
#include "runtime/tools/acis-run/Replay.h"
#include "runtime/tools/acis-run/Report.h"
#include "runtime/tools/acis-run/TraceWriter.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace acis;
using namespace acis::tools;

namespace {

/// Everything that a run needs and gives.
struct Session {
  Options options;
  Overlay overlay;
  std::shared_ptr<const Image> image;
  const Handler *handler = nullptr;
  io::Input input;
  std::unique_ptr<Device> device;
  const SteppedDevice *stepped = nullptr; ///< the device, if it has a clock
  std::vector<std::vector<uint8_t>> output;
  std::vector<uint8_t> capture; ///< a file's bytes, if options ask for it
  double hostSeconds = 0;
};

Status loadProgram(Session &session) {
  Result<Program> program = tools::loadProgram(session.options.config, session.options.program);
  if (!program)
    return program.error();
  session.overlay = std::move(program->overlay);
  session.image = std::move(program->image);
  if (session.options.engine == Engine::Model) {
    ModelOptions options;
    options.trace = !session.options.trace.empty();
    std::unique_ptr<ModelDevice> model = makeModelDevice(session.overlay, options);
    session.stepped = model.get();
    session.device = std::move(model);
  } else if (session.options.engine == Engine::Rtl) {
    const std::string &trace = session.options.trace;
    const bool waveform = trace.ends_with(".fst");
    auto rtl = makeRtlDevice(session.overlay, {.seed = session.options.seed,
                                               .trace = waveform ? trace : "",
                                               .events = !waveform && !trace.empty()});
    if (!rtl)
      return rtl.error();
    session.stepped = waveform ? nullptr : rtl->get();
    session.device = std::move(*rtl);
  } else {
    session.device = makeFastDevice(session.overlay);
  }
  if (Status status = session.device->load(session.image, session.options.handler); !status)
    return Error{session.options.program, status.error().str()};
  session.handler = *session.image->handler(session.options.handler); // load() saw to it
  return Status::ok();
}

/// Off-chip memory for a run: its size, and its first bytes.
struct MemoryContent {
  uint64_t bytes = 0;
  std::vector<uint8_t> first;
};

/// As large as the handler and every image need, with the images one after the other.
Result<MemoryContent> memoryContent(const Session &session) {
  MemoryContent memory;
  memory.bytes = std::max<uint64_t>(session.options.memoryBytes, session.handler->memoryBytes);
  for (const MemoryImage &image : session.options.memory) {
    Result<std::vector<uint8_t>> data = io::readData(image.path);
    if (!data)
      return data.error();
    uint64_t end = image.offset + data->size();
    if (end < image.offset || end > session.overlay.memBytes)
      return Error{image.path, "found " + std::to_string(data->size()) + " bytes for offset " +
                                   std::to_string(image.offset) + ", the overlay has " +
                                   std::to_string(session.overlay.memBytes) + " bytes of memory"};
    memory.bytes = std::max(memory.bytes, end);
    memory.first.resize(std::max<uint64_t>(memory.first.size(), end));
    std::ranges::copy(*data, memory.first.begin() + static_cast<ptrdiff_t>(image.offset));
  }
  return memory;
}

Status fillMemory(Session &session) {
  Result<MemoryContent> memory = memoryContent(session);
  if (!memory)
    return memory.error();
  if (memory->bytes == 0)
    return Status::ok();
  if (Status status = session.device->resizeMemory(memory->bytes); !status)
    return status;
  std::ranges::copy(memory->first, session.device->memory().begin());
  return Status::ok();
}

Error trapError(const Session &session, const Error &error) {
  const Trap *trap = session.device->trap();
  if (!trap)
    return {session.options.program, error.str()};
  char pc[16];
  std::snprintf(pc, sizeof(pc), "0x%x", trap->pc);
  std::string place = trap->line.empty() ? session.options.program : trap->line;
  return {place, "trap at pc " + std::string(pc) + ": " + trap->what};
}

Status stream(Session &session) {
  Device &device = *session.device;
  if (session.options.deadline)
    device.setDeadline(session.options.deadline);
  for (const std::vector<uint8_t> &packet : session.input.packets)
    device.push(packet);
  auto start = std::chrono::steady_clock::now();
  Status status = device.run();
  std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  session.hostSeconds = passed.count();
  // A trace of a run that trapped is what one wants to see.
  if (session.stepped && !session.options.trace.empty()) {
    std::string trace = chromeTrace(*session.stepped);
    std::span bytes(reinterpret_cast<const uint8_t *>(trace.data()), trace.size());
    if (Status written = io::writeFile(session.options.trace, bytes); !written)
      return written;
  }
  if (!status)
    return trapError(session, status.error());
  for (std::vector<uint8_t> packet; device.pop(packet);)
    session.output.push_back(std::move(packet));
  return Status::ok();
}

/// Packets one by one, with a capture of what became of them.
Status replayPackets(Session &session) {
  Result<MemoryContent> memory = memoryContent(session);
  if (!memory)
    return memory.error();
  Result<std::vector<uint8_t>> elf = io::readFile(session.options.program);
  if (!elf)
    return elf.error();
  sw::HandlerLoad what;
  what.elf = std::move(*elf);
  what.handler = session.options.handler;
  what.exact = session.options.engine == Engine::Model;
  what.memoryBytes = memory->bytes;
  what.memory = std::move(memory->first);
  Result<Replayed> replayed = replay(session.overlay, std::move(what), session.input);
  if (!replayed)
    return Error{session.options.program, replayed.error().str()};
  session.output = std::move(replayed->answers);
  session.capture = std::move(replayed->capture);
  return Status::ok();
}

/// Type of an .npy output: what was asked for, else the input's if it has the size of
/// the handler's output elements, else unsigned of that size.
std::string outputType(const Session &session) {
  const Options &options = session.options;
  if (!options.outType.empty())
    return options.outType;
  uint32_t bytes = session.handler->outBytes ? session.handler->outBytes : 1;
  const std::string &descr = session.input.descr;
  if (!descr.empty() && static_cast<uint32_t>(descr.back() - '0') == bytes)
    return descr;
  return (bytes == 1 ? "|u" : "<u") + std::to_string(bytes);
}

Status writeOutputs(Session &session) {
  const Options &options = session.options;
  std::vector<std::pair<std::string, std::vector<uint8_t>>> files;
  if (!options.output.empty()) {
    Result<std::vector<uint8_t>> bytes = io::formatPackets(
        io::formatOf(options.output), session.output, session.input.flows, outputType(session));
    if (!bytes)
      return Error{options.output, bytes.error().what};
    files.emplace_back(options.output, std::move(*bytes));
  }
  if (!options.capture.empty())
    files.emplace_back(options.capture, std::move(session.capture));
  if (!options.memoryOutput.empty()) {
    std::span<const uint8_t> memory = session.device->memory();
    std::vector<std::vector<uint8_t>> whole(1);
    whole[0].assign(memory.begin(), memory.end());
    io::Format format =
        io::formatOf(options.memoryOutput) == io::Format::Npy ? io::Format::Npy : io::Format::Raw;
    Result<std::vector<uint8_t>> bytes = io::formatPackets(format, whole, {}, "|u1");
    if (!bytes)
      return Error{options.memoryOutput, bytes.error().what};
    files.emplace_back(options.memoryOutput, std::move(*bytes));
  }
  // All are complete before the first one gets its name.
  std::vector<io::OutputFile> open;
  for (const auto &[path, bytes] : files) {
    Result<io::OutputFile> file = io::OutputFile::create(path);
    if (!file)
      return file.error();
    if (Status status = file->write(bytes); !status)
      return status;
    open.push_back(std::move(*file));
  }
  for (io::OutputFile &file : open)
    if (Status status = file.commit(); !status)
      return status;
  return Status::ok();
}

void printStats(const Session &session) {
  if (session.options.stats == StatsFormat::None)
    return;
  RunReport report{nameOf(session.options.engine), session.handler->name, &session.overlay,
                   session.device->counters(), session.hostSeconds};
  std::string text =
      session.options.stats == StatsFormat::Json ? jsonReport(report) : textReport(report);
  std::fputs(text.c_str(), stdout);
}

Status runSession(Session &session) {
  if (Status status = loadProgram(session); !status)
    return status;
  Result<io::Input> input = io::readPackets(session.options.input, session.options.packetBytes);
  if (!input)
    return input.error();
  session.input = std::move(*input);
  if (!session.options.capture.empty()) {
    if (Status status = replayPackets(session); !status)
      return status;
    return writeOutputs(session);
  }
  if (Status status = fillMemory(session); !status)
    return status;
  if (Status status = stream(session); !status)
    return status;
  if (Status status = writeOutputs(session); !status)
    return status;
  printStats(session);
  return Status::ok();
}

} // namespace

int main(int argc, char **argv) {
  Session session;
  if (std::optional<int> code = parseOptions(argc, argv, session.options))
    return *code;
  if (Status status = runSession(session); !status) {
    std::fprintf(stderr, "acis-run: error: %s\n", status.error().str().c_str());
    return 1;
  }
  return 0;
}
