#include "runtime/switch/wire/UdpSocket.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/errqueue.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace acis::wire {

namespace {
constexpr size_t datagramBytes = 65'536;
/// From one incoming datagram's buffer to the next: an odd number of cache lines more than a
/// power of two, or the first lines of all would compete for one set of the caches.
constexpr size_t strideBytes = datagramBytes + size_t(17) * 64;
/// What the system takes of segments in one call.
constexpr unsigned mostSegments = 64;
constexpr size_t mostSegmentBytes = 65'507;
} // namespace

struct UdpSocket::Buffers {
  struct Side {
    std::vector<uint8_t> bytes = std::vector<uint8_t>(Batch * strideBytes);
    mmsghdr messages[Batch] = {};
    iovec vectors[Batch][2] = {}; ///< going out, of two pieces
    sockaddr_storage addresses[Batch] = {};
    Side() {
      for (unsigned i = 0; i < Batch; ++i) {
        vectors[i][0] = {bytes.data() + i * strideBytes, datagramBytes};
        messages[i].msg_hdr.msg_iov = vectors[i];
        messages[i].msg_hdr.msg_iovlen = 1;
        messages[i].msg_hdr.msg_name = &addresses[i];
      }
    }
    size_t length(unsigned message) const {
      return vectors[message][0].iov_len + vectors[message][1].iov_len;
    }
  };
  /// A control message that gives the length of segments.
  union SegmentControl {
    cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(uint16_t))];
  };
  Side in, out; ///< datagrams out lie one after the other, from the first byte on
  unsigned queued = 0;
  size_t filled = 0, waiting = 0; ///< bytes of the queued ones: that were copied; all
  Address to[Batch];              ///< of the queued ones
  // Groups that go out as segments; firsts has the end of the last one, too.
  mmsghdr groups[Batch] = {};
  iovec groupVectors[2 * Batch] = {};
  unsigned groupPieces = 0; ///< used of them
  /// To the pieces of a group from `first` on; what lies behind the last one becomes part of it.
  void add(const iovec *first, const iovec &piece) {
    iovec *const next = &groupVectors[groupPieces];
    if (next != first && static_cast<uint8_t *>(next[-1].iov_base) + next[-1].iov_len ==
                             static_cast<uint8_t *>(piece.iov_base)) {
      next[-1].iov_len += piece.iov_len;
      return;
    }
    *next = piece;
    ++groupPieces;
  }
  SegmentControl controls[Batch] = {};
  unsigned firsts[Batch + 1] = {};
  /// Control messages of what comes in: the length of the datagrams of a group.
  union GroupControl {
    cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  };
  GroupControl lengths[Batch] = {};
  std::vector<uint8_t> heads; ///< of receiveInto()
  std::vector<iovec> pieces;  ///< the same
  std::vector<Arrived> arrived;
};

UdpSocket::UdpSocket(int fd, bool connected)
    : fd(fd), connected(connected), buffers(std::make_unique<Buffers>()) {}

UdpSocket::UdpSocket(UdpSocket &&other) noexcept
    : fd(std::exchange(other.fd, -1)), connected(other.connected), segments(other.segments),
      groups(other.groups), notInSegments(other.notInSegments), full(other.full),
      bodies(other.bodies), refused(other.refused), keeps(other.keeps), hasErrors(other.hasErrors),
      buffers(std::move(other.buffers)) {}

UdpSocket::~UdpSocket() {
  if (fd >= 0)
    close(fd);
}

namespace {

/// Lets sockets of this user with the same option bind the same address.
bool share(int fd) {
  const int on = 1;
  return setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0;
}

enum class Use : uint8_t { Bind, BindShared, Connect, Groups };

/// Many on one machine receive what is sent to a group. On a system that cannot refuse what others
/// have joined, it is the reader's work.
bool shareGroups(int fd) {
  const int on = 1, off = 0;
  (void)setsockopt(fd, IPPROTO_IP, IP_MULTICAST_ALL, &off, sizeof off);
  return setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0;
}

/// What is sent to a group leaves by the interface of the address that is bound.
void sendGroupsFrom(int fd, const sockaddr_storage &local) {
  if (local.ss_family != AF_INET)
    return;
  ip_mreqn interface{};
  interface.imr_address = reinterpret_cast<const sockaddr_in &>(local).sin_addr;
  (void)setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &interface, sizeof interface);
}

