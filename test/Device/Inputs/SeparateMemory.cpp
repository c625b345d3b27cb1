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
// - Reads, writes and copies are made by a thread of their queue (CopyEngine.h).
// - The device says that it shares no memory with the host.
// - ACIS_TEST_DEVICE_RATE, in MB/s: no copy of a queue is faster.
// - ACIS_TEST_DEVICE_EXPORTS=1: it exports device memory as Xilinx's runtime does (Exports.h).
// - ACIS_TEST_DEVICE_FAILS, a number: after as many reads and writes all others fail.
// - ACIS_TEST_DEVICE_NONE: contexts say that they have no device.
//
// A map is made before the call returns, also one that the program does not wait for.
#include "test/Device/Inputs/CopyEngine.h"
#include "test/Device/Inputs/Exports.h"

#include <CL/cl_layer.h>

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace {

using separate::CopyEngine;
using separate::Pace;

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
separate::Exports exports(below);
std::mutex mutex;
std::map<cl_mem, Window> windows; ///< of whole buffers
std::map<cl_mem, Part> parts;     ///< all, the whole ones too

bool hasFailed() {
  static const char *text = std::getenv("ACIS_TEST_DEVICE_FAILS");
  static std::atomic<int> left = text ? std::atoi(text) : 0;
  return text && left-- <= 0;
}

void CL_CALLBACK onDestroyed(cl_mem memory, void *) {
  std::lock_guard lock(mutex);
  parts.erase(memory);
  exports.release(memory);
  auto at = windows.find(memory);
  if (at == windows.end())
    return;
  if (!at->second.isProgramMemory)
    munmap(at->second.base, at->second.size);
  windows.erase(at);
}

/// The host's memory of a buffer; `own`: the program's.
void addWindow(cl_mem made, size_t size, void *own) {
  Window window;
  const size_t page = size_t(sysconf(_SC_PAGESIZE));
  window.isProgramMemory = own;
  window.size = own ? size : (size + page - 1) / page * page;
  window.base = static_cast<char *>(own);
  if (!own)
    window.base = static_cast<char *>(
        mmap(nullptr, window.size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  window.close();
  {
    std::lock_guard lock(mutex);
    windows[made] = window;
    parts[made] = {made, 0};
  }
  below.clSetMemObjectDestructorCallback(made, onDestroyed, nullptr);
}

cl_mem createExported(cl_context context, cl_mem_flags flags, size_t size, void *extended,
                      cl_int *code) {
  const auto *memory = static_cast<const separate::ExtendedMemory *>(extended);
  const bool isRight = separate::Exports::areAsked() && memory->flags == separate::PeerToPeer;
  cl_mem made = isRight ? exports.make(context, flags, size, -1, code) : nullptr;
  if (code && !isRight)
    *code = CL_INVALID_VALUE;
  if (!made)
    return made;
  if (flags & CL_MEM_COPY_HOST_PTR)
    exports.fill(made, memory->host);
  addWindow(made, size, nullptr);
  return made;
}

cl_mem CL_API_CALL createBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                cl_int *code) {
  if (flags & separate::ExtendedPointer)
    return createExported(context, flags, size, host, code);
  const bool usesHost = flags & CL_MEM_USE_HOST_PTR;
  if (usesHost)
    flags = (flags & ~cl_mem_flags(CL_MEM_USE_HOST_PTR)) | CL_MEM_COPY_HOST_PTR;
  // The host cannot reach the device's memory at all.
  flags &= ~cl_mem_flags(CL_MEM_ALLOC_HOST_PTR);
  cl_mem made = below.clCreateBuffer(context, flags, size, host, code);
  if (made)
    addWindow(made, size, usesHost ? host : nullptr);
  return made;
}

cl_int getDescriptor(cl_mem memory, int *descriptor) {
  return exports.descriptorOf(memory, descriptor);
}

cl_int fromDescriptor(cl_context context, cl_device_id, cl_mem_flags flags, int descriptor,
                      cl_mem *made) {
  const off_t size = lseek(descriptor, 0, SEEK_END);
  cl_int code = CL_INVALID_VALUE;
  *made = size > 0 ? exports.make(context, flags, size_t(size), descriptor, &code) : nullptr;
  if (*made)
    addWindow(*made, size_t(size), nullptr);
  return code;
}

void *CL_API_CALL extensionAddress(cl_platform_id platform, const char *name) {
  if (separate::Exports::areAsked() && std::strcmp(name, "xclGetMemObjectFd") == 0)
    return reinterpret_cast<void *>(getDescriptor);
  if (separate::Exports::areAsked() && std::strcmp(name, "xclGetMemObjectFromFd") == 0)
    return reinterpret_cast<void *>(fromDescriptor);
  return below.clGetExtensionFunctionAddressForPlatform(platform, name);
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

std::map<cl_command_queue, std::shared_ptr<CopyEngine>> engines;

std::shared_ptr<CopyEngine> engineOf(cl_command_queue queue) {
  std::lock_guard lock(mutex);
  std::shared_ptr<CopyEngine> &engine = engines[queue];
  if (!engine)
    engine = std::make_shared<CopyEngine>(below, queue);
  return engine;
}

cl_int CL_API_CALL releaseQueue(cl_command_queue queue) {
  cl_uint references = 0;
  below.clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references,
                              nullptr);
  std::shared_ptr<CopyEngine> last;
  if (references == 1) {
    std::lock_guard lock(mutex);
    if (auto found = engines.find(queue); found != engines.end()) {
      last = found->second;
      engines.erase(found);
    }
  }
  last.reset(); // all its copies are made
  return below.clReleaseCommandQueue(queue);
}

/// A copy of which the device fails where it is to. The memory stays until it is made.
CopyEngine::Copy copyOf(std::vector<cl_mem> memory, CopyEngine::Copy copy) {
  const bool fails = hasFailed();
  for (cl_mem one : memory)
    below.clRetainMemObject(one);
  return [=](cl_command_queue queue) {
    const cl_int code = fails ? CL_OUT_OF_RESOURCES : copy(queue);
    for (cl_mem one : memory)
      below.clReleaseMemObject(one);
    return code;
  };
}

cl_int CL_API_CALL readBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocks, size_t offset,
                              size_t size, void *to, cl_uint count, const cl_event *events,
                              cl_event *event) {
  const auto copy = [=](cl_command_queue side) {
    return below.clEnqueueReadBuffer(side, memory, CL_TRUE, offset, size, to, 0, nullptr, nullptr);
  };
  return engineOf(queue)->add(size, copyOf({memory}, copy), blocks, count, events, event);
}

cl_int CL_API_CALL writeBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocks, size_t offset,
                               size_t size, const void *from, cl_uint count, const cl_event *events,
                               cl_event *event) {
  const auto copy = [=](cl_command_queue side) {
    return below.clEnqueueWriteBuffer(side, memory, CL_TRUE, offset, size, from, 0, nullptr,
                                      nullptr);
  };
  return engineOf(queue)->add(size, copyOf({memory}, copy), blocks, count, events, event);
}

