// How fused and plain messages meet in one slot. Some ranks of a communicator may call a CCCF
// (Fused.h) where others call its collectives one by one: then the slot is plain, and who gave a
// fused message is told to give its first collective plainly instead. So the header of a fused
// message says what the plain one's would: kind, operation, type and root are those of the first
// collective, `fragment` the elements in its first message. `count` is the bytes of a block.
#pragma once

#include "runtime/switch/wire/Header.h"

namespace acis::collective {

/// Bytes of one block of a message.
uint64_t unitOf(const wire::Header &header);

inline bool isFused(const wire::Header &header) { return header.shape == Shape::Fused; }
/// Whether it can become plain: the first collective is named.
inline bool mayMix(const wire::Header &header) {
  return isFused(header) && header.kind != Kind::Fused;
}

/// Of a fused message of `bytes` in a block, from the first message of its first collective.
wire::Header fusedHeader(const wire::Header &first, uint32_t bytes, uint32_t program);
/// The first message of a fused one's first collective. What cannot mix is as it is.
wire::Header plainOf(const wire::Header &header);

/// Whether two messages, or a message and its answer, are the same. The order of collectives
/// follows from their fragments, as those of every slot are compared.
bool isSameMessage(const wire::Header &a, const wire::Header &b);
/// Whether a slot of `mine` is plain because of `other`: one of them is fused, and they agree on
/// the first collective, but not on all else.
bool isMixed(const wire::Header &mine, const wire::Header &other);
/// Whether what the parent says of a slot tells the child that its fused message is one of a slot
/// that is plain.
bool tellsPlain(const wire::Header &message, const wire::Header &answer);

} // namespace acis::collective
