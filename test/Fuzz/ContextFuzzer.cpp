// isa::decode() on any bytes: what it accepts encodes to the same bytes.
#include "backend/isa/Context.h"
#include "backend/isa/Decode.h"
#include "backend/overlay/Overlay.h"

#include <algorithm>
#include <cstdlib>

using namespace acis;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Overlay overlay = *Overlay::load("tiny.json");
  std::span bytes(data, size);
  if (Result<isa::LoopContext> context = isa::decode(bytes, overlay))
    if (!std::ranges::equal(isa::encode(*context), bytes))
      std::abort();
  if (size >= 4) {
    uint32_t word = data[0] | data[1] << 8 | data[2] << 16 | uint32_t(data[3]) << 24;
    if (std::optional<isa::Decoded> decoded = isa::decodeInstruction(word))
      if (!isa::encodeInstruction(*decoded) || isa::assembly(*decoded).empty())
        std::abort();
  }
  return 0;
}
