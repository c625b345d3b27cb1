#include "runtime/acisd/Ports.h"

#include <poll.h>

namespace acis::acisd {

using namespace wire;

static constexpr size_t BufferBytes = 16 << 20;

Ports::Ports(UdpSocket main, const FaultRates &rates, bool segments)
    : segments(segments),
      faults(rates, [this](const Address &to, std::span<const uint8_t> datagram) {
        sockets.at(0).send(to, datagram);
      }) {
  if (segments)
    main.segment();
  sockets.emplace(0, std::move(main));
}

Result<unsigned> Ports::open(const Address &address) {
  Result<UdpSocket> socket = UdpSocket::bind(address, BufferBytes);
  if (!socket)
    return socket.error();
  if (segments)
    socket->segment();
  sockets.emplace(++last, std::move(*socket));
  return last;
}

void Ports::close(unsigned port) { sockets.erase(port); }

std::optional<unsigned> Ports::find(const Address &address) const {
  for (const auto &[port, socket] : sockets)
    if (port != 0 && socket.localAddress() == address)
      return port;
  return std::nullopt;
}

size_t Ports::receive(sw::Switch &device) {
  size_t all = 0;
  for (auto &[port, socket] : sockets)
    all += socket.receive([&](std::span<const UdpSocket::Arrived> arrived) {
      batch.clear();
      for (const UdpSocket::Arrived &datagram : arrived)
        batch.push_back({port, datagram.from, datagram.bytes});
      device.receive(batch, systemTime());
    });
  return all;
}

void Ports::send(unsigned port, const Address &to, std::span<const uint8_t> datagram) {
  if (port == 0)
    return faults.pass(to, datagram, systemTime());
  if (auto found = sockets.find(port); found != sockets.end())
    found->second.send(to, datagram);
}

void Ports::flush() {
  for (auto &[port, socket] : sockets)
    socket.flush();
}

void Ports::sleep(Time timeout, std::span<const int> others) const {
  std::vector<pollfd> items;
  for (const auto &[port, socket] : sockets)
    items.push_back({socket.descriptor(), POLLIN, 0});
  for (int other : others)
    items.push_back({other, POLLIN, 0});
  timespec time{long(timeout / Second), long(timeout % Second)};
  ppoll(items.data(), items.size(), timeout == Never ? nullptr : &time, nullptr);
}

} // namespace acis::acisd
