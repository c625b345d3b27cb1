// The sockets of acisd: port 0 speaks the ACiS protocol, others carry packets of handlers.
#pragma once

#include "runtime/switch/Switch.h"
#include "runtime/wire/Faults.h"
#include "runtime/wire/UdpSocket.h"

#include <map>

namespace acis::acisd {

class Ports final : public sw::Output {
public:
  Ports(wire::UdpSocket main, const wire::FaultRates &rates, bool segments);

  /// Listens on one more address; gives the number of the port.
  Result<unsigned> open(const wire::Address &address);
  void close(unsigned port);
  /// Of an open port; nothing if there is none.
  std::optional<unsigned> find(const wire::Address &address) const;
  wire::Address addressOf(unsigned port) const { return sockets.at(port).localAddress(); }

  /// Hands what has arrived on each port to the switch; returns how much it was.
  size_t receive(sw::Switch &device);
  void send(unsigned port, const wire::Address &to, std::span<const uint8_t> datagram) override;
  void flush();
  /// When the faults that are made on purpose want to send something.
  wire::Time tick(wire::Time now) { return faults.tick(now); }
  /// Until something arrives on a port or on `other` (a descriptor, or -1).
  void sleep(wire::Time timeout, std::span<const int> others) const;

private:
  std::map<unsigned, wire::UdpSocket> sockets;
  unsigned last = 0;
  bool segments;
  wire::Faults<wire::Address> faults; ///< of port 0
  std::vector<sw::Ingress> batch;
};

} // namespace acis::acisd
