// See DeviceImage.h.
#include "runtime/hardware/verilated/DeviceImage.h"

#include "backend/overlay/SystemVerilog.h"

#include <algorithm>
#include <map>

namespace acis::rtl {
namespace {

using Entry = std::array<uint32_t, 16>;

uint32_t crc32(std::span<const uint32_t> words) {
  uint32_t crc = ~0u;
  for (uint32_t word : words) {
    crc ^= word;
    for (unsigned bit = 0; bit < 32; ++bit)
      crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

/// Entries whose addresses follow each other.
void appendSection(std::vector<uint32_t> &words, uint32_t address,
                   const std::vector<Entry> &entries) {
  size_t width = 1;
  for (const Entry &entry : entries)
    for (size_t i = width; i < entry.size(); ++i)
      if (entry[i])
        width = i + 1;
  words.insert(words.end(), {address, uint32_t(entries.size()), uint32_t(width)});
  for (const Entry &entry : entries)
    words.insert(words.end(), entry.begin(), entry.begin() + long(width));
}

} // namespace

void sealDeviceImage(std::vector<uint32_t> &words) {
  words[4] = uint32_t(words.size());
  words[5] = 0;
  words[5] = crc32(words);
}

Result<std::vector<uint32_t>> deviceImage(const Image &image, const Handler &handler,
                                          const Overlay &overlay) {
  Result<std::vector<TableWrite>> tables = deviceTables(image, handler, overlay);
  if (!tables)
    return tables.error();
  std::map<uint32_t, Entry> sorted; // of two writes to one entry the later one counts
  for (const TableWrite &write : *tables)
    sorted[write.address] = write.data;

  const uint64_t hardware = hardwareFingerprint(overlay);
  std::vector<uint32_t> words(isa::DeviceImageHead);
  words[0] = isa::DeviceImageMagic;
  words[1] = isa::DeviceImageVersion;
  words[2] = uint32_t(hardware);
  words[3] = uint32_t(hardware >> 32);
  words[6] = uint32_t(image.code.size());
  words[7] = handler.entry;
  words[8] = handler.firstContext;
  words[9] = handler.contextCount;
  words[10] = handler.memoryBytes;
  for (auto at = sorted.begin(); at != sorted.end(); ++words[11]) {
    const uint32_t first = at->first;
    std::vector<Entry> entries;
    for (; at != sorted.end() && at->first == first + entries.size(); ++at)
      entries.push_back(at->second);
    appendSection(words, first, entries);
  }
  sealDeviceImage(words);
  return words;
}

} // namespace acis::rtl
