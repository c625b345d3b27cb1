// The switch as a process: its socket, its clock, its end.
#include "runtime/acisd/CaptureFile.h"
#include "runtime/acisd/Commands.h"
#include "runtime/acisd/ControlSocket.h"
#include "runtime/acisd/Options.h"
#include "runtime/acisd/Ports.h"
#include "runtime/switch/Collectives.h"
#include "runtime/tools/acis-run/Files.h"
#include "runtime/wire/Spinner.h"

#include <csignal>
#include <fstream>
#include <iostream>
#include <sched.h>

using namespace acis;
using namespace acis::wire;

namespace {

volatile std::sig_atomic_t stopping = 0;

int fail(const Error &error) {
  std::cerr << "acisd: error: " << error.str() << "\n";
  return 1;
}

void run(acisd::Ports &ports, sw::Switch &device, acisd::Commands &commands,
         std::vector<acisd::ControlSocket> &controls, Time spin) {
  auto execute = [&](const nlohmann::json &command, std::vector<uint8_t> content) {
    return commands.execute(command, std::move(content));
  };
  std::vector<int> others;
  Time next = 0;
  Spinner spinner(spin);
  while (!stopping) {
    const size_t got = ports.receive(device);
    if (got > 0)
      ports.flush();
    const Time now = systemTime();
    // A batch may have started something that has a time: ask, but not for each packet.
    if (now >= next || got == 0) {
      for (acisd::ControlSocket &control : controls)
        control.serve(now, execute);
      next = std::min({device.tick(now), ports.tick(now), now + 100 * Millisecond});
    }
    ports.flush();
    if (got > 0) {
      spinner.begin(now);
      continue;
    }
    if (spinner.polls(now)) {
      sched_yield();
      spinner.yielded(now, systemTime());
    } else if (next > now) {
      others.clear();
      for (const acisd::ControlSocket &control : controls)
        control.descriptors(others);
      ports.sleep(next - now, others);
    }
  }
}

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
    std::cout << "acisd: control at " << controls.back().localAddress().str() << std::endl;
  }
  return {};
}

/// What --handler names.
Status loadHandler(const acisd::Options &options, acisd::Commands &commands) {
  if (options.handler.empty())
    return {};
  auto elf = tools::readFile(options.handler);
  if (!elf)
    return elf.error();
  sw::HandlerLoad what;
  what.elf = std::move(*elf);
  what.handler = options.handlerName;
  what.exact = options.exact;
  if (!options.memory.empty()) {
    auto memory = tools::readFile(options.memory);
    if (!memory)
      return memory.error();
    what.memory = std::move(*memory);
    what.memoryBytes = std::max<uint64_t>(what.memoryBytes, what.memory.size());
  }
  Result<Address> at = commands.load(options.handlerListen, std::move(what));
  if (!at)
    return Error{options.handler, at.error().str()};
  std::cout << "acisd: handler at " << at->str() << std::endl;
  return {};
}

Status writeStatistics(const std::string &path, const sw::Switch &device) {
  std::ofstream file;
  if (path != "-") {
    file.open(path);
    if (!file)
      return Error{path, "cannot be written"};
  }
  std::ostream &out = path == "-" ? std::cout : file;
  for (const auto &[name, value] : device.statistics())
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
      return fail(read.error());
    overlay = std::move(*read);
  }
  Result<UdpSocket> socket = UdpSocket::bind(options.listen, 16 << 20);
  if (!socket)
    return fail(socket.error());
  std::signal(SIGINT, [](int) { stopping = 1; });
  std::signal(SIGTERM, [](int) { stopping = 1; });
  std::signal(SIGPIPE, SIG_IGN); // a client that has gone away is an error of its connection

  acisd::Ports ports(std::move(*socket), options.faults, options.segments);
  sw::Switch device(options.config, ports);
  sw::Collectives::Limits limits;
  limits.contexts = options.config.maxContexts;
  limits.slots = options.config.slots;
  limits.messageBytes = options.config.messageBytes;
  limits.packetBytes = options.config.packetBytes;
  device.add(
      std::make_unique<sw::Collectives>(device.services(), limits, overlay ? &*overlay : nullptr));
  sw::Handlers *handlers = nullptr;
  if (overlay) {
    auto plugin = std::make_unique<sw::Handlers>(device.services(), *overlay);
    handlers = plugin.get();
    device.add(std::move(plugin));
  }
  acisd::Commands commands(device, handlers, ports);
  if (!options.capture.empty()) {
    auto made = acisd::CaptureFile::create(options.capture, options.captureBytes,
                                           [&](unsigned port) { return ports.addressOf(port); });
    if (!made)
      return fail(made.error());
    device.watch(made->get());
    device.add(std::move(*made));
  }
  std::vector<acisd::ControlSocket> controls;
  if (Status listening = openControls(options, controls); !listening)
    return fail(listening.error());
  commands.watch(controls);
  if (Status loaded = loadHandler(options, commands); !loaded)
    return fail(loaded.error());
  std::cout << "acisd: listening on " << ports.addressOf(0).str() << std::endl;
  run(ports, device, commands, controls, options.spin);
  if (!options.statistics.empty())
    if (Status status = writeStatistics(options.statistics, device); !status)
      return fail(status.error());
  return 0;
}
