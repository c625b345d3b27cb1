// The switch as a process: its socket, its clock, its end.
#include "runtime/acisd/Options.h"
#include "runtime/switch/Collectives.h"
#include "runtime/wire/UdpSocket.h"

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

struct SocketOutput final : sw::Output {
  SocketOutput(UdpSocket &socket, const FaultRates &rates)
      : faults(rates, [&socket](const Address &to, std::span<const uint8_t> datagram) {
          socket.send(to, datagram);
        }) {}
  void send(unsigned, const Address &to, std::span<const uint8_t> datagram) override {
    faults.pass(to, datagram, systemTime());
  }
  Faults<Address> faults;
};

void run(UdpSocket &socket, SocketOutput &output, sw::Switch &device, Time spin) {
  std::vector<sw::Ingress> batch;
  Time next = 0, spinUntil = 0;
  while (!stopping) {
    const size_t got = socket.receive([&](std::span<const UdpSocket::Arrived> arrived) {
      batch.clear();
      for (const UdpSocket::Arrived &datagram : arrived)
        batch.push_back({0, datagram.from, datagram.bytes});
      device.receive(batch, systemTime());
    });
    if (got > 0)
      socket.flush();
    const Time now = systemTime();
    // A batch may have started something that has a time: ask, but not for each packet.
    if (now >= next || got == 0)
      next = std::min({device.tick(now), output.faults.tick(now), now + 100 * Millisecond});
    socket.flush();
    if (got > 0)
      spinUntil = now + spin;
    else if (now < spinUntil)
      sched_yield();
    else if (next > now)
      socket.sleep(next - now);
  }
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

  SocketOutput output(*socket, options.faults);
  sw::Switch device(options.config, output);
  sw::Collectives::Limits limits;
  limits.contexts = options.config.maxContexts;
  limits.slots = options.config.slots;
  limits.messageBytes = options.config.messageBytes;
  limits.packetBytes = options.config.packetBytes;
  device.add(
      std::make_unique<sw::Collectives>(device.services(), limits, overlay ? &*overlay : nullptr));
  std::cout << "acisd: listening on " << socket->localAddress().str() << std::endl;
  run(*socket, output, device, options.spin);
  if (!options.statistics.empty())
    if (Status status = writeStatistics(options.statistics, device); !status)
      return fail(status.error());
  return 0;
}
