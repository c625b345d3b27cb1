// Receiving: several datagrams of a call, groups of one length, and datagrams that go where they
// are wanted.
#include "runtime/switch/wire/UdpBuffers.h"

#include <algorithm>
#include <cstring>

namespace acis::wire {

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

} // namespace acis::wire
