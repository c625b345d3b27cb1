// Packets from and to files of the three formats, which the name's ending tells:
// .npy, .pcap, .pcapng, anything else is raw bytes. A capture is read by its content.
#pragma once

#include "runtime/io/UdpFrame.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace acis::io {

enum class Format : uint8_t { Raw, Npy, Pcap, PcapNg };
Format formatOf(const std::string &path);

struct Input {
  std::vector<std::vector<uint8_t>> packets;
  std::vector<Flow> flows; ///< captures: one per packet; else empty
  std::string descr;       ///< npy: type of the elements; else empty
};

/// Payloads have fewer bytes (docs/isa.md, pktlen).
inline constexpr uint64_t PacketEnd = 0x80000000;

/// Reads the file. Raw and npy data is one packet, or packets of packetBytes if that is
/// not 0; data that ends within a packet is an error, and so is a packet that is too long.
Result<Input> readPackets(const std::string &path, uint64_t packetBytes);

/// The bytes of an output file. In a capture the n-th packet answers the n-th one of
/// the input (the last one, when there are more); npy gets one array of `descr`.
Result<std::vector<uint8_t>> formatPackets(Format format,
                                           std::span<const std::vector<uint8_t>> packets,
                                           std::span<const Flow> inputFlows,
                                           const std::string &descr);

/// Content of a file for the memory: the data of an .npy, or all bytes.
Result<std::vector<uint8_t>> readData(const std::string &path);

} // namespace acis::io
