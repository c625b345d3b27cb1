// The readers of acis-run on any bytes; the first byte chooses one.
#include "runtime/io/Npy.h"
#include "runtime/io/Pcap.h"

#include <cstdlib>

using namespace acis;
using namespace acis::io;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  std::span bytes(data + 1, size - 1);
  switch (data[0] % 3) {
  case 0:
    if (Result<NpyHeader> header = parseNpy(bytes); header && header->headerBytes > bytes.size())
      std::abort();
    break;
  case 1:
    if (Result<std::optional<UdpFrame>> frame = parseUdpFrame(bytes); frame && *frame) {
      std::span<const uint8_t> payload = (*frame)->payload;
      if (payload.size() > bytes.size())
        std::abort();
      for (uint8_t byte : payload) // every byte is there to be read
        if (byte == 0xff)
          break;
    }
    break;
  case 2:
    if (Result<Capture> capture = parsePcap(bytes);
        capture && capture->payloads.size() != capture->flows.size())
      std::abort();
    break;
  }
  return 0;
}
