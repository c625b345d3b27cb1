// See Ranges.h.
#include "runtime/host/device/Ranges.h"

#include <algorithm>

namespace acis::device {

bool Ranges::search(uintptr_t at) const noexcept {
  const Table *table = current.load(std::memory_order_acquire);
  if (!table)
    return false;
  // The number of bounds that are not above: odd within a range. A mixture of two states gives some
  // number, which is then not used.
  size_t low = 0, high = table->size.load(std::memory_order_relaxed);
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (table->bounds[middle].load(std::memory_order_relaxed) <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return low % 2 == 1;
}

void Ranges::assign(std::vector<Range> ranges) {
  std::ranges::sort(ranges, {}, &Range::begin);
  std::vector<uintptr_t> bounds;
  for (const Range &range : ranges) {
    if (range.begin >= range.end)
      continue;
    if (!bounds.empty() && range.begin <= bounds.back())
      bounds.back() = std::max(bounds.back(), range.end);
    else
      bounds.insert(bounds.end(), {range.begin, range.end});
  }
  const bool isFull = tables.empty() || tables.back()->capacity < bounds.size();
  if (isFull)
    tables.push_back(std::make_unique<Table>(std::max<size_t>(64, bounds.size() * 2)));
  Table &table = *tables.back();

  sequence.fetch_add(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  for (size_t i = 0; i < bounds.size(); ++i)
    table.bounds[i].store(bounds[i], std::memory_order_relaxed);
  table.size.store(bounds.size(), std::memory_order_relaxed);
  current.store(&table, std::memory_order_release);
  sequence.fetch_add(1, std::memory_order_release);
}

} // namespace acis::device