using Triple = std::array<size_t, 3>;

Triple tripleOf(const size_t *values) { return {values[0], values[1], values[2]}; }

size_t bytesOf(const size_t *region) { return region[0] * region[1] * region[2]; }

cl_int CL_API_CALL readRows(cl_command_queue queue, cl_mem memory, cl_bool blocks,
                            const size_t *origin, const size_t *hostOrigin, const size_t *region,
                            size_t row, size_t slice, size_t hostRow, size_t hostSlice, void *to,
                            cl_uint count, const cl_event *events, cl_event *event) {
  const auto copy = [=, here = tripleOf(origin), there = tripleOf(hostOrigin),
                     all = tripleOf(region)](cl_command_queue side) {
    return below.clEnqueueReadBufferRect(side, memory, CL_TRUE, here.data(), there.data(),
                                         all.data(), row, slice, hostRow, hostSlice, to, 0, nullptr,
                                         nullptr);
  };
  return engineOf(queue)->add(bytesOf(region), copyOf({memory}, copy), blocks, count, events,
                              event);
}

cl_int CL_API_CALL writeRows(cl_command_queue queue, cl_mem memory, cl_bool blocks,
                             const size_t *origin, const size_t *hostOrigin, const size_t *region,
                             size_t row, size_t slice, size_t hostRow, size_t hostSlice,
                             const void *from, cl_uint count, const cl_event *events,
                             cl_event *event) {
  const auto copy = [=, here = tripleOf(origin), there = tripleOf(hostOrigin),
                     all = tripleOf(region)](cl_command_queue side) {
    return below.clEnqueueWriteBufferRect(side, memory, CL_TRUE, here.data(), there.data(),
                                          all.data(), row, slice, hostRow, hostSlice, from, 0,
                                          nullptr, nullptr);
  };
  return engineOf(queue)->add(bytesOf(region), copyOf({memory}, copy), blocks, count, events,
                              event);
}

cl_int CL_API_CALL copyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t fromOffset,
                              size_t toOffset, size_t size, cl_uint count, const cl_event *events,
                              cl_event *event) {
  const auto copy = [=](cl_command_queue side) {
    const cl_int code =
        below.clEnqueueCopyBuffer(side, from, to, fromOffset, toOffset, size, 0, nullptr, nullptr);
    return code == CL_SUCCESS ? below.clFinish(side) : code;
  };
  return engineOf(queue)->add(size, copyOf({from, to}, copy), CL_FALSE, count, events, event);
}

cl_int CL_API_CALL deviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                              size_t *needed) {
  const cl_int code = below.clGetDeviceInfo(device, what, size, value, needed);
  if (code != CL_SUCCESS || !value)
    return code;
  if (what == CL_DEVICE_HOST_UNIFIED_MEMORY)
    *static_cast<cl_bool *>(value) = CL_FALSE;
  if (what == CL_DEVICE_SVM_CAPABILITIES)
    *static_cast<cl_device_svm_capabilities *>(value) &= CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
  return code;
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

static cl_int CL_API_CALL contextInfo(cl_context context, cl_context_info what, size_t size,
                                      void *value, size_t *bytes) {
  if (what != CL_CONTEXT_DEVICES || !std::getenv("ACIS_TEST_DEVICE_NONE"))
    return below.clGetContextInfo(context, what, size, value, bytes);
  if (bytes)
    *bytes = 0;
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
  above.clEnqueueReadBufferRect = readRows;
  above.clEnqueueWriteBufferRect = writeRows;
  above.clEnqueueCopyBuffer = copyBuffer;
  above.clReleaseCommandQueue = releaseQueue;
  above.clGetDeviceInfo = deviceInfo;
  above.clGetContextInfo = contextInfo;
  above.clGetExtensionFunctionAddressForPlatform = extensionAddress;
  *entriesHere = sizeof above / sizeof(void *);
  *here = &above;
  return CL_SUCCESS;
}

} // extern "C"
