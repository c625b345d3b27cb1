// A UDP socket without blocking, in batches where the system has them.
#pragma once

#include "backend/support/Result.h"
#include "runtime/wire/Address.h"
#include "runtime/wire/Clock.h"

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace acis::wire {

class UdpSocket {
public:
  /// For a switch: bound to `local` (port 0: any).
  static Result<UdpSocket> bind(const Address &local, size_t bufferBytes);
  /// `count` of them on one address (SO_REUSEPORT), for as many threads: the system gives all
  /// datagrams of one sender's port to one socket. Fails as bind() does if the address is in use.
  static Result<std::vector<UdpSocket>> bindGroup(const Address &local, size_t bufferBytes,
                                                  unsigned count);
  /// Of a group: from now on all datagrams go to the first socket, in the order in which they
  /// arrive, or to all again. A system that cannot do it goes on spreading them.
  void gatherGroup(bool toFirst);
  /// For a host: gets datagrams from `peer` only.
  static Result<UdpSocket> connect(const Address &peer, size_t bufferBytes);
  /// For a host: gets what is sent to this port of the multicast groups that it joins, and
  /// nothing before.
  static Result<UdpSocket> listenToGroups(uint16_t port, size_t bufferBytes);
  /// On the interface of a local IPv4 address. False: the system does not let it, or there are
  /// too many.
  bool joinGroup(const Address &group, const Address &local);
  void leaveGroup(const Address &group, const Address &local);
  UdpSocket(UdpSocket &&) noexcept;
  UdpSocket &operator=(UdpSocket &&) = delete;
  ~UdpSocket();

  int descriptor() const { return fd; }
  Address localAddress() const;

  /// Calls for up to `Batch` datagrams that have arrived, all at once; returns how many.
  /// The bytes are valid during the call.
  struct Arrived {
    Address from;
    std::span<const uint8_t> bytes;
  };
  static constexpr unsigned Batch = 32;
  size_t receive(const std::function<void(std::span<const Arrived>)> &take);

  /// Where a datagram of so many bytes lies that is sent next: what is written here is not copied
  /// again. Valid until the next send() or flush(). Empty: no datagram is so long.
  std::span<uint8_t> room(size_t bytes);
  /// Queues a datagram (copied, unless it lies in room()); sent when a batch is full or on flush().
  /// What the system does not take is lost, as on any network.
  void send(const Address &to, std::span<const uint8_t> datagram);
  void flush();

  /// From now on, queued datagrams of one length to one address go to the system as one call's
  /// segments (UDP_SEGMENT); on the wire nothing changes. Does nothing on a system without.
  void segment() { segments = true; }

  /// Sleeps until something arrives, here or on `other` if there is one, or `timeout` has passed.
  void sleep(Time timeout, const UdpSocket *other = nullptr) const;

private:
  struct Buffers;
  explicit UdpSocket(int fd, bool connected);
  bool changeGroup(int option, const Address &group, const Address &local);
  unsigned gather(unsigned group, unsigned at);
  void flushSegments();
  void flushPlain(unsigned at, unsigned end);

  int fd;
  bool connected;
  bool segments = false;
  std::unique_ptr<Buffers> buffers;
};

} // namespace acis::wire
