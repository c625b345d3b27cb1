// See Frame.h.
#include "runtime/hardware/rtl/shell/Frame.h"

#include <algorithm>

namespace acis::rtl {
namespace {

void put(Bytes &frame, size_t at, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    frame[at + i] = uint8_t(value >> 8 * (bytes - 1 - i));
}
uint32_t get16(const Bytes &frame, size_t at) { return uint32_t(frame[at]) << 8 | frame[at + 1]; }

uint32_t pseudoSum(const Bytes &frame) {
  return wordSum(frame.data() + 26, 8, 17 + get16(frame, 38));
}

} // namespace

uint32_t wordSum(const uint8_t *bytes, size_t count, uint32_t sum) {
  for (size_t i = 0; i < count; ++i)
    sum += i % 2 ? bytes[i] : uint32_t(bytes[i]) << 8;
  return sum;
}

uint16_t foldSum(uint32_t sum) {
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return uint16_t(sum);
}

void seal(Bytes &frame, bool checksum) {
  put(frame, 16, frame.size() - EthernetBytes, 2);
  put(frame, 38, frame.size() - 34, 2);
  put(frame, 24, 0, 2);
  put(frame, 24, uint16_t(~foldSum(wordSum(frame.data() + 14, 20))), 2);
  put(frame, 40, 0, 2);
  if (!checksum)
    return;
  const uint16_t sum =
      uint16_t(~foldSum(wordSum(frame.data() + 34, frame.size() - 34, pseudoSum(frame))));
  put(frame, 40, sum ? sum : 0xffff, 2);
}

Bytes makeFrame(const FrameFields &fields, const Bytes &application, const Bytes &payload) {
  Bytes frame(NetBytes);
  put(frame, 0, fields.macTo, 6);
  put(frame, 6, fields.macFrom, 6);
  put(frame, 12, 0x0800, 2);
  put(frame, 14, 0x4500, 2);
  put(frame, 18, 0x1234, 2);
  put(frame, 20, 0x4000, 2);
  put(frame, 22, 64, 1);
  put(frame, 23, 17, 1);
  put(frame, 26, fields.ipFrom, 4);
  put(frame, 30, fields.ipTo, 4);
  put(frame, 34, fields.portFrom, 2);
  put(frame, 36, fields.portTo, 2);
  frame.insert(frame.end(), application.begin(), application.end());
  frame.insert(frame.end(), payload.begin(), payload.end());
  seal(frame, fields.checksum);
  return frame;
}

void swapEnds(Bytes &frame) {
  std::swap_ranges(frame.begin(), frame.begin() + 6, frame.begin() + 6);
  std::swap_ranges(frame.begin() + 26, frame.begin() + 30, frame.begin() + 30);
  std::swap_ranges(frame.begin() + 34, frame.begin() + 36, frame.begin() + 36);
}

std::optional<Bytes> handlerPayload(const Bytes &frame, size_t headerBytes, uint16_t port) {
  if (frame.size() < headerBytes || get16(frame, 12) != 0x0800 || frame[14] != 0x45 ||
      frame[23] != 17 || (get16(frame, 20) & 0xbfff) != 0 || (port && get16(frame, 36) != port))
    return std::nullopt;
  const size_t ip = get16(frame, 16), udp = get16(frame, 38);
  if (udp + 34 < headerBytes || ip != udp + 20 || ip + EthernetBytes > frame.size() ||
      foldSum(wordSum(frame.data() + 14, 20)) != 0xffff)
    return std::nullopt;
  if (get16(frame, 40) != 0 && foldSum(wordSum(frame.data() + 34, udp, pseudoSum(frame))) != 0xffff)
    return std::nullopt;
  return Bytes(frame.begin() + long(headerBytes), frame.begin() + long(34 + udp));
}

Bytes answerFrame(const Bytes &header, const Bytes &payload, bool swap) {
  Bytes frame = header;
  frame.insert(frame.end(), payload.begin(), payload.end());
  if (swap)
    swapEnds(frame);
  seal(frame);
  if (frame.size() < MinFrame)
    frame.resize(MinFrame);
  return frame;
}

} // namespace acis::rtl
