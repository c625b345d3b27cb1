#include "runtime/switch/memory/Blocks.h"

#include "runtime/io/Bytes.h"

#include <algorithm>
#include <cstring>

namespace acis::memory {

namespace {

constexpr uint64_t Alignment = 64, HeaderBytes = 64, EntryBytes = 32;
constexpr char Magic[9] = "ACISMEM1";
// Of the header.
constexpr size_t SizeAt = 8, EntriesAt = 16, NextAt = 24;
// Of an entry, whose handle is 0 while it is not used.
constexpr size_t JobAt = 8, OffsetAt = 16, BytesAt = 24;

uint64_t roundUp(uint64_t value) { return (value + Alignment - 1) / Alignment * Alignment; }

/// An entry for each 4 KB, 64 to 65,536 of them.
uint64_t entriesFor(uint64_t bytes) { return std::clamp<uint64_t>(bytes / 4096, 64, 65'536); }

} // namespace

bool Blocks::isRegion(std::span<const uint8_t> region) {
  return region.size() >= HeaderBytes && std::memcmp(region.data(), Magic, 8) == 0;
}

Result<Blocks> Blocks::make(std::span<uint8_t> region, uint64_t firstHandle) {
  if (region.size() < Least)
    return Error{"region", "has " + std::to_string(region.size()) + " bytes; at least " +
                               std::to_string(Least) + " are needed"};
  const uint64_t entries = entriesFor(region.size());
  std::fill_n(region.begin(), HeaderBytes + entries * EntryBytes, uint8_t(0));
  io::store(region.data() + SizeAt, uint64_t(region.size()));
  io::store(region.data() + EntriesAt, entries);
  io::store(region.data() + NextAt, firstHandle);
  std::memcpy(region.data(), Magic, 8);
  return open(region);
}

Result<Blocks> Blocks::open(std::span<uint8_t> region) {
  const auto bad = [](const std::string &what) { return Error{"region", what}; };
  if (region.size() < Least || !isRegion(region))
    return bad("is not one of a memory node: it does not begin with " + std::string(Magic));
  const uint64_t size = io::load<uint64_t>(region.data() + SizeAt);
  if (size != region.size())
    return bad("was made with " + std::to_string(size) + " bytes and has " +
               std::to_string(region.size()));
  Blocks blocks(region);
  blocks.entries = io::load<uint64_t>(region.data() + EntriesAt);
  if (blocks.entries != entriesFor(size))
    return bad("has a table of " + std::to_string(blocks.entries) + " entries; " +
               std::to_string(entriesFor(size)) + " are right");
  blocks.first = roundUp(HeaderBytes + blocks.entries * EntryBytes);
  const uint64_t next = io::load<uint64_t>(region.data() + NextAt);
  for (size_t i = blocks.entries; i-- > 0;) {
    const uint8_t *at = region.data() + HeaderBytes + i * EntryBytes;
    const Block block{io::load<uint64_t>(at), io::load<uint32_t>(at + JobAt),
                      io::load<uint64_t>(at + OffsetAt), io::load<uint64_t>(at + BytesAt)};
    if (block.handle == 0) {
      blocks.unused.push_back(i);
      continue;
    }
    const std::string name = "block " + std::to_string(block.handle);
    if (block.handle >= next || blocks.byHandle.contains(block.handle))
      return bad(name + " has a handle that was not given, or twice");
    if (block.offset < blocks.first || block.offset % Alignment != 0 || block.bytes == 0 ||
        block.offset > size || block.bytes > size - block.offset)
      return bad(name + " does not lie in the region");
    blocks.insert(i, block);
  }
  uint64_t end = blocks.first;
  for (const auto &[offset, behind] : blocks.byOffset) {
    if (offset < end)
      return bad("has blocks that overlap at " + std::to_string(offset));
    end = behind;
  }
  if (blocks.byOffset.size() != blocks.byHandle.size())
    return bad("has blocks that overlap");
  return blocks;
}

void Blocks::insert(size_t index, const Block &block) {
  byHandle[block.handle] = {index, block};
  byOffset[block.offset] = block.offset + block.bytes;
  bytesUsed += block.bytes;
}

/// The handle last: an entry that is half written is none.
void Blocks::write(size_t index, const Block &block) {
  uint8_t *at = region.data() + HeaderBytes + index * EntryBytes;
  io::store(at + JobAt, block.job);
  io::store(at + OffsetAt, block.offset);
  io::store(at + BytesAt, block.bytes);
  io::store(at, block.handle);
}

std::optional<Block> Blocks::allocate(uint32_t job, uint64_t bytes) {
  if (bytes == 0 || bytes > capacity() || unused.empty())
    return std::nullopt;
  uint64_t offset = first; // the first gap that is wide enough
  for (const auto &[start, end] : byOffset) {
    if (start - offset >= bytes)
      break;
    offset = roundUp(end);
  }
  if (offset > region.size() || region.size() - offset < bytes)
    return std::nullopt;
  const uint64_t handle = io::load<uint64_t>(region.data() + NextAt);
  io::store(region.data() + NextAt, handle + 1);
  const Block block{handle, job, offset, bytes};
  std::fill_n(region.begin() + long(offset), bytes, uint8_t(0));
  write(unused.back(), block);
  insert(unused.back(), block);
  unused.pop_back();
  return block;
}

void Blocks::free(uint64_t handle) {
  const auto at = byHandle.find(handle);
  if (at == byHandle.end())
    return;
  const auto [index, block] = at->second;
  io::store(region.data() + HeaderBytes + index * EntryBytes, uint64_t(0));
  byOffset.erase(block.offset);
  bytesUsed -= block.bytes;
  unused.push_back(index);
  byHandle.erase(at);
}

const Block *Blocks::find(uint32_t job, uint64_t handle) const {
  const auto at = byHandle.find(handle);
  return at == byHandle.end() || at->second.block.job != job ? nullptr : &at->second.block;
}

std::vector<Block> Blocks::list(uint32_t job) const {
  std::vector<Block> out;
  for (const auto &[handle, entry] : byHandle)
    if (entry.block.job == job)
      out.push_back(entry.block);
  return out;
}

} // namespace acis::memory
