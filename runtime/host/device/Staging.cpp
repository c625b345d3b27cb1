// See Staging.h.
#include "runtime/host/device/Staging.h"

#include <array>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>

namespace acis::device {

namespace {

constexpr size_t Alignment = 4096;
/// Of unused blocks; what is given back beyond goes to the system.
constexpr size_t MostKept = size_t(256) << 20;

struct Pool {
  std::mutex mutex;
  std::array<std::vector<char *>, 64> unused;
  size_t kept = 0;
};

Pool &pool() {
  static Pool &instance = *new Pool;
  return instance;
}

} // namespace

Staging::Staging(size_t bytes) : order(unsigned(std::bit_width((bytes | Alignment) - 1))) {
  Pool &all = pool();
  {
    std::lock_guard lock(all.mutex);
    if (auto &blocks = all.unused[order]; !blocks.empty()) {
      block = blocks.back();
      blocks.pop_back();
      all.kept -= size_t(1) << order;
      return;
    }
  }
  block = static_cast<char *>(std::aligned_alloc(Alignment, size_t(1) << order));
}

Staging::~Staging() {
  if (!block)
    return;
  Pool &all = pool();
  {
    std::lock_guard lock(all.mutex);
    if (all.kept + (size_t(1) << order) <= MostKept) {
      all.unused[order].push_back(block);
      all.kept += size_t(1) << order;
      return;
    }
  }
  std::free(block);
}

Staging::Staging(Staging &&other) noexcept
    : block(std::exchange(other.block, nullptr)), order(other.order) {}

Staging &Staging::operator=(Staging &&other) noexcept {
  std::swap(block, other.block);
  std::swap(order, other.order);
  return *this;
}

} // namespace acis::device
