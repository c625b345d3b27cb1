// The sockets that one thread of acisd serves: port 0 speaks the ACiS protocol, others carry
// packets of handlers. Ports are numbered by who adds them, the same in all threads.
#pragma once

#include "runtime/switch/core/Switch.h"
#include "runtime/switch/wire/Faults.h"
#include "runtime/switch/wire/UdpSocket.h"

#include <map>

namespace acis::acisd {

/// Who gets what arrives on port 0 for other threads of the switch.
struct Elsewhere {
  virtual ~Elsewhere() = default;
  /// Whether the datagram is another thread's, which has it then.
  virtual bool takes(const wire::Address &from, std::span<const uint8_t> datagram) = 0;
  /// A machine says that nobody listens there: for all threads.
  virtual void refused(const wire::Address &to) = 0;
};

class Ports final : public sw::Output {
public:
  /// `rates`: of faults on what port 0 sends.
  explicit Ports(const wire::FaultRates &rates = {});

  /// A port can have several sockets, all of one address.
  void add(unsigned port, wire::UdpSocket socket);
  /// Removes a port and gives its sockets, in the order in which they were added.
  std::vector<wire::UdpSocket> take(unsigned port);

  /// `others` outlives this; without it all that arrives is this thread's.
  void share(Elsewhere &others) { elsewhere = &others; }

  /// Hands what has arrived on each socket to the switch; returns how much it was.
  size_t receive(sw::Switch &device);
  /// Of a port's sockets from number `first` on: handles all that is in them now, and answers it.
  void drain(unsigned port, size_t first, sw::Switch &device);
  void send(unsigned port, const wire::Address &to, std::span<const uint8_t> datagram) override;
  std::span<uint8_t> room(size_t bytes) override;
  bool takesPieces() const override { return true; }
  void sendPieces(const wire::Address &to, std::span<const uint8_t> head,
                  std::span<const uint8_t> body) override;
  void sendStaying() override { sockets.at(0).front().flush(); }
  uint32_t packetBytes(const wire::Address &to) override {
    return wire::payloadOf(wire::UdpSocket::longestWholeTo(to));
  }
  void flush();
  /// When the faults that are made on purpose want to send something.
  wire::Time tick(wire::Time now) { return faults.tick(now); }
  /// Adds what to wait on.
  void descriptors(std::vector<int> &all) const;

private:
  size_t receive(unsigned port, wire::UdpSocket &socket, sw::Switch &device);

  std::map<unsigned, std::vector<wire::UdpSocket>> sockets;
  wire::Faults<wire::Address> faults; ///< of port 0
  Elsewhere *elsewhere = nullptr;
  std::vector<sw::Ingress> batch;
};

/// Until one of them can be read, or the time has passed.
void sleepOn(std::span<const int> descriptors, wire::Time timeout);

} // namespace acis::acisd
