// What the header of a collective's message says of it.
#pragma once

#include "runtime/switch/wire/Header.h"

namespace acis::collective {

/// Bytes of one block of a message.
inline uint64_t unitOf(const wire::Header &header) {
  return bytesOf(header.element) * uint64_t(header.count);
}

/// Whether a task for the switch follows the message, or its answer the result.
inline bool hasTask(const wire::Header &header) { return header.flags & wire::flag::Task; }

/// The message itself, without its task: what two members must agree on is in it.
wire::Header withoutTask(const wire::Header &header);

/// Whether two messages, or a message and its answer, are the same but for tasks. The order of
/// collectives follows from their fragments, as those of every slot are compared.
bool isSameMessage(const wire::Header &a, const wire::Header &b);

} // namespace acis::collective