Result<int> makeSocket(const Address &address, size_t bufferBytes, Use use) {
  sockaddr_storage system;
  const unsigned length = toSystem(address, system);
  const int fd = socket(system.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return Error{address.str(), std::string("no socket: ") + std::strerror(errno)};
  const int size = int(bufferBytes);
  for (auto [force, plain] :
       {std::pair(SO_RCVBUFFORCE, SO_RCVBUF), std::pair(SO_SNDBUFFORCE, SO_SNDBUF)})
    if (setsockopt(fd, SOL_SOCKET, force, &size, sizeof size) != 0)
      setsockopt(fd, SOL_SOCKET, plain, &size, sizeof size);
  const auto *to = reinterpret_cast<const sockaddr *>(&system);
  const bool toBind = use != Use::Connect;
  if (use == Use::Bind)
    sendGroupsFrom(fd, system);
  if ((use == Use::BindShared && !share(fd)) || (use == Use::Groups && !shareGroups(fd)) ||
      (toBind ? ::bind(fd, to, length) : ::connect(fd, to, length)) != 0) {
    Error error{address.str(),
                std::string(toBind ? "cannot listen: " : "cannot reach: ") + std::strerror(errno)};
    close(fd);
    return error;
  }
  return fd;
}

} // namespace

Result<UdpSocket> UdpSocket::bind(const Address &local, size_t bufferBytes) {
  Result<int> fd = makeSocket(local, bufferBytes, Use::Bind);
  if (!fd)
    return fd.error();
  return UdpSocket(*fd, false);
}

Result<std::vector<UdpSocket>> UdpSocket::bindGroup(const Address &local, size_t bufferBytes,
                                                    unsigned count) {
  // The first one binds as if it were alone, so that an address in use is found out, even if
  // those who use it would share it.
  Result<UdpSocket> first = bind(local, bufferBytes);
  if (!first)
    return first.error();
  std::vector<UdpSocket> group;
  group.push_back(std::move(*first));
  const Address address = group.front().localAddress();
  if (count > 1 && !share(group.front().fd))
    return Error{local.str(), std::string("cannot be shared by threads: ") + std::strerror(errno)};
  while (group.size() < count) {
    Result<int> fd = makeSocket(address, bufferBytes, Use::BindShared);
    if (!fd)
      return fd.error();
    group.push_back(UdpSocket(*fd, false));
  }
  return group;
}

void UdpSocket::gatherGroup(bool toFirst) {
  sock_filter first = BPF_STMT(BPF_RET | BPF_K, 0); // the number of the socket in the group
  const sock_fprog program{1, &first};
  const int none = 0;
  if (toFirst)
    (void)setsockopt(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &program, sizeof program);
  else
    (void)setsockopt(fd, SOL_SOCKET, SO_DETACH_REUSEPORT_BPF, &none, sizeof none);
}

/// partOf() as the system's program, which does not care in which order the bytes are.
void UdpSocket::divideGroup(uint32_t at, unsigned count) {
  sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at), // of a shorter datagram the program ends here, with 0
      BPF_STMT(BPF_MISC | BPF_TAX, 0),
      BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, 16),
      BPF_STMT(BPF_ALU | BPF_XOR | BPF_X, 0),
      BPF_STMT(BPF_MISC | BPF_TAX, 0),
      BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, 8),
      BPF_STMT(BPF_ALU | BPF_XOR | BPF_X, 0),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xff),
      BPF_STMT(BPF_ALU | BPF_MOD | BPF_K, count),
      BPF_STMT(BPF_RET | BPF_A, 0)};
  const sock_fprog program{std::size(steps), steps};
  (void)setsockopt(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &program, sizeof program);
}

