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

Status result(const Buffer &buffer, cl_int code, const char *what) {
  if (code == CL_SUCCESS)
    return {};
  return about(buffer, std::string("cannot be ") + what + ": OpenCL error " + std::to_string(code));
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

namespace {

/// Enqueues a copy; `event` null: blocks.
Status copy(const Place &place, Direction direction, size_t at, size_t bytes, void *host,
            cl_event *event) {
  const Buffer &buffer = *place.buffer;
  const bool reads = direction == Direction::Send;
  const char *what = reads ? "read" : "written";
  std::string why;
  cl_command_queue queue = buffer.context->queue(direction, why);
  if (!queue)
    return about(buffer, std::string("cannot be ") + what + ": " + why);
  at += place.offset;
  const cl_bool blocks = event ? CL_FALSE : CL_TRUE;
  cl_int code;
  if (buffer.svm)
    code = ACIS_CL(clEnqueueSVMMemcpy)(queue, blocks, reads ? host : buffer.svm + at,
                                       reads ? buffer.svm + at : host, bytes, 0, nullptr, event);
  else if (reads)
    code = ACIS_CL(clEnqueueReadBuffer)(queue, buffer.handle, blocks, at, bytes, host, 0, nullptr,
                                        event);
  else
    code = ACIS_CL(clEnqueueWriteBuffer)(queue, buffer.handle, blocks, at, bytes, host, 0, nullptr,
                                         event);
  if (code == CL_SUCCESS && event)
    ACIS_CL(clFlush)(queue);
  return result(buffer, code, what);
}

} // namespace

Copying::Copying(Copying &&other) noexcept { *this = std::move(other); }

Copying &Copying::operator=(Copying &&other) noexcept {
  std::swap(event, other.event);
  std::swap(buffer, other.buffer);
  std::swap(what, other.what);
  std::swap(state, other.state);
  return *this;
}

Copying::~Copying() {
  if (!event)
    return;
  if (!isOver())
    ACIS_CL(clWaitForEvents)(1, &event);
  ACIS_CL(clReleaseEvent)(event);
}

bool Copying::isOver() {
  if (!event || state <= CL_COMPLETE)
    return true;
  const cl_int code = ACIS_CL(clGetEventInfo)(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                              sizeof state, &state, nullptr);
  if (code != CL_SUCCESS)
    state = code;
  return state <= CL_COMPLETE;
}

Status Copying::result() const { return buffer ? device::result(*buffer, state, what) : Status(); }

Result<Copying> readLater(const Place &place, size_t from, size_t bytes, void *to) {
  cl_event event = nullptr;
  if (Status made = copy(place, Direction::Send, from, bytes, to, &event); !made)
    return made.error();
  return Copying(event, place.buffer, "read");
}

Result<Copying> writeLater(const Place &place, size_t to, size_t bytes, const void *from) {
  cl_event event = nullptr;
  void *host = const_cast<void *>(from);
  if (Status made = copy(place, Direction::Receive, to, bytes, host, &event); !made)
    return made.error();
  return Copying(event, place.buffer, "written");
}

Result<Copying> copyLater(const Place &from, const Place &to) {
  std::string why;
  cl_command_queue queue = to.buffer->context->queue(Direction::Receive, why);
  if (!queue)
    return about(*to.buffer, "cannot be written: " + why);
  cl_event event = nullptr;
  const cl_int code =
      ACIS_CL(clEnqueueCopyBuffer)(queue, from.buffer->handle, to.buffer->handle, from.offset,
                                   to.offset, from.bytes, 0, nullptr, &event);
  if (Status made = result(*to.buffer, code, "written"); !made)
    return made.error();
  ACIS_CL(clFlush)(queue);
  return Copying(event, to.buffer, "written");
}

Status read(const Place &place, size_t from, size_t bytes, void *to) {
  return copy(place, Direction::Send, from, bytes, to, nullptr);
}

Status write(const Place &place, size_t to, size_t bytes, const void *from) {
  return copy(place, Direction::Receive, to, bytes, const_cast<void *>(from), nullptr);
}

namespace {

/// The planes' distance need not be one of rows, so each is a copy.
Status copyRows(const Place &place, Direction direction, size_t at, const Rows &rows, char *host) {
  const Buffer &buffer = *place.buffer;
  const bool reads = direction == Direction::Send;
  const char *what = reads ? "read" : "written";
  std::string why;
  cl_command_queue queue = buffer.context->queue(direction, why);
  if (!queue)
    return about(buffer, std::string("cannot be ") + what + ": " + why);
  const size_t region[3] = {rows.bytes, rows.count, 1}, none[3] = {};
  cl_int code = CL_SUCCESS;
  for (size_t plane = 0; code == CL_SUCCESS && plane < rows.planes; ++plane) {
    const size_t offset = plane * rows.planeStride, origin[3] = {place.offset + at + offset, 0, 0};
    const cl_bool blocks = plane + 1 == rows.planes;
    char *there = host + offset;
    code = reads ? ACIS_CL(clEnqueueReadBufferRect)(queue, buffer.handle, blocks, origin, none,
                                                    region, rows.stride, 0, rows.stride, 0, there,
                                                    0, nullptr, nullptr)
                 : ACIS_CL(clEnqueueWriteBufferRect)(queue, buffer.handle, blocks, origin, none,
                                                     region, rows.stride, 0, rows.stride, 0, there,
                                                     0, nullptr, nullptr);
  }
  if (code != CL_SUCCESS)
    ACIS_CL(clFinish)(queue); // none of them uses the host's memory any more
  return result(buffer, code, what);
}

} // namespace

Status readRows(const Place &place, size_t from, const Rows &rows, void *to) {
  return copyRows(place, Direction::Send, from, rows, static_cast<char *>(to));
}

Status writeRows(const Place &place, size_t to, const Rows &rows, const void *from) {
  return copyRows(place, Direction::Receive, to, rows,
                  const_cast<char *>(static_cast<const char *>(from)));
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
