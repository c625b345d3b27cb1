// What a handler costs per packet without any socket: packets in memory through HandlerPort.
// usage: handler-cost OVERLAY BINARY [PACKETS]
#include "runtime/io/Files.h"
#include "runtime/switch/core/HandlerPort.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace acis;

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: handler-cost OVERLAY BINARY [PACKETS]\n");
    return 1;
  }
  Result<Overlay> overlay = Overlay::load(argv[1]);
  auto elf = io::readFile(argv[2]);
  if (!overlay || !elf) {
    std::fprintf(stderr, "%s\n", (overlay ? elf.error() : overlay.error()).str().c_str());
    return 1;
  }
  sw::HandlerLoad what;
  what.elf = std::move(*elf);
  auto port = sw::HandlerPort::make(*overlay, std::move(what));
  if (!port) {
    std::fprintf(stderr, "%s\n", port.error().str().c_str());
    return 1;
  }
  const long packets = argc > 3 ? std::atol(argv[3]) : 1'000'000;
  for (size_t bytes : {64, 256, 1024}) {
    const std::vector<uint8_t> packet(bytes, 7);
    std::vector<uint8_t> answer;
    uint64_t cycles = 0;
    const std::clock_t start = std::clock(); // of the processor, not of the wall
    for (long n = 0; n < packets; ++n)
      if ((*port)->process(packet, answer, cycles) != sw::HandlerPort::Outcome::Answered)
        return 1;
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%zu bytes: %.0f ns a packet\n", bytes, seconds * 1e9 / double(packets));
  }
  return 0;
}
