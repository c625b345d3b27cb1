// Frames between ports: any bytes, with any work put off. What the parser finds lies in the frame,
// what is made of it is right, and a switch gives each frame as it is or not at all.
#include "runtime/io/Bytes.h"
#include "runtime/switch/forward/Forwarder.h"

#include <algorithm>
#include <cstdlib>

using namespace acis;
using namespace acis::forward;

namespace {

void require(bool good) {
  if (!good)
    std::abort();
}

void rewrite(std::span<const uint8_t> frame, const Datagram &datagram) {
  require(datagram.payload + datagram.payloadBytes <= frame.size() && datagram.ip < datagram.udp);
  const std::vector<uint8_t> payload(datagram.payloadBytes / 2, 0x55);
  const std::vector<uint8_t> made = withPayload(frame, datagram, payload);
  const Inside again = inspect(made);
  require(again.what == Inside::What::Udp && again.datagram.payloadBytes == payload.size() &&
          again.datagram.to == datagram.to && again.datagram.from == datagram.from);
  const bool hasChecksum = made[datagram.udp + 6] || made[datagram.udp + 7] || !datagram.isV4;
  require(!hasChecksum || hasGoodChecksums({made, {}}, again.datagram));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  io::Reader reader({data, size});
  Frame frame;
  frame.offload.needsChecksum = reader.get<uint8_t>() & 1;
  frame.offload.segmentation = reader.get<uint8_t>();
  frame.offload.segmentBytes = reader.get<uint16_t>();
  frame.offload.checksumStart = reader.get<uint16_t>();
  frame.offload.checksumOffset = reader.get<uint16_t>();
  constexpr size_t before = 8;
  if (size < before)
    return 0;
  frame.bytes = {data + before, size - before};
  const Inside inside = inspect(frame.bytes);
  if (inside.what == Inside::What::Udp) {
    (void)hasGoodChecksums(frame, inside.datagram);
    rewrite(frame.bytes, inside.datagram);
  }
  if (frame.offload.segmentBytes >= 16) // no more than a system would cut
    (void)cut(frame);
  Forwarder device({4, wire::Second}, [&](unsigned, const Frame &out) {
    require(out.bytes.data() == frame.bytes.data() && out.bytes.size() == frame.bytes.size());
    return true;
  });
  device.addPort("a");
  device.addPort("b");
  device.receive(0, frame, wire::Second);
  (void)parseMatch({reinterpret_cast<const char *>(data), size});
  return 0;
}
