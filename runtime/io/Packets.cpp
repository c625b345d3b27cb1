// Formats of packet files.
#include "runtime/io/Packets.h"

#include "runtime/io/Files.h"
#include "runtime/io/Npy.h"
#include "runtime/io/Pcap.h"
#include "runtime/io/PcapNg.h"

#include <algorithm>

namespace acis::io {

namespace {

Error inFile(const std::string &path, const Error &error) { return {path, error.what}; }

Result<Input> cut(const std::string &path, std::span<const uint8_t> data, uint64_t packetBytes) {
  if (data.empty())
    return Error{path, "found no data, needed is at least one byte"};
  if (packetBytes == 0)
    packetBytes = data.size();
  if (packetBytes >= PacketEnd)
    return Error{path, "found a packet of " + std::to_string(packetBytes) +
                           " bytes, allowed are less than 2147483648; cut it with --packet-bytes"};
  if (uint64_t rest = data.size() % packetBytes)
    return Error{path, "found " + std::to_string(data.size()) + " bytes, which end after " +
                           std::to_string(rest) + " bytes of a packet of " +
                           std::to_string(packetBytes) + " bytes; change --packet-bytes"};
  Input input;
  for (; !data.empty(); data = data.subspan(packetBytes))
    input.packets.emplace_back(data.begin(), data.begin() + static_cast<ptrdiff_t>(packetBytes));
  return input;
}

/// What a switch sent itself (captures of acisd have both directions) is no packet for it.
Result<Capture> parsePcapNg(std::span<const uint8_t> file) {
  Result<std::vector<capture::Packet>> packets = capture::readPcapNg(file);
  if (!packets)
    return packets.error();
  Capture found;
  uint64_t number = 0;
  for (const capture::Packet &packet : *packets) {
    ++number;
    if (packet.info.direction == capture::Direction::Outbound)
      continue;
    const std::string place = "packet " + std::to_string(number) + ": ";
    if (packet.linkType != capture::LinkEthernet)
      return Error{"", place + "found link type " + std::to_string(packet.linkType) +
                           ", allowed is 1 (Ethernet)"};
    if (packet.frame.size() < packet.originalBytes)
      return Error{"", place + "captured are " + std::to_string(packet.frame.size()) + " of " +
                           std::to_string(packet.originalBytes) +
                           " bytes; capture whole packets (tcpdump -s 0)"};
    Result<std::optional<UdpFrame>> frame = parseUdpFrame(packet.frame);
    if (!frame)
      return Error{"", place + frame.error().what};
    if (!*frame) {
      ++found.others;
      continue;
    }
    found.payloads.emplace_back((*frame)->payload.begin(), (*frame)->payload.end());
    found.flows.push_back((*frame)->flow);
  }
  return found;
}

Result<Input> readCapture(const std::string &path, std::span<const uint8_t> file,
                          uint64_t packetBytes) {
  if (packetBytes)
    return Error{path, "found --packet-bytes for a capture, which has its own packets"};
  Result<Capture> capture = capture::isPcapNg(file) ? parsePcapNg(file) : parsePcap(file);
  if (!capture)
    return inFile(path, capture.error());
  if (capture->payloads.empty())
    return Error{path, "found no UDP packet among " + std::to_string(capture->others) +
                           ", needed is at least one"};
  return Input{std::move(capture->payloads), std::move(capture->flows), ""};
}

Result<std::vector<uint8_t>> formatCapture(Format format,
                                           std::span<const std::vector<uint8_t>> packets,
                                           std::span<const Flow> inputFlows) {
  std::vector<std::vector<uint8_t>> frames;
  for (size_t i = 0; i < packets.size(); ++i) {
    if (packets[i].size() > MaxUdpPayload)
      return Error{"", "packet " + std::to_string(i + 1) + " has " +
                           std::to_string(packets[i].size()) +
                           " bytes, a UDP packet at most 65507; write a .bin or .npy file"};
    Flow request = inputFlows.empty() ? Flow() : inputFlows[std::min(i, inputFlows.size() - 1)];
    frames.push_back(makeUdpFrame(request.reversed(), packets[i]));
  }
  if (format == Format::Pcap)
    return makePcap(frames);
  capture::Writer writer("acis-run");
  const uint32_t interface = writer.addInterface("handler");
  uint64_t nanoseconds = 0; // one microsecond apart, as in the other format
  for (const std::vector<uint8_t> &frame : frames) {
    writer.addPacket({nanoseconds, interface, capture::Direction::Outbound, ""}, frame);
    nanoseconds += 1000;
  }
  return std::move(writer.bytes());
}

} // namespace

Format formatOf(const std::string &path) {
  if (path.ends_with(".npy"))
    return Format::Npy;
  return path.ends_with(".pcap")     ? Format::Pcap
         : path.ends_with(".pcapng") ? Format::PcapNg
                                     : Format::Raw;
}

Result<Input> readPackets(const std::string &path, uint64_t packetBytes) {
  Result<std::vector<uint8_t>> file = readFile(path);
  if (!file)
    return file.error();
  switch (formatOf(path)) {
  case Format::Pcap:
  case Format::PcapNg:
    return readCapture(path, *file, packetBytes);
  case Format::Npy: {
    Result<NpyHeader> header = parseNpy(*file);
    if (!header)
      return inFile(path, header.error());
    Result<Input> input = cut(path, std::span(*file).subspan(header->headerBytes), packetBytes);
    if (input)
      input->descr = header->descr;
    return input;
  }
  case Format::Raw:
    break;
  }
  return cut(path, *file, packetBytes);
}

Result<std::vector<uint8_t>> formatPackets(Format format,
                                           std::span<const std::vector<uint8_t>> packets,
                                           std::span<const Flow> inputFlows,
                                           const std::string &descr) {
  if (format == Format::Pcap || format == Format::PcapNg)
    return formatCapture(format, packets, inputFlows);
  std::vector<uint8_t> bytes;
  for (const std::vector<uint8_t> &packet : packets)
    bytes.insert(bytes.end(), packet.begin(), packet.end());
  if (format == Format::Raw)
    return bytes;
  unsigned itemBytes = 0;
  if (Status status = parseDescr(descr, itemBytes); !status)
    return status.error();
  if (bytes.size() % itemBytes)
    return Error{"", "found " + std::to_string(bytes.size()) + " bytes to write, elements of '" +
                         descr + "' have " + std::to_string(itemBytes) + "; change --out-type"};
  uint64_t count = bytes.size() / itemBytes;
  std::vector<uint8_t> file = makeNpyHeader(descr, {&count, 1});
  file.insert(file.end(), bytes.begin(), bytes.end());
  return file;
}

Result<std::vector<uint8_t>> readData(const std::string &path) {
  Result<std::vector<uint8_t>> file = readFile(path);
  if (!file || formatOf(path) != Format::Npy)
    return file;
  Result<NpyHeader> header = parseNpy(*file);
  if (!header)
    return inFile(path, header.error());
  file->erase(file->begin(), file->begin() + static_cast<ptrdiff_t>(header->headerBytes));
  return file;
}

} // namespace acis::io
