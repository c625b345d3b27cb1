// Packets through a handler one by one, as a switch would take them from the wire, with what
// became of each as a capture.
#pragma once

#include "runtime/io/Packets.h"
#include "runtime/switch/core/HandlerPort.h"

namespace acis::tools {

struct Replayed {
  std::vector<uint8_t> capture;              ///< a pcapng file: packets, comments, answers
  std::vector<std::vector<uint8_t>> answers; ///< in their order
};

/// Each packet is one invocation; one that traps is dropped, and the handler starts again as
/// after loading. Fails if the binary cannot be loaded or a packet is too long for a datagram.
Result<Replayed> replay(const Overlay &overlay, sw::HandlerLoad what, const io::Input &input);

} // namespace acis::tools
