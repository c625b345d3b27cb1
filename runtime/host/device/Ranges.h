// Which addresses may be device memory. Every MPI call asks, most of them for ordinary memory, so
// readers take no lock and write nothing: a sequence number tells them that they read a state which
// a writer was changing, and they read again.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace acis::device {

/// Addresses begin <= a < end.
struct Range {
  uintptr_t begin, end;
  bool operator==(const Range &) const = default;
};

class Ranges {
public:
  /// Any thread, at any time.
  bool contains(const void *address) const noexcept {
    const auto at = reinterpret_cast<uintptr_t>(address);
    for (;;) {
      const uint64_t before = sequence.load(std::memory_order_acquire);
      const bool found = search(at);
      std::atomic_thread_fence(std::memory_order_acquire);
      if (before % 2 == 0 && sequence.load(std::memory_order_relaxed) == before)
        return found;
    }
  }

  /// Replaces all. One thread at a time; any order, they may overlap.
  void assign(std::vector<Range> ranges);

private:
  /// Bounds of disjoint ranges in ascending order: begin, end, begin, end, ...
  struct Table {
    explicit Table(size_t capacity)
        : bounds(new std::atomic<uintptr_t>[capacity]), capacity(capacity) {}
    std::unique_ptr<std::atomic<uintptr_t>[]> bounds;
    size_t capacity;
    std::atomic<size_t> size = 0;
  };

  bool search(uintptr_t at) const noexcept;

  std::atomic<uint64_t> sequence = 0; ///< odd while a writer is at work
  std::atomic<const Table *> current = nullptr;
  /// Each twice as large as the one before; a reader may still be in an old one, so all stay.
  std::vector<std::unique_ptr<Table>> tables;
};

} // namespace acis::device