Result<UdpSocket> UdpSocket::connect(const Address &peer, size_t bufferBytes) {
  Result<int> fd = makeSocket(peer, bufferBytes, Use::Connect);
  if (!fd)
    return fd.error();
  return UdpSocket(*fd, true);
}

namespace {

size_t longestWholeOf(int fd) {
  constexpr size_t headersV4 = 20 + 8, headersV6 = 40 + 8;
  int bytes = 0;
  socklen_t length = sizeof bytes;
  if (getsockopt(fd, IPPROTO_IP, IP_MTU, &bytes, &length) == 0 && bytes > int(headersV4))
    return std::min(size_t(bytes) - headersV4, mostSegmentBytes);
  length = sizeof bytes;
  if (getsockopt(fd, IPPROTO_IPV6, IPV6_MTU, &bytes, &length) == 0 && bytes > int(headersV6))
    return std::min(size_t(bytes) - headersV6, mostSegmentBytes);
  return mostSegmentBytes;
}

} // namespace

size_t UdpSocket::longestWhole() const { return longestWholeOf(fd); }

size_t UdpSocket::longestWholeTo(const Address &peer) {
  Result<int> fd = makeSocket(peer, 0, Use::Connect);
  if (!fd)
    return mostSegmentBytes;
  const size_t bytes = longestWholeOf(*fd);
  close(*fd);
  return bytes;
}

Result<UdpSocket> UdpSocket::listenToGroups(uint16_t port, size_t bufferBytes) {
  sockaddr_in any{};
  any.sin_family = AF_INET;
  any.sin_port = htons(port);
  Result<int> fd = makeSocket(fromSystem(reinterpret_cast<const sockaddr_storage &>(any)),
                              bufferBytes, Use::Groups);
  if (!fd)
    return fd.error();
  return UdpSocket(*fd, false);
}

bool UdpSocket::changeGroup(int option, const Address &group, const Address &local) {
  if (!group.isV4() || !local.isV4())
    return false;
  ip_mreqn request{};
  std::memcpy(&request.imr_multiaddr, group.ip.data() + 12, 4);
  std::memcpy(&request.imr_address, local.ip.data() + 12, 4);
  return setsockopt(fd, IPPROTO_IP, option, &request, sizeof request) == 0;
}

bool UdpSocket::joinGroup(const Address &group, const Address &local) {
  return changeGroup(IP_ADD_MEMBERSHIP, group, local);
}

void UdpSocket::leaveGroup(const Address &group, const Address &local) {
  (void)changeGroup(IP_DROP_MEMBERSHIP, group, local);
}

Address UdpSocket::localAddress() const {
  sockaddr_storage system{};
  socklen_t length = sizeof system;
  getsockname(fd, reinterpret_cast<sockaddr *>(&system), &length);
  return fromSystem(system);
}

void UdpSocket::takeGroups() {
  const int on = 1;
  groups = setsockopt(fd, SOL_UDP, UDP_GRO, &on, sizeof on) == 0;
}

/// Bytes from one datagram of a message of so many bytes to the next.
size_t UdpSocket::stepOf(const msghdr &header, size_t bytes) const {
  int length = 0;
  const cmsghdr *control = groups ? CMSG_FIRSTHDR(&header) : nullptr;
  if (control && control->cmsg_level == SOL_UDP && control->cmsg_type == UDP_GRO)
    std::memcpy(&length, CMSG_DATA(control), sizeof length);
  return length > 0 ? size_t(length) : std::max<size_t>(bytes, 1);
}

/// One message of the system: a datagram, or several of one length, of which the last may be
/// shorter.
void UdpSocket::takeApart(unsigned message) {
  const msghdr &header = buffers->in.messages[message].msg_hdr;
  const size_t bytes = buffers->in.messages[message].msg_len;
  const size_t step = stepOf(header, bytes);
  const Address from = connected ? Address{} : fromSystem(buffers->in.addresses[message]);
  const auto *first = static_cast<const uint8_t *>(buffers->in.vectors[message][0].iov_base);
  size_t at = 0;
  do {
    buffers->arrived.push_back({from, {first + at, std::min(step, bytes - at)}});
    at += step;
  } while (at < bytes);
}

