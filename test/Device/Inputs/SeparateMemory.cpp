// An OpenCL layer for tests (OPENCL_LAYERS=libacis-separate-memory.so) that makes the memory of any
// device separate from the host's, as that of a card is. PoCL's is the host's, so that a program
// which reads a buffer where it is not mapped gets right bytes there and wrong ones elsewhere.
//
// - Every buffer has a window of host memory, at one address for its life. A map copies from the
//   device into the window; an unmap of a map for writing copies back.
// - While nothing is mapped the window is protected: a touch ends the program.
// - The bytes of a window that a map did not ask for, or that it invalidates, are Junk.
// - Memory that the program gives (CL_MEM_USE_HOST_PTR) is the window, filled with Junk while it is
//   not mapped: it may share pages with other data, which cannot be protected.
// - ACIS_TEST_DEVICE_RATE, in MB/s: no copy is faster.
// - ACIS_TEST_DEVICE_FAILS, a number: after as many reads and writes all others fail.
//
// Copies are made before the call returns, also those that the program does not wait for.
#include <CL/cl_layer.h>

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int Junk = 0xa5;
constexpr cl_map_flags Writes = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

struct Mapping {
  char *at;
  size_t offset, size;
  cl_map_flags flags;
};

struct Window {
  char *base = nullptr;
  size_t size = 0;
  bool isProgramMemory = false;
  std::vector<Mapping> mappings;

  void close() {
    if (isProgramMemory)
      std::memset(base, Junk, size);
    else
      mprotect(base, size, PROT_NONE);
  }
  void open() {
    if (!isProgramMemory)
      mprotect(base, size, PROT_READ | PROT_WRITE);
    std::memset(base, Junk, size);
  }
};

/// A buffer, or a part of one.
struct Part {
  cl_mem root;
  size_t origin;
};

cl_icd_dispatch below, above;
std::mutex mutex;
std::map<cl_mem, Window> windows; ///< of whole buffers
std::map<cl_mem, Part> parts;     ///< all, the whole ones too

class Pace {
  using Clock = std::chrono::steady_clock;
  Clock::time_point end = Clock::now();

public:
  explicit Pace(size_t bytes) {
    static const char *text = std::getenv("ACIS_TEST_DEVICE_RATE");
    static const double rate = text ? std::atof(text) : 0;
    if (rate > 0)
      end += std::chrono::nanoseconds(int64_t(double(bytes) * 1e3 / rate));
  }
  ~Pace() { std::this_thread::sleep_until(end); }
};

bool hasFailed() {
  static const char *text = std::getenv("ACIS_TEST_DEVICE_FAILS");
  static std::atomic<int> left = text ? std::atoi(text) : 0;
  return text && left-- <= 0;
}

void CL_CALLBACK onDestroyed(cl_mem memory, void *) {
  std::lock_guard lock(mutex);
  parts.erase(memory);
  auto at = windows.find(memory);
  if (at == windows.end())
    return;
  if (!at->second.isProgramMemory)
    munmap(at->second.base, at->second.size);
  windows.erase(at);
}

