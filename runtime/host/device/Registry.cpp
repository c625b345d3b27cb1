// See Registry.h.
#include "runtime/host/device/Registry.h"

#include "runtime/host/device/OpenCl.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace acis::device {

namespace {

Range rangeOf(const void *at, size_t size) {
  const auto begin = reinterpret_cast<uintptr_t>(at);
  return {begin, begin + size};
}

bool holds(const Range &range, const void *address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  return range.begin <= at && at < range.end;
}

bool overlap(const Range &one, const Range &other) {
  return one.begin < other.end && other.begin < one.end;
}

/// Whether an address of this buffer stays its own when it is not mapped.
bool keepsAddress(const Buffer &buffer) {
  static const char *text = std::getenv("ACIS_DEVICE_KEEP");
  static const bool isAsked = text && std::string(text) == "1";
  return isAsked || (buffer.flags & CL_MEM_USE_HOST_PTR);
}

} // namespace

Context::~Context() {
  for (cl_command_queue queue : made)
    if (queue)
      ACIS_CL(clReleaseCommandQueue)(queue);
}

cl_command_queue Context::queue(Direction direction, std::string &why) {
  std::lock_guard lock(mutex);
  cl_command_queue &queue = made[size_t(direction)];
  if (queue)
    return queue;
  size_t bytes = 0;
  ACIS_CL(clGetContextInfo)(context, CL_CONTEXT_DEVICES, 0, nullptr, &bytes);
  std::vector<cl_device_id> devices(bytes / sizeof(cl_device_id));
  if (devices.empty()) {
    why = "its context has no device";
    return nullptr;
  }
  ACIS_CL(clGetContextInfo)(context, CL_CONTEXT_DEVICES, bytes, devices.data(), nullptr);
  cl_int code = CL_SUCCESS;
  queue = ACIS_CL(clCreateCommandQueueWithProperties)(context, devices[0], nullptr, &code);
  if (!queue)
    why = "no queue can be made on its device: OpenCL error " + std::to_string(code);
  return queue;
}

Registry &registry() {
  static Registry &instance = *new Registry;
  return instance;
}

void Registry::publish() {
  std::vector<Range> all;
  all.reserve(windows.size());
  for (const Window &window : windows)
    all.push_back(window.range);
  ranges.assign(std::move(all));
}

/// A map is what the program did last and knows of; it comes before what an address was before, and
/// one that may be written before one that may not.
Window *Registry::at(const void *address) {
  const auto rank = [](const Window &window) {
    return window.kind != Kind::Mapped ? 0 : (window.mapFlags & WritingMap) ? 2 : 1;
  };
  Window *found = nullptr;
  for (Window &window : windows)
    if (holds(window.range, address) && (!found || rank(window) > rank(*found)))
      found = &window;
  return found;
}

Window *Registry::numbered(uint64_t number) {
  auto found = std::ranges::find_if(windows, [&](const Window &window) {
    return window.kind == Kind::Mapped && window.number == number;
  });
  return found == windows.end() ? nullptr : &*found;
}

void Registry::addMap(Window window) {
  window.kind = Kind::Mapped;
  window.number = ++maps;
  windows.push_back(std::move(window));
  publish();
}

std::optional<Window> Registry::find(const void *address) {
  std::lock_guard lock(mutex);
  const Window *found = at(address);
  return found ? std::optional(*found) : std::nullopt;
}

std::shared_ptr<Context> Registry::contextOf(cl_context context) {
  std::weak_ptr<Context> &known = contexts[context];
  std::shared_ptr<Context> made = known.lock();
  if (!made)
    known = made = std::make_shared<Context>(context);
  return made;
}

