// Numbers of the pcapng format, named as the draft names them. For its reader and its writer.
#pragma once

#include <cstdint>

namespace acis::capture::format {

// Types of blocks
inline constexpr uint32_t SectionHeader = 0x0a0d0d0a, InterfaceDescription = 1, SimplePacket = 3,
                          EnhancedPacket = 6;
inline constexpr uint32_t ByteOrderMagic = 0x1a2b3c4d;

// Codes of options: of all blocks, of a section, of an interface, of a packet
inline constexpr uint16_t OptEnd = 0, OptComment = 1;
inline constexpr uint16_t OptApplication = 4;
inline constexpr uint16_t OptInterfaceName = 2, OptTimeResolution = 9, OptTimeOffset = 14;
inline constexpr uint16_t OptPacketFlags = 2;

inline constexpr uint32_t FlagDirection = 3, FlagInbound = 1, FlagOutbound = 2;

} // namespace acis::capture::format
