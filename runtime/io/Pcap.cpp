// libpcap reads and writes C streams; here they are memory.
#include "runtime/io/Pcap.h"

#include <pcap/pcap.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace acis::io {

namespace {

constexpr int snapBytes = 262144; // the largest that readers accept

struct CloseCapture {
  void operator()(pcap_t *capture) const { pcap_close(capture); }
};
using CaptureHandle = std::unique_ptr<pcap_t, CloseCapture>;

Error packetError(uint64_t number, const std::string &what) {
  return {"", "packet " + std::to_string(number) + ": " + what};
}

} // namespace

Result<Capture> parsePcap(std::span<const uint8_t> file) {
  if (file.empty())
    return Error{"", "found an empty file, which is no capture"};
  // fmemopen wants a pointer to non-const but mode "r" does not write.
  FILE *stream = fmemopen(const_cast<uint8_t *>(file.data()), file.size(), "r");
  if (!stream)
    return Error{"", "not enough memory to read the capture"};
  char message[PCAP_ERRBUF_SIZE] = "";
  CaptureHandle handle(pcap_fopen_offline(stream, message));
  if (!handle) {
    std::fclose(stream);
    return Error{"", message};
  }
  if (int type = pcap_datalink(handle.get()); type != DLT_EN10MB) {
    const char *name = pcap_datalink_val_to_name(type);
    return Error{"", std::string("found link type ") + (name ? name : std::to_string(type)) +
                         ", allowed is EN10MB (Ethernet)"};
  }
  Capture capture;
  for (uint64_t number = 1;; ++number) {
    pcap_pkthdr *header = nullptr;
    const u_char *data = nullptr;
    int status = pcap_next_ex(handle.get(), &header, &data);
    if (status == PCAP_ERROR_BREAK)
      return capture;
    if (status != 1)
      return packetError(number, pcap_geterr(handle.get()));
    if (header->caplen < header->len)
      return packetError(number, "captured are " + std::to_string(header->caplen) + " of " +
                                     std::to_string(header->len) +
                                     " bytes; capture whole packets (tcpdump -s 0)");
    Result<std::optional<UdpFrame>> frame =
        parseUdpFrame(std::span(data, static_cast<size_t>(header->caplen)));
    if (!frame)
      return packetError(number, frame.error().what);
    if (!*frame) {
      ++capture.others;
      continue;
    }
    capture.payloads.emplace_back((*frame)->payload.begin(), (*frame)->payload.end());
    capture.flows.push_back((*frame)->flow);
  }
}

Result<std::vector<uint8_t>> makePcap(std::span<const std::vector<uint8_t>> frames) {
  char *buffer = nullptr;
  size_t size = 0;
  FILE *stream = open_memstream(&buffer, &size);
  CaptureHandle handle(pcap_open_dead(DLT_EN10MB, snapBytes));
  pcap_dumper_t *dumper = stream && handle ? pcap_dump_fopen(handle.get(), stream) : nullptr;
  if (!dumper) {
    if (stream)
      std::fclose(stream);
    std::free(buffer);
    return Error{"", "not enough memory to write the capture"};
  }
  uint64_t microseconds = 0;
  for (const std::vector<uint8_t> &frame : frames) {
    pcap_pkthdr header{};
    header.ts.tv_sec = static_cast<time_t>(microseconds / 1000000);
    header.ts.tv_usec = static_cast<suseconds_t>(microseconds % 1000000);
    header.caplen = header.len = static_cast<bpf_u_int32>(frame.size());
    pcap_dump(reinterpret_cast<u_char *>(dumper), &header, frame.data());
    ++microseconds;
  }
  bool good = pcap_dump_flush(dumper) == 0;
  pcap_dump_close(dumper); // closes the stream, which completes the buffer
  std::vector<uint8_t> bytes(buffer, buffer + size);
  std::free(buffer);
  if (!good)
    return Error{"", "not enough memory to write the capture"};
  return bytes;
}

} // namespace acis::io
