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

constexpr size_t DatagramBytes = 65'536;
constexpr int BufferBytes = 256 << 10; ///< more than a datagram of any size

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

HandlerStream::Outcome HandlerStream::exchange(const Work &work) {
  Outcome done;
  const uint64_t packets = (work.in.size() + work.packetBytes - 1) / work.packetBytes;
  uint64_t next = 0; // to be sent; done.packet is the first whose answer is not in `out`
  auto fails = [&](Cause cause, std::string what) {
    done.cause = cause;
    done.what = std::move(what);
    return done;
  };
  while (done.packet < packets) {
    for (; next < packets && next < done.packet + work.window; ++next) {
      Slot &slot = slots[next % work.window];
      const size_t start = next * work.packetBytes;
      const size_t size = std::min(work.packetBytes, work.in.size() - start);
      if (Status sent = send(slot, work.in.subspan(start, size)); !sent)
        return fails(Cause::Unreachable, sent.error().str());
      slot.waits = true;
      slot.until = wire::systemTime() + work.deadline;
    }
    // Only the first one ends the stream: it is the oldest, so no deadline passes before its.
    Slot &first = slots[done.packet % work.window];
    if (first.waits)
      if (Status slept = sleep(); !slept)
        return fails(Cause::Unreachable, slept.error().str());
    for (Slot &slot : slots)
      if (slot.waits)
        if (Status received = receive(slot); !received)
          return fails(Cause::Unreachable, received.error().str());
    for (; done.packet < next && !slots[done.packet % work.window].waits; ++done.packet) {
      const std::vector<uint8_t> &answer = slots[done.packet % work.window].answer;
      if (answer.size() > work.out.size() - done.written)
        return fails(Cause::NoRoom, "packet " + std::to_string(done.packet) + ": its answer has " +
                                        std::to_string(answer.size()) + " bytes, room is for " +
                                        std::to_string(work.out.size() - done.written) + " of " +
                                        std::to_string(work.out.size()) +
                                        "; give a larger output buffer");
      std::copy(answer.begin(), answer.end(), work.out.begin() + ptrdiff_t(done.written));
      done.written += answer.size();
      if (work.lengths)
        work.lengths[done.packet] = uint32_t(answer.size());
    }
    const Slot &oldest = slots[done.packet % work.window];
    if (done.packet < next && oldest.waits && wire::systemTime() >= oldest.until)
      return fails(Cause::Lost, "packet " + std::to_string(done.packet) + " of " +
                                    std::to_string(packets) + ": no answer within " +
                                    wire::seconds(work.deadline));
  }
  return done;
}

HandlerStream::Outcome HandlerStream::run(const Work &work) {
  if (slots.size() != work.window) {
    reset();
    slots.resize(work.window);
  }
  datagram.resize(DatagramBytes);
  Outcome outcome = exchange(work);
  if (outcome.cause != Cause::None)
    reset();
  return outcome;
}

} // namespace acis
