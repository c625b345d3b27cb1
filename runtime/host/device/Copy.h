// Where bytes of a message are on a device, and the copies between there and the host.
#pragma once

#include "backend/support/Result.h"
#include "runtime/host/device/Registry.h"

namespace acis::device {

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

/// A copy that is under way. Its host memory is in use until it has ended; the destructor waits.
class Copying {
public:
  Copying() = default;
  Copying(cl_event event, std::shared_ptr<Buffer> buffer, const char *what)
      : event(event), buffer(std::move(buffer)), what(what) {}
  ~Copying();
  Copying(Copying &&other) noexcept;
  Copying &operator=(Copying &&other) noexcept;

  /// Does not block.
  bool isOver();
  /// When it is over: how it went.
  Status result() const;

private:
  cl_event event = nullptr;
  std::shared_ptr<Buffer> buffer;
  const char *what = "";
  cl_int state = CL_QUEUED;
};

/// As read and write below, but returns at once. Copies of one context and direction are made in
/// the order of these calls.
Result<Copying> readLater(const Place &place, size_t from, size_t bytes, void *to);
Result<Copying> writeLater(const Place &place, size_t to, size_t bytes, const void *from);

/// From a device to a device, which one context has both of.
Result<Copying> copyLater(const Place &from, const Place &to);

/// From the device: `bytes` from place.offset + `from`.
Status read(const Place &place, size_t from, size_t bytes, void *to);
/// To the device.
Status write(const Place &place, size_t to, size_t bytes, const void *from);

/// Rows of bytes at a distance, in planes at another one.
struct Rows {
  size_t bytes = 0, count = 1, stride = 0, planes = 1, planeStride = 0;
  size_t total() const { return count * planes; }
};

/// As read and write, only the rows, whose distances are those of the host's memory as well. Not of
/// SVM.
Status readRows(const Place &place, size_t from, const Rows &rows, void *to);
Status writeRows(const Place &place, size_t to, const Rows &rows, const void *from);

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