void Registry::addBuffer(cl_mem handle, cl_context context, cl_mem_flags flags, size_t size,
                         void *host, char *shared, std::shared_ptr<Export> exported) {
  auto buffer = std::make_shared<Buffer>();
  buffer->handle = handle;
  buffer->flags = flags;
  buffer->size = size;
  buffer->shared = shared;
  buffer->exported = std::move(exported);
  std::lock_guard lock(mutex);
  buffer->context = contextOf(context);
  buffers[handle] = buffer;
  if (flags & CL_MEM_USE_HOST_PTR) {
    windows.push_back({.range = rangeOf(host, size), .buffer = buffer, .kind = Kind::Kept});
    publish();
  }
}

void Registry::addPart(cl_mem handle, cl_mem whole, size_t origin, size_t size,
                       cl_mem_flags flags) {
  std::lock_guard lock(mutex);
  auto found = buffers.find(whole);
  if (found == buffers.end())
    return;
  auto buffer = std::make_shared<Buffer>(*found->second);
  buffer->handle = handle;
  buffer->size = size;
  if (flags)
    buffer->flags = flags;
  buffer->name.clear();
  buffer->references = 1;
  buffer->parts = 0;
  buffer->pointer = nullptr;
  buffer->whole = found->second;
  buffer->origin = origin;
  ++found->second->parts;
  buffers[handle] = buffer;
}

void Registry::addSvm(void *at, cl_context context, size_t size) {
  auto buffer = std::make_shared<Buffer>();
  buffer->svm = static_cast<char *>(at);
  buffer->size = size;
  std::lock_guard lock(mutex);
  buffer->context = contextOf(context);
  svm[at] = buffer;
  windows.push_back({.range = rangeOf(at, size), .buffer = buffer, .kind = Kind::Svm});
  publish();
}

/// Forgets the addresses of a buffer that the program has let go.
void Registry::drop(const std::shared_ptr<Buffer> &buffer) {
  std::erase_if(windows, [&](const Window &window) { return window.buffer == buffer; });
  publish();
  if (buffer->pointer)
    munmap(buffer->pointer, std::max<size_t>(buffer->size, 1));
  buffer->pointer = nullptr;
}

void Registry::retain(cl_mem handle) {
  std::lock_guard lock(mutex);
  if (auto found = buffers.find(handle); found != buffers.end())
    ++found->second->references;
}

void Registry::release(cl_mem handle) {
  std::shared_ptr<Buffer> last; // its queue is released without the lock
  std::lock_guard lock(mutex);
  auto found = buffers.find(handle);
  if (found == buffers.end() || --found->second->references > 0)
    return;
  last = found->second;
  buffers.erase(found);
  if (last->whole)
    --last->whole->parts;
  for (const std::shared_ptr<Buffer> &one : {last, last->whole})
    if (one && !one->whole && one->isGone())
      drop(one);
}

void Registry::releaseSvm(void *at) {
  std::shared_ptr<Buffer> last;
  std::lock_guard lock(mutex);
  auto found = svm.find(at);
  if (found == svm.end())
    return;
  last = found->second;
  last->references = 0;
  svm.erase(found);
  drop(last);
}

std::shared_ptr<Buffer> Registry::whole(cl_mem handle) {
  auto found = buffers.find(handle);
  if (found == buffers.end())
    return nullptr;
  return found->second->whole ? found->second->whole : found->second;
}

void Registry::map(cl_mem handle, void *at, size_t offset, size_t size, cl_map_flags flags) {
  std::lock_guard lock(mutex);
  auto found = buffers.find(handle);
  if (found == buffers.end())
    return;
  const std::shared_ptr<Buffer> buffer = whole(handle);
  const Range range = rangeOf(at, size);
  // The address has a new owner.
  std::erase_if(windows, [&](const Window &window) {
    return window.kind == Kind::Kept && window.buffer != buffer && overlap(window.range, range);
  });
  addMap({.range = range,
          .buffer = buffer,
          .offset = offset + (found->second->whole ? found->second->origin : 0),
          .mapFlags = flags,
          .mappedAt = at});
}

