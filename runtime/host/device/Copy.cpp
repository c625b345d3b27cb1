// See Copy.h.
#include "runtime/host/device/Copy.h"

#include "runtime/host/device/OpenCl.h"

namespace acis::device {

namespace {

Error about(const Buffer &buffer, const std::string &what) {
  return Error{registry().describe(buffer), what};
}

/// What forbids it, or null.
const char *refusal(const Window &window, Direction direction) {
  const bool receives = direction == Direction::Receive;
  if (window.kind == Kind::Mapped)
    return receives && !(window.mapFlags & WritingMap)
               ? "is mapped for reading only and cannot receive; map it with CL_MAP_WRITE"
               : nullptr;
  const cl_mem_flags flags = window.buffer->flags;
  if (flags & CL_MEM_HOST_NO_ACCESS)
    return "was made with CL_MEM_HOST_NO_ACCESS: MPI, which is on the host, cannot use it";
  if (receives && (flags & CL_MEM_HOST_READ_ONLY))
    return "was made with CL_MEM_HOST_READ_ONLY and cannot receive";
  if (!receives && (flags & CL_MEM_HOST_WRITE_ONLY))
    return "was made with CL_MEM_HOST_WRITE_ONLY and cannot be sent";
  return nullptr;
}

Status result(const Place &place, cl_int code, const char *what) {
  if (code == CL_SUCCESS)
    return {};
  return about(*place.buffer,
               std::string("cannot be ") + what + ": OpenCL error " + std::to_string(code));
}

} // namespace

Result<std::optional<Place>> placeAt(const void *address, size_t bytes, Direction direction) {
  const std::optional<Window> window = registry().find(address);
  if (!window)
    return std::optional<Place>();
  const auto at = reinterpret_cast<uintptr_t>(address);
  const size_t inWindow = at - window->range.begin, left = window->range.end - at;
  if (bytes > left)
    return about(*window->buffer,
                 "ends before the message does: " + std::to_string(bytes) + " bytes from byte " +
                     std::to_string(window->offset + inWindow) + " on, but " +
                     std::to_string(left) +
                     (window->kind == Kind::Mapped ? " are mapped there" : " are left"));
  if (const char *why = refusal(*window, direction))
    return about(*window->buffer, why);
  return std::optional(
      Place{window->kind, window->buffer, window->offset + inWindow, bytes, window->number});
}

Status read(const Place &place, size_t from, size_t bytes, void *to) {
  const Buffer &buffer = *place.buffer;
  std::string why;
  cl_command_queue queue = buffer.context->queue(why);
  if (!queue)
    return about(buffer, "cannot be read: " + why);
  const size_t at = place.offset + from;
  return result(place,
                buffer.svm ? ACIS_CL(clEnqueueSVMMemcpy)(queue, CL_TRUE, to, buffer.svm + at, bytes,
                                                         0, nullptr, nullptr)
                           : ACIS_CL(clEnqueueReadBuffer)(queue, buffer.handle, CL_TRUE, at, bytes,
                                                          to, 0, nullptr, nullptr),
                "read");
}

Status write(const Place &place, size_t to, size_t bytes, const void *from) {
  const Buffer &buffer = *place.buffer;
  std::string why;
  cl_command_queue queue = buffer.context->queue(why);
  if (!queue)
    return about(buffer, "cannot be written: " + why);
  const size_t at = place.offset + to;
  return result(place,
                buffer.svm ? ACIS_CL(clEnqueueSVMMemcpy)(queue, CL_TRUE, buffer.svm + at, from,
                                                         bytes, 0, nullptr, nullptr)
                           : ACIS_CL(clEnqueueWriteBuffer)(queue, buffer.handle, CL_TRUE, at, bytes,
                                                           from, 0, nullptr, nullptr),
                "written");
}

Hold::Hold(std::shared_ptr<Buffer> held) : buffer(std::move(held)) {
  if (buffer->handle)
    ACIS_CL(clRetainMemObject)(buffer->handle);
}

Hold::~Hold() {
  if (buffer->handle)
    ACIS_CL(clReleaseMemObject)(buffer->handle);
}

} // namespace acis::device
