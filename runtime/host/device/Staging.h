// Host memory for bytes between a device and MPI. Blocks are used again: fresh memory costs a page
// fault for each page, which for large messages is more than the copy.
#pragma once

#include <cstddef>
#include <memory>

namespace acis::device {

class Staging {
public:
  Staging() = default;
  /// No bytes when there is no memory.
  explicit Staging(size_t bytes);
  ~Staging();
  Staging(Staging &&other) noexcept;
  Staging &operator=(Staging &&other) noexcept;

  char *data() const { return block; }

private:
  char *block = nullptr;
  unsigned order = 0; ///< of two, its size
};

} // namespace acis::device
