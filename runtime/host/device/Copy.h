// Where bytes of a message are on a device, and the copies between there and the host. Both block.
#pragma once

#include "backend/support/Result.h"
#include "runtime/host/device/Registry.h"

namespace acis::device {

/// Which way bytes go, seen from the device.
enum class Direction { Send, Receive };

/// `bytes` from `offset` of a buffer; for Kind::Mapped, of the window with this number.
struct Place {
  Kind kind = Kind::Pointer;
  std::shared_ptr<Buffer> buffer;
  size_t offset = 0, bytes = 0;
  uint64_t window = 0;
};

/// The place at `address`, or why a message cannot be there: its end is outside of the buffer, or
/// the program has said that the host does not touch it. Only for addresses that are some window's;
/// nothing when it is none any more.
Result<std::optional<Place>> placeAt(const void *address, size_t bytes, Direction direction);

/// From the device: `bytes` from place.offset + `from`.
Status read(const Place &place, size_t from, size_t bytes, void *to);
/// To the device.
Status write(const Place &place, size_t to, size_t bytes, const void *from);

/// Keeps a buffer's memory while MPI uses it, also when the program releases it.
class Hold {
public:
  explicit Hold(std::shared_ptr<Buffer> buffer);
  ~Hold();
  Hold(const Hold &) = delete;
  Hold &operator=(const Hold &) = delete;

private:
  std::shared_ptr<Buffer> buffer;
};

} // namespace acis::device