size_t UdpSocket::receive(const std::function<void(std::span<const Arrived>)> &take) {
  Buffers::Side &in = buffers->in;
  for (unsigned i = 0; i < Batch; ++i) {
    msghdr &header = in.messages[i].msg_hdr;
    header.msg_namelen = connected ? 0 : sizeof(sockaddr_storage);
    header.msg_control = groups ? &buffers->lengths[i] : nullptr;
    header.msg_controllen = groups ? sizeof buffers->lengths[i] : 0;
  }
  const int count = recvmmsg(fd, in.messages, Batch, MSG_DONTWAIT, nullptr);
  full = count == int(Batch);
  if (count < 0)
    noteError();
  if (count <= 0)
    return 0;
  buffers->arrived.clear();
  for (int i = 0; i < count; ++i)
    takeApart(unsigned(i));
  take(buffers->arrived);
  return buffers->arrived.size();
}

bool UdpSocket::receiveMessage(msghdr &header, size_t &bytes) {
  header.msg_namelen = connected ? 0 : sizeof(sockaddr_storage);
  header.msg_control = groups ? &buffers->lengths[0] : nullptr;
  header.msg_controllen = groups ? sizeof buffers->lengths[0] : 0;
  const ssize_t got = recvmsg(fd, &header, MSG_DONTWAIT);
  full = got >= 0;
  if (got < 0)
    noteError();
  bytes = got < 0 ? 0 : size_t(got);
  return got >= 0;
}

namespace {

/// Copies what lies in `pieces`, from byte `from` of `bytes` on, to `out`.
void layTogether(std::span<const iovec> pieces, size_t from, size_t bytes, uint8_t *out) {
  size_t at = 0; // of the piece
  for (const iovec &piece : pieces) {
    const size_t begin = std::max(at, from), end = std::min(at + piece.iov_len, bytes);
    if (begin < end) {
      std::memcpy(out, static_cast<const uint8_t *>(piece.iov_base) + (begin - at), end - begin);
      out += end - begin;
    }
    at += piece.iov_len;
  }
}

} // namespace

size_t
UdpSocket::receiveInto(size_t headBytes, std::span<const std::span<uint8_t>> places,
                       const std::function<bool(size_t place, std::span<const uint8_t> head)> &fits,
                       const std::function<void(std::span<const Arrived>)> &take) {
  Buffers::Side &in = buffers->in;
  std::vector<iovec> &pieces = buffers->pieces;
  places = places.first(std::min<size_t>(places.size(), MostPlaces));
  buffers->heads.resize(places.size() * headBytes);
  pieces.clear();
  for (size_t i = 0; i < places.size(); ++i) {
    pieces.push_back({buffers->heads.data() + i * headBytes, headBytes});
    pieces.push_back({places[i].data(), places[i].size()});
  }
  pieces.push_back(in.vectors[0][0]); // whatever is longer
  msghdr header{};
  header.msg_name = &in.addresses[0];
  header.msg_iov = pieces.data();
  header.msg_iovlen = pieces.size();
  size_t bytes = 0;
  if (!receiveMessage(header, bytes))
    return 0;
  const size_t step = stepOf(header, bytes);
  const Address from = connected ? Address{} : fromSystem(in.addresses[0]);
  buffers->arrived.clear();
  size_t at = 0;
  for (size_t i = 0; i < places.size() && at < bytes; ++i, at += step) {
    const std::span<const uint8_t> head(buffers->heads.data() + i * headBytes, headBytes);
    if (std::min(step, bytes - at) != headBytes + places[i].size() || !fits(i, head))
      break;
    buffers->arrived.push_back({from, head, places[i]});
  }
  uint8_t *const rest = in.bytes.data() + strideBytes;
  if (at < bytes || bytes == 0)
    layTogether(pieces, at, bytes, rest);
  for (size_t first = at; at < bytes || (bytes == 0 && at == 0); at += step)
    buffers->arrived.push_back({from, {rest + (at - first), std::min(step, bytes - at)}});
  take(buffers->arrived);
  return buffers->arrived.size();
}

