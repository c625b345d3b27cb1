#include "runtime/wire/UdpSocket.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace acis::wire {

namespace {
constexpr size_t datagramBytes = 65'536;
}

struct UdpSocket::Buffers {
  struct Side {
    std::vector<uint8_t> bytes = std::vector<uint8_t>(Batch * datagramBytes);
    mmsghdr messages[Batch] = {};
    iovec vectors[Batch] = {};
    sockaddr_storage addresses[Batch] = {};
    Side() {
      for (unsigned i = 0; i < Batch; ++i) {
        vectors[i] = {bytes.data() + i * datagramBytes, datagramBytes};
        messages[i].msg_hdr.msg_iov = &vectors[i];
        messages[i].msg_hdr.msg_iovlen = 1;
        messages[i].msg_hdr.msg_name = &addresses[i];
      }
    }
  };
  Side in, out;
  unsigned queued = 0;
  std::vector<Arrived> arrived;
};

UdpSocket::UdpSocket(int fd, bool connected)
    : fd(fd), connected(connected), buffers(std::make_unique<Buffers>()) {}

UdpSocket::UdpSocket(UdpSocket &&other) noexcept
    : fd(std::exchange(other.fd, -1)), connected(other.connected),
      buffers(std::move(other.buffers)) {}

UdpSocket::~UdpSocket() {
  if (fd >= 0)
    close(fd);
}

namespace {

Result<int> makeSocket(const Address &address, size_t bufferBytes, bool toBind) {
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
  if ((toBind ? ::bind(fd, to, length) : ::connect(fd, to, length)) != 0) {
    Error error{address.str(),
                std::string(toBind ? "cannot listen: " : "cannot reach: ") + std::strerror(errno)};
    close(fd);
    return error;
  }
  return fd;
}

} // namespace

Result<UdpSocket> UdpSocket::bind(const Address &local, size_t bufferBytes) {
  Result<int> fd = makeSocket(local, bufferBytes, true);
  if (!fd)
    return fd.error();
  return UdpSocket(*fd, false);
}

Result<UdpSocket> UdpSocket::connect(const Address &peer, size_t bufferBytes) {
  Result<int> fd = makeSocket(peer, bufferBytes, false);
  if (!fd)
    return fd.error();
  return UdpSocket(*fd, true);
}

Address UdpSocket::localAddress() const {
  sockaddr_storage system{};
  socklen_t length = sizeof system;
  getsockname(fd, reinterpret_cast<sockaddr *>(&system), &length);
  return fromSystem(system);
}

size_t UdpSocket::receive(const std::function<void(std::span<const Arrived>)> &take) {
  Buffers::Side &in = buffers->in;
  for (unsigned i = 0; i < Batch; ++i)
    in.messages[i].msg_hdr.msg_namelen = connected ? 0 : sizeof(sockaddr_storage);
  const int count = recvmmsg(fd, in.messages, Batch, MSG_DONTWAIT, nullptr);
  if (count <= 0)
    return 0;
  buffers->arrived.clear();
  for (int i = 0; i < count; ++i)
    buffers->arrived.push_back(
        {connected ? Address{} : fromSystem(in.addresses[i]),
         {static_cast<const uint8_t *>(in.vectors[i].iov_base), in.messages[i].msg_len}});
  take(buffers->arrived);
  return size_t(count);
}

void UdpSocket::send(const Address &to, std::span<const uint8_t> datagram) {
  Buffers::Side &out = buffers->out;
  if (datagram.size() > datagramBytes)
    return;
  const unsigned at = buffers->queued++;
  std::memcpy(out.vectors[at].iov_base, datagram.data(), datagram.size());
  out.vectors[at].iov_len = datagram.size();
  out.messages[at].msg_hdr.msg_namelen = connected ? 0 : toSystem(to, out.addresses[at]);
  if (buffers->queued == Batch)
    flush();
}

void UdpSocket::flush() {
  Buffers::Side &out = buffers->out;
  for (unsigned at = 0; at < buffers->queued;) {
    const int sent = sendmmsg(fd, out.messages + at, buffers->queued - at, MSG_DONTWAIT);
    // A failure is of the first message: of the network, or of an earlier datagram.
    at += sent > 0 ? unsigned(sent) : 1;
  }
  buffers->queued = 0;
}

void UdpSocket::sleep(Time timeout) const {
  pollfd item{fd, POLLIN, 0};
  timespec time{long(timeout / Second), long(timeout % Second)};
  ppoll(&item, 1, timeout == Never ? nullptr : &time, nullptr);
}

} // namespace acis::wire
