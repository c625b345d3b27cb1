// Blocks in a region of memory: who owns which bytes. The table lies in the region itself, so that
// a region in a file is complete without anybody having to save it.
//
//   header (64 bytes) | table of entries (32 bytes each) | blocks, each from a multiple of 64
//
// Handles count up and are never used twice in a region.
#pragma once

#include "backend/support/Result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace acis::memory {

struct Block {
  uint64_t handle = 0;
  uint32_t job = 0;
  uint64_t offset = 0, bytes = 0; ///< in the region
};

class Blocks {
public:
  static constexpr uint64_t Least = 4096; ///< bytes of a region

  /// A region without blocks; what the bytes were is lost. `firstHandle` is above 0.
  static Result<Blocks> make(std::span<uint8_t> region, uint64_t firstHandle);
  /// One that make() has made. Fails with what is wrong with it.
  static Result<Blocks> open(std::span<uint8_t> region);
  /// Whether the bytes begin as make() has them begin.
  static bool isRegion(std::span<const uint8_t> region);

  /// Zeroed. No value: there is no room.
  std::optional<Block> allocate(uint32_t job, uint64_t bytes);
  void free(uint64_t handle);
  /// nullptr: there is none, or it is another job's.
  const Block *find(uint32_t job, uint64_t handle) const;
  /// Bytes of a block; valid while it is there.
  std::span<uint8_t> bytesOf(const Block &block) const {
    return region.subspan(block.offset, block.bytes);
  }
  /// In the order of handles.
  std::vector<Block> list(uint32_t job) const;

  size_t count() const { return byHandle.size(); }
  uint64_t used() const { return bytesUsed; }
  /// What blocks can have, in all.
  uint64_t capacity() const { return region.size() - first; }

private:
  struct Entry {
    size_t index; ///< in the table
    Block block;
  };
  explicit Blocks(std::span<uint8_t> region) : region(region) {}
  void write(size_t index, const Block &block);
  void insert(size_t index, const Block &block);

  std::span<uint8_t> region;
  size_t entries = 0;
  uint64_t first = 0; ///< offset of the first block
  uint64_t bytesUsed = 0;
  std::map<uint64_t, Entry> byHandle;
  std::map<uint64_t, uint64_t> byOffset; ///< end of each block
  std::vector<size_t> unused;            ///< entries
};

} // namespace acis::memory
