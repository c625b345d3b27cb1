// What a UdpSocket keeps of datagrams on their way; for its own files.
#pragma once

#include "runtime/switch/wire/UdpSocket.h"

#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>

namespace acis::wire {

constexpr size_t datagramBytes = 65'536;
/// As many bytes as the system takes in one call, of one datagram or of several.
constexpr size_t mostSegmentBytes = 65'507;

/// From one incoming datagram's buffer to the next: an odd number of cache lines more than a
/// power of two, or the first lines of all would compete for one set of the caches.
constexpr size_t strideBytes = datagramBytes + size_t(17) * 64;

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

} // namespace acis::wire
