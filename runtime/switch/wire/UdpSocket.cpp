#include "runtime/switch/wire/UdpBuffers.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/errqueue.h>
#include <linux/filter.h>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace acis::wire {

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

void UdpSocket::sleep(Time timeout, const UdpSocket *other) const {
  pollfd items[] = {{fd, POLLIN, 0}, {other ? other->fd : -1, POLLIN, 0}};
  timespec time{long(timeout / Second), long(timeout % Second)};
  ppoll(items, 2, timeout == Never ? nullptr : &time, nullptr);
}

} // namespace acis::wire
