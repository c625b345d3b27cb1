#include "runtime/switch/acisd/Ports.h"

#include <poll.h>

namespace acis::acisd {

using namespace wire;

Ports::Ports(const FaultRates &rates)
    : faults(rates, [this](const Address &to, std::span<const uint8_t> datagram) {
        sockets.at(0).front().send(to, datagram);
      }) {}

void Ports::add(unsigned port, UdpSocket socket) { sockets[port].push_back(std::move(socket)); }

std::vector<UdpSocket> Ports::take(unsigned port) {
  auto found = sockets.extract(port);
  return found ? std::move(found.mapped()) : std::vector<UdpSocket>();
}

size_t Ports::receive(unsigned port, UdpSocket &socket, sw::Switch &device) {
  return socket.receive([&](std::span<const UdpSocket::Arrived> arrived) {
    batch.clear();
    for (const UdpSocket::Arrived &datagram : arrived)
      if (port != 0 || !elsewhere || !elsewhere->takes(datagram.from, datagram.bytes))
        batch.push_back({port, datagram.from, datagram.bytes});
    device.receive(batch, systemTime());
  });
}

size_t Ports::receive(sw::Switch &device) {
  size_t all = 0;
  for (auto &[port, list] : sockets)
    for (UdpSocket &socket : list) {
      all += receive(port, socket, device);
      socket.takeRefusals([&](const Address &to) {
        device.refused(to, systemTime());
        if (elsewhere)
          elsewhere->refused(to);
      });
    }
  return all;
}

void Ports::drain(unsigned port, size_t first, sw::Switch &device) {
  // More than a socket's buffer holds of all but the shortest.
  constexpr unsigned mostBatches = 1024;
  std::vector<UdpSocket> &list = sockets.at(port);
  for (size_t i = first; i < list.size(); ++i)
    for (unsigned n = 0;
         n < mostBatches && receive(port, list[i], device) > 0 && list[i].mayHaveMore(); ++n)
      flush();
  flush();
}

void Ports::send(unsigned port, const Address &to, std::span<const uint8_t> datagram) {
  if (port == 0)
    return faults.pass(to, datagram, systemTime());
  if (auto found = sockets.find(port); found != sockets.end())
    found->second.front().send(to, datagram);
}

void Ports::sendPieces(const Address &to, std::span<const uint8_t> head,
                       std::span<const uint8_t> body) {
  if (faults.any())
    return faults.pass(to, head, body, systemTime());
  sockets.at(0).front().send(to, head, body);
}

std::span<uint8_t> Ports::room(size_t bytes) { return sockets.at(0).front().room(bytes); }

void Ports::flush() {
  for (auto &[port, list] : sockets)
    for (UdpSocket &socket : list)
      socket.flush();
}

void Ports::descriptors(std::vector<int> &all) const {
  for (const auto &[port, list] : sockets)
    for (const UdpSocket &socket : list)
      all.push_back(socket.descriptor());
}

void sleepOn(std::span<const int> descriptors, Time timeout) {
  std::vector<pollfd> items;
  for (const int descriptor : descriptors)
    items.push_back({descriptor, POLLIN, 0});
  timespec time{long(timeout / Second), long(timeout % Second)};
  ppoll(items.data(), items.size(), timeout == Never ? nullptr : &time, nullptr);
}

} // namespace acis::acisd
