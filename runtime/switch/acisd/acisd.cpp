// The switch as a process: its socket, its clock, its end.
#include "runtime/io/Files.h"
#include "runtime/switch/acisd/CaptureFile.h"
#include "runtime/switch/acisd/Commands.h"
#include "runtime/switch/acisd/ControlSocket.h"
#include "runtime/switch/acisd/Forwarding.h"
#include "runtime/switch/acisd/JobService.h"
#include "runtime/switch/acisd/Loop.h"
#include "runtime/switch/acisd/MetricsPort.h"
#include "runtime/switch/acisd/Node.h"
#include "runtime/switch/acisd/Options.h"

#include <csignal>
#include <fstream>
#include <iostream>
#include <unistd.h>

using namespace acis;
using namespace acis::wire;

namespace {

volatile std::sig_atomic_t stopping = 0;

/// A line on standard error: in a log of objects one of them, so that all of it can be read.
int fail(const acisd::Options &options, const Error &error) {
  if (options.logFormat != acisd::LogFormat::Json) {
    std::cerr << options.program << ": error: " << error.str() << "\n";
    return 1;
  }
  acisd::LogLine line;
  line.level = acisd::LogLevel::Error;
  line.event = "failed";
  line.message = error.str();
  acisd::Log(options.logFormat, STDERR_FILENO).write(line);
  return 1;
}

/// A line on standard output, at once.
void say(const acisd::Options &options, const std::string &what) {
  std::cout << options.program << ": " << what << std::endl;
}

/// That the process has begun, or ends.
void mark(acisd::Log &log, std::string_view event, const Address &at, std::string message) {
  acisd::LogLine line;
  line.event = event;
  line.address = at.str();
  line.message = std::move(message);
  log.write(line);
}

/// The main thread: jobs, or its part of them, control, and handlers if there are no workers for
/// them.
struct MainWork {
  acisd::JobService &jobs;
  acisd::HandlerService *handlers;
  acisd::Commands &commands;
  std::vector<acisd::ControlSocket> &controls;
  std::optional<acisd::MetricsPort> &metrics;
  acisd::Node *node;
  acisd::Forwarding *forwarding;
  std::vector<int> waitedFor = {};

  bool stops() const { return stopping; }
  size_t receive() {
    size_t got = jobs.receive();
    if (node && node->hasEnded()) {
      jobs.tick(systemTime());
      ++got;
    }
    if (forwarding)
      got += forwarding->receive();
    return got + (handlers ? handlers->receive() : 0);
  }
  Time tick(Time now) {
    for (acisd::ControlSocket &control : controls)
      control.serve(now, [&](const nlohmann::json &command, std::vector<uint8_t> content) {
        return commands.execute(command, std::move(content));
      });
    if (metrics)
      metrics->serve(now, [&] { return commands.metrics(); });
    const Time next = jobs.tick(now);
    return handlers ? std::min(next, handlers->tick(now)) : next;
  }
  void sleep(Time most) {
    waitedFor.clear();
    jobs.descriptors(waitedFor);
    if (handlers)
      handlers->descriptors(waitedFor);
    if (node)
      node->descriptors(waitedFor);
    if (forwarding)
      forwarding->descriptors(waitedFor);
    for (const acisd::ControlSocket &control : controls)
      control.descriptors(waitedFor);
    if (metrics)
      metrics->descriptors(waitedFor);
    acisd::sleepOn(waitedFor, most);
  }
};

Status openControls(const acisd::Options &options, std::vector<acisd::ControlSocket> &controls) {
  if (!options.control.empty()) {
    auto made = acisd::ControlSocket::listen(options.control);
    if (!made)
      return made.error();
    controls.push_back(std::move(*made));
  }
  if (options.controlTls) {
    auto made = acisd::ControlSocket::listenTls(*options.controlTls, options.tlsFiles);
    if (!made)
      return made.error();
    controls.push_back(std::move(*made));
    say(options, "control at " + controls.back().localAddress().str());
  }
  return {};
}

/// The file and what watches the main thread, both the switch's; null: nothing is captured.
struct Capture {
  acisd::CaptureFile *file = nullptr;
  acisd::CaptureTap *tap = nullptr;
};

/// What --capture names.
Result<Capture> openCapture(const acisd::Options &options, sw::Switch &device,
                            const Address &listening) {
  if (options.capture.empty())
    return Capture();
  auto made = acisd::CaptureFile::create(options.capture, options.captureBytes);
  if (!made)
    return made.error();
  auto tap = std::make_unique<acisd::CaptureTap>(**made);
  const Capture capture{made->get(), tap.get()};
  capture.file->name(0, listening);
  device.watch(capture.tap);
  device.add(std::move(*made)); // before the tap, which it outlives
  device.add(std::move(tap));
  return capture;
}

/// What --handler names.
Status loadHandler(const acisd::Options &options, acisd::Commands &commands, acisd::Log &log) {
  if (options.handler.empty())
    return {};
  auto elf = io::readFile(options.handler);
  if (!elf)
    return elf.error();
  sw::HandlerLoad what;
  what.elf = std::move(*elf);
  what.handler = options.handlerName;
  what.exact = options.exact;
  if (!options.memory.empty()) {
    auto memory = io::readFile(options.memory);
    if (!memory)
      return memory.error();
    what.memory = std::move(*memory);
    what.memoryBytes = std::max<uint64_t>(what.memoryBytes, what.memory.size());
  }
  Result<Address> at =
      commands.load(options.handlerListen, std::move(what),
                    options.stateEach ? acisd::StateUse::Each : acisd::StateUse::One);
  if (!at)
    return Error{options.handler, at.error().str()};
  say(options, "handler at " + at->str());
  mark(log, "handler-loaded", *at, options.handler);
  return {};
}

/// What --forward, --station and --rule name; null: nothing is forwarded.
Result<std::unique_ptr<acisd::Forwarding>> openForwarding(const acisd::Options &options,
                                                          const Overlay *overlay) {
  if (options.forward.empty())
    return std::unique_ptr<acisd::Forwarding>();
  auto made = acisd::Forwarding::open(options.forward, options.stations, overlay);
  if (!made)
    return made.error();
  for (const acisd::Options::Rule &rule : options.rules) {
    auto elf = io::readFile(rule.binary);
    if (!elf)
      return elf.error();
    sw::HandlerLoad what;
    what.elf = std::move(*elf);
    what.handler = rule.handler;
    what.exact = options.exact;
    if (Status set = (*made)->setRule(rule.match, std::move(what)); !set)
      return Error{rule.binary, set.error().str()};
  }
  return made;
}

/// Of a node's datagrams to the switch that it folds in.
FaultOptions foldFaults(const FaultRates &rates) {
  return {rates.loss,    rates.duplicate, rates.reorder,
          rates.corrupt, rates.delay,     Nanoseconds(rates.delayTime),
          rates.seed};
}

Status writeStatistics(const std::string &path, const sw::Statistics &statistics) {
  std::ofstream file;
  if (path != "-") {
    file.open(path);
    if (!file)
      return Error{path, "cannot be written"};
  }
  std::ostream &out = path == "-" ? std::cout : file;
  for (const auto &[name, value] : statistics)
    out << name << " " << value << "\n";
  return Status::ok();
}

} // namespace

