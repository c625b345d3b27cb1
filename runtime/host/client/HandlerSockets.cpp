// The sockets of a HandlerStream.
#include "runtime/host/client/HandlerStream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace acis {

using wire::Time;

namespace {

constexpr int BufferBytes = 256 << 10; ///< more than a datagram of any size
constexpr unsigned MostStale = 1024;   ///< datagrams; more than a buffer holds

Error systemError(const wire::Address &to, const char *what) {
  return {to.str(), std::string(what) + ": " + std::strerror(errno)};
}

} // namespace

void HandlerStream::reset() {
  for (const Slot &slot : slots)
    if (slot.fd >= 0)
      close(slot.fd);
  slots.clear();
}

Status HandlerStream::send(Slot &slot, std::span<const uint8_t> packet) const {
  if (slot.fd < 0) {
    sockaddr_storage system;
    const unsigned length = wire::toSystem(to, system);
    slot.fd = socket(system.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (slot.fd < 0)
      return systemError(to, "no socket");
    setsockopt(slot.fd, SOL_SOCKET, SO_RCVBUF, &BufferBytes, sizeof BufferBytes);
    setsockopt(slot.fd, SOL_SOCKET, SO_SNDBUF, &BufferBytes, sizeof BufferBytes);
    if (connect(slot.fd, reinterpret_cast<const sockaddr *>(&system), length) != 0)
      return systemError(to, "cannot be reached");
  }
  // What is there already is no answer to this packet: a network has doubled an earlier one, or was
  // late with it.
  for (unsigned n = 0; n < MostStale && recv(slot.fd, nullptr, 0, MSG_TRUNC) >= 0; ++n)
    ;
  // What the system does not take for lack of space is lost, and found out by the deadline.
  if (::send(slot.fd, packet.data(), packet.size(), MSG_NOSIGNAL) < 0 && errno != EAGAIN &&
      errno != ENOBUFS)
    return systemError(to, "cannot be reached");
  return {};
}

Status HandlerStream::receive(Slot &slot) {
  const ssize_t count = recv(slot.fd, datagram.data(), datagram.size(), 0);
  if (count >= 0) {
    slot.answer.assign(datagram.begin(), datagram.begin() + count);
    slot.waits = false;
  } else if (errno != EAGAIN && errno != EINTR) { // the host says that nobody listens
    return systemError(to, "cannot be reached");
  }
  return {};
}

/// Until an answer may be there, or a deadline has passed.
Status HandlerStream::sleep() const {
  std::vector<pollfd> items;
  Time until = wire::Never;
  for (const Slot &slot : slots)
    if (slot.waits) {
      items.push_back({slot.fd, POLLIN, 0});
      until = std::min(until, slot.until);
    }
  const Time now = wire::systemTime();
  const Time left = until > now ? until - now : 0;
  const timespec time{time_t(left / wire::Second), long(left % wire::Second)};
  if (ppoll(items.data(), items.size(), &time, nullptr) < 0 && errno != EINTR)
    return systemError(to, "cannot be waited for");
  return {};
}

} // namespace acis