void Registry::mapSvm(void *address, size_t size, cl_map_flags flags) {
  std::lock_guard lock(mutex);
  const Window *inside = at(address);
  if (!inside || !inside->buffer->svm)
    return;
  const std::shared_ptr<Buffer> buffer = inside->buffer;
  addMap({.range = rangeOf(address, size),
          .buffer = buffer,
          .offset = size_t(static_cast<char *>(address) - buffer->svm),
          .mapFlags = flags,
          .mappedAt = address});
}

bool Registry::unmapAt(const std::shared_ptr<Buffer> &buffer, void *address) {
  auto found = std::ranges::find_if(windows, [&](const Window &window) {
    return window.kind == Kind::Mapped && window.buffer == buffer && window.mappedAt == address;
  });
  if (found == windows.end())
    return true; // not ours to judge
  if (found->messages > 0) {
    found->isToldOff = true;
    return false;
  }
  Window old = *found;
  windows.erase(found);
  if (!buffer->svm && keepsAddress(*buffer)) {
    old.kind = Kind::Kept;
    // As many as there are different maps, not as there were maps.
    std::erase_if(windows, [&](const Window &window) {
      return window.kind == Kind::Kept && window.buffer == buffer &&
             window.range.begin >= old.range.begin && window.range.end <= old.range.end;
    });
    windows.push_back(old);
  }
  publish();
  return true;
}

bool Registry::unmap(cl_mem handle, void *address) {
  std::lock_guard lock(mutex);
  const std::shared_ptr<Buffer> buffer = whole(handle);
  return !buffer || unmapAt(buffer, address);
}

bool Registry::unmapSvm(void *address) {
  std::lock_guard lock(mutex);
  const Window *inside = at(address);
  return !inside || !inside->buffer->svm || unmapAt(inside->buffer, address);
}

void *Registry::pointer(cl_mem handle) {
  std::lock_guard lock(mutex);
  const std::shared_ptr<Buffer> buffer = whole(handle);
  if (!buffer)
    return nullptr;
  if (!buffer->pointer) {
    void *made =
        mmap(nullptr, buffer->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED)
      return nullptr;
    buffer->pointer = made;
    windows.push_back({.range = rangeOf(made, buffer->size), .buffer = buffer});
    publish();
  }
  const std::shared_ptr<Buffer> &named = buffers.at(handle);
  return static_cast<char *>(buffer->pointer) + (named->whole ? named->origin : 0);
}

bool Registry::setName(cl_mem handle, const char *name) {
  std::lock_guard lock(mutex);
  auto found = buffers.find(handle);
  if (found == buffers.end())
    return false;
  found->second->name = name;
  return true;
}

std::string Registry::describe(const Buffer &buffer) {
  std::lock_guard lock(mutex);
  char handle[32];
  std::snprintf(handle, sizeof handle, "%p",
                buffer.svm ? static_cast<void *>(buffer.svm) : static_cast<void *>(buffer.handle));
  return "buffer " + (buffer.name.empty() ? std::string(handle) : "'" + buffer.name + "'") +
         " of " + std::to_string(buffer.size) + " bytes";
}

bool Registry::beginMessage(uint64_t window) {
  std::lock_guard lock(mutex);
  Window *found = numbered(window);
  if (found)
    ++found->messages;
  return found;
}

bool Registry::endMessage(uint64_t window) {
  std::lock_guard lock(mutex);
  Window *found = numbered(window);
  if (!found)
    return false;
  --found->messages;
  return found->messages > 0 ? found->isToldOff : std::exchange(found->isToldOff, false);
}

std::shared_ptr<Context> Registry::contextOf(cl_mem handle) {
  std::lock_guard lock(mutex);
  const auto found = buffers.find(handle);
  return found == buffers.end() ? nullptr : found->second->context;
}

bool Registry::isGone(const Buffer &buffer) {
  std::lock_guard lock(mutex);
  return buffer.isGone();
}

} // namespace acis::device