int main(int argc, char **argv) {
  acisd::Options options;
  if (std::optional<int> code = acisd::parseOptions(argc, argv, options))
    return *code;
  std::optional<Overlay> overlay;
  if (!options.overlay.empty()) {
    Result<Overlay> read = Overlay::load(options.overlay);
    if (!read)
      return fail(options, read.error());
    overlay = std::move(*read);
  }
  Result<std::vector<UdpSocket>> sockets =
      UdpSocket::bindGroup(options.listen, 16 << 20, options.jobWorkers);
  if (!sockets)
    return fail(options, sockets.error());
  std::signal(SIGINT, [](int) { stopping = 1; });
  std::signal(SIGTERM, [](int) { stopping = 1; });
  std::signal(SIGPIPE, SIG_IGN); // a client that has gone away is an error of its connection

  const Address listening = sockets->front().localAddress();
  if (options.castsOnLoopback)
    options.config.casts = acisd::loopbackCasts(listening);
  std::unique_ptr<acisd::Node> node;
  if (options.isNode) {
    auto made =
        acisd::Node::make({options.region,
                           options.regionFile,
                           options.launchers,
                           options.exact,
                           options.config.packetBytes,
                           randomBits(),
                           {options.foldAt, options.config.master,
                            Nanoseconds(options.config.deadAfter), foldFaults(options.faults)}},
                          overlay ? &*overlay : nullptr);
    if (!made)
      return fail(options, made.error());
    node = std::move(*made);
    say(options, "a region of " + std::to_string(node->capacity()) + " bytes with " +
                     std::to_string(node->count()) + " blocks");
  }
  options.config.probes = true;
  auto rates = std::make_shared<sw::SourceRates>(options.config.packetsPerSecond);
  acisd::Log log(options.logFormat, STDERR_FILENO);
  acisd::JobService jobs(std::move(*sockets),
                         {options.config, options.spin, options.faults,
                          sw::EngineChoice{overlay ? &*overlay : nullptr, options.exact}, rates,
                          &log});
  sw::Switch &device = jobs.first();
  if (node)
    device.add(node->plugin(device.services()));
  Result<Capture> capture = openCapture(options, device, listening);
  if (!capture)
    return fail(options, capture.error());
  if (capture->file)
    jobs.capture(*capture->file);
  std::optional<acisd::HandlerService> handlers; // ends before what it shares
  if (overlay)
    handlers.emplace(*overlay, acisd::HandlerService::Config{options.config, options.workers,
                                                             options.segments, options.spin,
                                                             capture->file, capture->tap, rates});
  acisd::Commands commands(jobs, handlers ? &*handlers : nullptr);
  commands.tell(log);
  auto forwarding = openForwarding(options, overlay ? &*overlay : nullptr);
  if (!forwarding)
    return fail(options, forwarding.error());
  commands.forward(forwarding->get());
  std::vector<acisd::ControlSocket> controls;
  if (Status opened = openControls(options, controls); !opened)
    return fail(options, opened.error());
  commands.watch(controls);
  std::optional<acisd::MetricsPort> metrics;
  if (options.metrics) {
    auto made = acisd::MetricsPort::listen(*options.metrics);
    if (!made)
      return fail(options, made.error());
    metrics.emplace(std::move(*made));
    say(options, "metrics at http://" + metrics->localAddress().str() + "/metrics");
  }
  if (Status loaded = loadHandler(options, commands, log); !loaded)
    return fail(options, loaded.error());
  say(options, "listening on " + listening.str());
  mark(log, "listening", listening, options.program + " " ACIS_VERSION);
  MainWork work{jobs,
                handlers ? &*handlers : nullptr,
                commands,
                controls,
                metrics,
                node.get(),
                forwarding->get()};
  jobs.start();
  acisd::serve(work, options.spin);
  mark(log, "ending", listening, "asked to by a signal");
  if (node)
    if (Status saved = node->stop(); !saved)
      return fail(options, saved.error());
  if (!options.statistics.empty())
    if (Status status = writeStatistics(options.statistics, commands.statistics()); !status)
      return fail(options, status.error());
  return 0;
}