/// An answer of the peer's machine to a datagram comes as the error of a later call.
void UdpSocket::noteError() {
  refused += connected && errno == ECONNREFUSED;
  hasErrors |= keeps && errno != EAGAIN && errno != ENOBUFS;
}

void UdpSocket::keepRefusals() {
  const int on = 1;
  keeps = setsockopt(fd, IPPROTO_IP, IP_RECVERR, &on, sizeof on) == 0;
  (void)setsockopt(fd, IPPROTO_IPV6, IPV6_RECVERR, &on, sizeof on);
}

namespace {

/// Whether what the system tells of a datagram is that its port has no process.
bool saysRefused(msghdr &message) {
  for (const cmsghdr *control = CMSG_FIRSTHDR(&message); control;
       control = CMSG_NXTHDR(&message, const_cast<cmsghdr *>(control))) {
    const bool isError =
        (control->cmsg_level == IPPROTO_IP && control->cmsg_type == IP_RECVERR) ||
        (control->cmsg_level == IPPROTO_IPV6 && control->cmsg_type == IPV6_RECVERR);
    if (!isError || control->cmsg_len < CMSG_LEN(sizeof(sock_extended_err)))
      continue;
    sock_extended_err error;
    std::memcpy(&error, CMSG_DATA(control), sizeof error);
    return error.ee_errno == ECONNREFUSED &&
           (error.ee_origin == SO_EE_ORIGIN_ICMP || error.ee_origin == SO_EE_ORIGIN_ICMP6);
  }
  return false;
}

} // namespace

