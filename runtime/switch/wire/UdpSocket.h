// A UDP socket without blocking, in batches where the system has them.
#pragma once

#include "backend/support/Result.h"
#include "runtime/switch/wire/Address.h"
#include "runtime/switch/wire/Clock.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

struct mmsghdr;
struct msghdr;

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
  /// Of a group of `count`: from now on the four bytes of a datagram from `at` on say which socket
  /// gets it (partOf); those that are shorter, the first. Of datagrams that the system moves
  /// in one piece the first one's count. A system that cannot do it goes on spreading them.
  void divideGroup(uint32_t at, unsigned count);
  static unsigned partOf(uint32_t word, unsigned count) {
    word ^= word >> 16;
    return ((word ^ word >> 8) & 0xff) % count;
  }
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

  /// Connected: bytes of the longest datagram that the path to the peer takes in one piece, as far
  /// as the system knows. A longer one travels as fragments of IP.
  size_t longestWhole() const;
  /// The same of a path from this machine.
  static size_t longestWholeTo(const Address &peer);

  int descriptor() const { return fd; }
  Address localAddress() const;

  /// Calls for what has arrived, all at once, up to `Batch` datagrams, or as many groups where they
  /// come in groups; returns how many datagrams. The bytes are valid during the call.
  struct Arrived {
    Address from;
    std::span<const uint8_t> bytes; ///< of receiveInto(): a head, if `rest` is not empty
    std::span<const uint8_t> rest = {};
  };
  static constexpr unsigned Batch = 32;
  size_t receive(const std::function<void(std::span<const Arrived>)> &take);
  /// One message of the system, whose datagrams are expected to have a head of `headBytes` and
  /// behind it what belongs into `places`, one after the other: at most MostPlaces. A datagram of
  /// that length that `fits` its place lies there then. Any other one, and those after it, do not;
  /// the places may have been written to, but for those of datagrams that fit.
  static constexpr unsigned MostPlaces = 64;
  size_t receiveInto(size_t headBytes, std::span<const std::span<uint8_t>> places,
                     const std::function<bool(size_t place, std::span<const uint8_t> head)> &fits,
                     const std::function<void(std::span<const Arrived>)> &take);
  /// Whether the last receive() took all that it could, so that there may be more.
  bool mayHaveMore() const { return full; }

  /// Connected: how often the peer's machine has answered that nobody listens there.
  uint64_t refusals() const { return refused; }

  /// Bound: from now on the system keeps what machines answer where nobody listens.
  void keepRefusals();
  /// Bound: calls for each address of which that was answered since the last time; a bounded
  /// number. To be called after each receive().
  void takeRefusals(const std::function<void(const Address &)> &take);

  /// Where a datagram of so many bytes lies that is sent next: what is written here is not copied
  /// again. Valid until the next send() or flush(). Empty: no datagram is so long.
  std::span<uint8_t> room(size_t bytes);
  /// Queues a datagram (copied, unless it lies in room()); sent when a batch is full, when another
  /// one of its length would not go with what is queued in one call, or on flush().
  /// What the system does not take is lost, as on any network.
  void send(const Address &to, std::span<const uint8_t> datagram);
  /// The same of a datagram in two pieces, of which the second is not copied: it has to stay as it
  /// is until it was sent, by flush() at the latest.
  void send(const Address &to, std::span<const uint8_t> head, std::span<const uint8_t> body);
  /// Whether such a piece waits to be sent.
  bool hasBodies() const { return bodies; }
  void flush();

  /// From now on, queued datagrams of one length to one address go to the system as one call's
  /// segments (UDP_SEGMENT); on the wire nothing changes. Where the system or the route does not
  /// take them, datagrams of that length or longer go one by one from then on.
  void segment() { segments = true; }
  /// From now on, datagrams that were sent as segments on this machine arrive in one piece
  /// (UDP_GRO) and are taken apart by receive(). Does nothing on a system without.
  void takeGroups();

  /// Sleeps until something arrives, here or on `other` if there is one, or `timeout` has passed.
  void sleep(Time timeout, const UdpSocket *other = nullptr) const;

private:
  struct Buffers;
  explicit UdpSocket(int fd, bool connected);
  bool changeGroup(int option, const Address &group, const Address &local);
  unsigned gather(unsigned group, unsigned at);
  void queue(const Address &to, std::span<const uint8_t> head, std::span<const uint8_t> body);
  void flushSegments();
  void flushPlain(unsigned at, unsigned end);
  size_t stepOf(const msghdr &header, size_t bytes) const;
  void takeApart(unsigned message);
  bool receiveMessage(msghdr &header, size_t &bytes);
  void noteError();
  int sendMessages(mmsghdr *messages, unsigned count);

  int fd;
  bool connected;
  bool segments = false;
  bool groups = false;             ///< come in groups
  size_t notInSegments = SIZE_MAX; ///< datagrams of this length or more
  bool full = false, bodies = false;
  uint64_t refused = 0;
  bool keeps = false, hasErrors = false; ///< see keepRefusals(); some may be there
  std::unique_ptr<Buffers> buffers;
};

} // namespace acis::wire
