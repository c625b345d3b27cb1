// The reader of pcapng files on any bytes. What it reads is in the file, and reads the same
// after the writer has written it.
#include "runtime/io/PcapNg.h"

#include <algorithm>
#include <cstdlib>

using namespace acis;
using namespace acis::capture;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::span<const uint8_t> file(data, size);
  Result<std::vector<Packet>> read = readPcapNg(file);
  if (!read)
    return 0;
  Writer writer("fuzzer");
  writer.addInterface("one");
  for (const Packet &packet : *read) {
    if (!packet.frame.empty() &&
        (packet.frame.data() < data || packet.frame.data() + packet.frame.size() > data + size))
      std::abort();
    PacketInfo info = packet.info;
    info.interface = 0;
    writer.addPacket(info, packet.frame);
  }
  Result<std::vector<Packet>> again = readPcapNg(writer.bytes());
  if (!again || again->size() != read->size())
    std::abort();
  for (size_t n = 0; n < read->size(); ++n) {
    const Packet &first = (*read)[n], &second = (*again)[n];
    if (first.info.comment != second.info.comment ||
        first.info.direction != second.info.direction ||
        first.info.nanoseconds != second.info.nanoseconds ||
        !std::ranges::equal(first.frame, second.frame))
      std::abort();
  }
  return 0;
}
