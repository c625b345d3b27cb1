// Sending: what is queued goes out in one call, as segments of one length where the system can.
#include "runtime/switch/wire/UdpBuffers.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <utility>

namespace acis::wire {

namespace {
/// What the system takes in one call.
constexpr unsigned mostSegments = 64;
} // namespace

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

} // namespace acis::wire