void UdpSocket::takeRefusals(const std::function<void(const Address &)> &take) {
  if (!std::exchange(hasErrors, false))
    return;
  for (unsigned taken = 0; taken < Batch; ++taken) {
    sockaddr_storage to{};
    alignas(cmsghdr) char control[512];
    msghdr message{};
    message.msg_name = &to; // where the datagram was sent
    message.msg_namelen = sizeof to;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    if (recvmsg(fd, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
      return;
    if (saysRefused(message))
      take(fromSystem(to));
  }
  hasErrors = true; // there may be more
}

/// As sendmmsg; what fails for an earlier datagram is tried again.
int UdpSocket::sendMessages(mmsghdr *messages, unsigned count) {
  constexpr unsigned Tries = 4;
  int sent = -1;
  for (unsigned n = 0; sent < 0 && n < (keeps ? Tries : 1); ++n) {
    sent = sendmmsg(fd, messages, count, MSG_DONTWAIT);
    if (sent >= 0)
      break;
    noteError();
    if (errno != ECONNREFUSED)
      break;
  }
  return sent;
}

std::span<uint8_t> UdpSocket::room(size_t bytes) {
  if (bytes > datagramBytes)
    return {};
  return {buffers->out.bytes.data() + buffers->filled, bytes};
}

void UdpSocket::send(const Address &to, std::span<const uint8_t> datagram) {
  queue(to, datagram, {});
}

void UdpSocket::send(const Address &to, std::span<const uint8_t> head,
                     std::span<const uint8_t> body) {
  bodies |= !body.empty() && head.size() + body.size() <= datagramBytes;
  queue(to, head, body);
}

void UdpSocket::queue(const Address &to, std::span<const uint8_t> head,
                      std::span<const uint8_t> body) {
  Buffers::Side &out = buffers->out;
  const size_t length = head.size() + body.size();
  if (length > datagramBytes)
    return;
  const unsigned at = buffers->queued++;
  uint8_t *bytes = out.bytes.data() + buffers->filled;
  if (head.data() != bytes && !head.empty())
    std::memcpy(bytes, head.data(), head.size());
  buffers->filled += head.size();
  buffers->waiting += length;
  out.vectors[at][0] = {bytes, head.size()};
  out.vectors[at][1] = {const_cast<uint8_t *>(body.data()), body.size()};
  buffers->to[at] = to;
  msghdr &message = out.messages[at].msg_hdr;
  message.msg_iovlen = body.empty() ? 1 : 2;
  message.msg_namelen = connected ? 0 : toSystem(to, out.addresses[at]);
  // What is long goes at once: who takes it works while the next one is made.
  if (buffers->queued == Batch || buffers->waiting + length > mostSegmentBytes)
    flush();
}

/// Makes group `group` of the queued datagrams from `at` on that one call can take: all to one
/// address and of one length, but that the last may be shorter. Returns where the next begins.
unsigned UdpSocket::gather(unsigned group, unsigned at) {
  Buffers::Side &out = buffers->out;
  const size_t length = out.length(at);
  size_t bytes = length;
  unsigned end = at + 1;
  for (bool whole = length > 0 && length < notInSegments;
       whole && end < buffers->queued && end - at < mostSegments; ++end) {
    const size_t next = out.length(end);
    if (next == 0 || next > length || bytes + next > mostSegmentBytes ||
        buffers->to[end] != buffers->to[at])
      break;
    bytes += next;
    whole = next == length;
  }
  buffers->firsts[group] = at;
  mmsghdr &message = buffers->groups[group];
  message = out.messages[at];
  if (end - at == 1)
    return end;
  iovec *const pieces = &buffers->groupVectors[buffers->groupPieces];
  for (unsigned i = at; i < end; ++i)
    for (unsigned piece = 0; piece < out.messages[i].msg_hdr.msg_iovlen; ++piece)
      buffers->add(pieces, out.vectors[i][piece]);
  message.msg_hdr.msg_iov = pieces;
  message.msg_hdr.msg_iovlen = size_t(&buffers->groupVectors[buffers->groupPieces] - pieces);
  Buffers::SegmentControl &control = buffers->controls[group];
  control.header = {CMSG_LEN(sizeof(uint16_t)), SOL_UDP, UDP_SEGMENT};
  const auto segment = uint16_t(length);
  std::memcpy(CMSG_DATA(&control.header), &segment, sizeof segment);
  message.msg_hdr.msg_control = &control;
  message.msg_hdr.msg_controllen = sizeof control.bytes;
  return end;
}

void UdpSocket::flushSegments() {
  unsigned groups = 0;
  buffers->groupPieces = 0;
  for (unsigned at = 0; at < buffers->queued;)
    at = gather(groups++, at);
  buffers->firsts[groups] = buffers->queued;
  for (unsigned group = 0; group < groups;) {
    const int sent = sendMessages(buffers->groups + group, groups - group);
    if (sent > 0) {
      group += unsigned(sent);
      continue;
    }
    // One that the system or the route has no segments for goes datagram by datagram.
    const bool forGood = errno == EINVAL || errno == EMSGSIZE || errno == EIO;
    const unsigned first = buffers->firsts[group], end = buffers->firsts[++group];
    if (end - first == 1)
      continue;
    if (forGood)
      notInSegments = std::min(notInSegments, buffers->out.length(first));
    flushPlain(first, end);
  }
}

void UdpSocket::flushPlain(unsigned at, unsigned end) {
  while (at < end) {
    const int sent = sendMessages(buffers->out.messages + at, end - at);
    // A failure is of the first message: of the network, or of an earlier datagram.
    at += sent > 0 ? unsigned(sent) : 1;
  }
}

void UdpSocket::flush() {
  if (segments)
    flushSegments();
  else
    flushPlain(0, buffers->queued);
  buffers->queued = 0;
  buffers->filled = buffers->waiting = 0;
  bodies = false;
}

void UdpSocket::sleep(Time timeout, const UdpSocket *other) const {
  pollfd items[] = {{fd, POLLIN, 0}, {other ? other->fd : -1, POLLIN, 0}};
  timespec time{long(timeout / Second), long(timeout % Second)};
  ppoll(items, 2, timeout == Never ? nullptr : &time, nullptr);
}

} // namespace acis::wire
