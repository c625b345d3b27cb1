// Ethernet frames with IPv4 and UDP in software, byte by byte: what the test benches send,
// and what they expect. Independent of the RTL: nothing here knows about beats.
#pragma once

#include "runtime/hardware/rtl/shell/Bench.h"

#include <optional>

namespace acis::rtl {

inline constexpr size_t EthernetBytes = 14, NetBytes = 42, MinFrame = 60;

/// RFC 1071 over `bytes`, added to `sum`; not complemented.
uint32_t wordSum(const uint8_t *bytes, size_t count, uint32_t sum = 0);
uint16_t foldSum(uint32_t sum);

struct FrameFields {
  uint64_t macTo = 0x020000000001, macFrom = 0x020000000002;
  uint32_t ipFrom = 0x0a000001, ipTo = 0x0a000002;
  uint16_t portFrom = 40000, portTo = 9000;
  bool checksum = true; ///< of UDP; else 0
};

/// A packet: `application` is the part of the header behind UDP's.
Bytes makeFrame(const FrameFields &fields, const Bytes &application, const Bytes &payload);
/// Writes lengths and checksums of an IPv4/UDP frame anew.
void seal(Bytes &frame, bool checksum = true);
/// Source and destination change places; checksums stay as they are, rightly.
void swapEnds(Bytes &frame);

/// The payload behind `headerBytes` if the frame is what the handler takes, as the text at the
/// head of acis_frame_in.sv says; port 0: any.
std::optional<Bytes> handlerPayload(const Bytes &frame, size_t headerBytes, uint16_t port);

/// What the assembler makes of a packet's header and a new payload.
Bytes answerFrame(const Bytes &header, const Bytes &payload, bool swap);

} // namespace acis::rtl