cl_mem CL_API_CALL createBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                cl_int *code) {
  const bool usesHost = flags & CL_MEM_USE_HOST_PTR;
  if (usesHost)
    flags = (flags & ~cl_mem_flags(CL_MEM_USE_HOST_PTR)) | CL_MEM_COPY_HOST_PTR;
  // The host cannot reach the device's memory at all.
  flags &= ~cl_mem_flags(CL_MEM_ALLOC_HOST_PTR);
  cl_mem made = below.clCreateBuffer(context, flags, size, host, code);
  if (!made)
    return made;
  Window window;
  const size_t page = size_t(sysconf(_SC_PAGESIZE));
  window.isProgramMemory = usesHost;
  window.size = usesHost ? size : (size + page - 1) / page * page;
  window.base = static_cast<char *>(host);
  if (!usesHost)
    window.base = static_cast<char *>(
        mmap(nullptr, window.size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  window.close();
  {
    std::lock_guard lock(mutex);
    windows[made] = window;
    parts[made] = {made, 0};
  }
  below.clSetMemObjectDestructorCallback(made, onDestroyed, nullptr);
  return made;
}

cl_mem CL_API_CALL createSubBuffer(cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type,
                                   const void *info, cl_int *code) {
  cl_mem made = below.clCreateSubBuffer(whole, flags, type, info, code);
  if (!made)
    return made;
  {
    std::lock_guard lock(mutex);
    parts[made] = {whole, static_cast<const cl_buffer_region *>(info)->origin};
  }
  below.clSetMemObjectDestructorCallback(made, onDestroyed, nullptr);
  return made;
}

cl_int finish(cl_command_queue queue, cl_uint count, const cl_event *events, cl_event *event) {
  return event ? below.clEnqueueMarkerWithWaitList(queue, count, events, event) : CL_SUCCESS;
}

void *CL_API_CALL mapBuffer(cl_command_queue queue, cl_mem memory, cl_bool, cl_map_flags flags,
                            size_t offset, size_t size, cl_uint count, const cl_event *events,
                            cl_event *event, cl_int *code) {
  Pace pace(flags & CL_MAP_WRITE_INVALIDATE_REGION ? 0 : size);
  std::vector<char> bytes(size, char(Junk));
  // Read even where it is invalidated: the device below checks queue, buffer and range.
  cl_int result = below.clEnqueueReadBuffer(queue, memory, CL_TRUE, offset, size, bytes.data(),
                                            count, events, nullptr);
  char *at = nullptr;
  if (result == CL_SUCCESS) {
    std::lock_guard lock(mutex);
    const Part part = parts.at(memory);
    Window &window = windows.at(part.root);
    if (window.mappings.empty())
      window.open();
    at = window.base + part.origin + offset;
    if (flags & CL_MAP_WRITE_INVALIDATE_REGION)
      std::memset(at, Junk, size);
    else
      std::memcpy(at, bytes.data(), size);
    window.mappings.push_back({at, part.origin + offset, size, flags});
    result = finish(queue, 0, nullptr, event);
  }
  if (code)
    *code = result;
  return at;
}

cl_int CL_API_CALL unmap(cl_command_queue queue, cl_mem memory, void *at, cl_uint count,
                         const cl_event *events, cl_event *event) {
  if (count)
    below.clWaitForEvents(count, events);
  std::lock_guard lock(mutex);
  auto found = parts.find(memory);
  if (found == parts.end()) // an image
    return below.clEnqueueUnmapMemObject(queue, memory, at, count, events, event);
  const cl_mem root = found->second.root;
  Window &window = windows.at(root);
  for (size_t i = 0; i < window.mappings.size(); ++i) {
    const Mapping mapping = window.mappings[i];
    if (mapping.at != at)
      continue;
    Pace pace(mapping.flags & Writes ? mapping.size : 0);
    cl_int result = CL_SUCCESS;
    if (mapping.flags & Writes)
      result = below.clEnqueueWriteBuffer(queue, root, CL_TRUE, mapping.offset, mapping.size, at, 0,
                                          nullptr, nullptr);
    window.mappings.erase(window.mappings.begin() + long(i));
    if (window.mappings.empty())
      window.close();
    return result == CL_SUCCESS ? finish(queue, 0, nullptr, event) : result;
  }
  return CL_INVALID_VALUE;
}

cl_int CL_API_CALL readBuffer(cl_command_queue queue, cl_mem memory, cl_bool, size_t offset,
                              size_t size, void *to, cl_uint count, const cl_event *events,
                              cl_event *event) {
  if (hasFailed())
    return CL_OUT_OF_RESOURCES;
  Pace pace(size);
  return below.clEnqueueReadBuffer(queue, memory, CL_TRUE, offset, size, to, count, events, event);
}

cl_int CL_API_CALL writeBuffer(cl_command_queue queue, cl_mem memory, cl_bool, size_t offset,
                               size_t size, const void *from, cl_uint count, const cl_event *events,
                               cl_event *event) {
  if (hasFailed())
    return CL_OUT_OF_RESOURCES;
  Pace pace(size);
  return below.clEnqueueWriteBuffer(queue, memory, CL_TRUE, offset, size, from, count, events,
                                    event);
}

} // namespace

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size, void *value,
                                               size_t *needed) {
  if (what != CL_LAYER_API_VERSION || (value && size < sizeof(cl_layer_api_version)))
    return CL_INVALID_VALUE;
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  if (value)
    std::memcpy(value, &version, sizeof version);
  if (needed)
    *needed = sizeof version;
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch *target,
                                            cl_uint *entriesHere, const cl_icd_dispatch **here) {
  if (entries < sizeof below / sizeof(void *))
    return CL_INVALID_VALUE;
  below = *target;
  above = below;
  above.clCreateBuffer = createBuffer;
  above.clCreateSubBuffer = createSubBuffer;
  above.clEnqueueMapBuffer = mapBuffer;
  above.clEnqueueUnmapMemObject = unmap;
  above.clEnqueueReadBuffer = readBuffer;
  above.clEnqueueWriteBuffer = writeBuffer;
  *entriesHere = sizeof above / sizeof(void *);
  *here = &above;
  return CL_SUCCESS;
}

} // extern "C"
