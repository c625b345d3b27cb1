// See Export.h.
#include "runtime/host/device/Export.h"

#include "runtime/host/device/OpenCl.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace acis::device {

namespace {

// As in Xilinx's cl_ext_xilinx.h.
constexpr cl_mem_flags ExtendedPointer = cl_mem_flags(1) << 31;
constexpr unsigned PeerToPeer = 1u << 30;
struct ExtendedMemory {
  unsigned flags;
  void *host;
  void *parameter;
};
using GetDescriptor = cl_int(cl_mem, int *);
using FromDescriptor = cl_int(cl_context, cl_device_id, cl_mem_flags, int, cl_mem *);

std::atomic<uint64_t> exports = 0;

struct Importer {
  std::mutex mutex;
  std::shared_ptr<Context> context;
};

Importer &theImporter() {
  static Importer &instance = *new Importer;
  return instance;
}

cl_device_id firstDevice(cl_context context) {
  cl_device_id devices[64] = {};
  ACIS_CL(clGetContextInfo)(context, CL_CONTEXT_DEVICES, sizeof devices, devices, nullptr);
  return devices[0];
}

template <typename Function> Function *extension(cl_context context, const char *name) {
  cl_platform_id platform = nullptr;
  const cl_device_id device = firstDevice(context);
  if (!device || ACIS_CL(clGetDeviceInfo)(device, CL_DEVICE_PLATFORM, sizeof platform, &platform,
                                          nullptr) != CL_SUCCESS)
    return nullptr;
  return reinterpret_cast<Function *>(
      ACIS_CL(clGetExtensionFunctionAddressForPlatform)(platform, name));
}

} // namespace

Export::Export(ExportKind kind, int descriptor, size_t bytes)
    : kind(kind), descriptor(descriptor), bytes(bytes), number(++exports) {}

Export::~Export() { close(descriptor); }

std::shared_ptr<Context> importer() {
  std::lock_guard lock(theImporter().mutex);
  return theImporter().context;
}

/// Its queue holds OpenCL's context.
void keepImporter(std::shared_ptr<Context> context) {
  std::string why;
  if (context && !context->queue(Direction::Send, why))
    return;
  std::lock_guard lock(theImporter().mutex);
  theImporter().context = std::move(context);
}

cl_mem makeExportable(cl_context context, cl_mem_flags flags, size_t size, const void *host,
                      std::shared_ptr<Export> &made) {
  if (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | ExtendedPointer))
    return nullptr;
  auto *get = extension<GetDescriptor>(context, "xclGetMemObjectFd");
  if (!get || !extension<FromDescriptor>(context, "xclGetMemObjectFromFd"))
    return nullptr;
  ExtendedMemory memory{PeerToPeer, const_cast<void *>(host), nullptr};
  cl_mem buffer = ACIS_CL(clCreateBuffer)(context, flags | ExtendedPointer, size, &memory, nullptr);
  if (!buffer)
    return nullptr;
  int descriptor = -1;
  if (get(buffer, &descriptor) != CL_SUCCESS || descriptor < 0) {
    ACIS_CL(clReleaseMemObject)(buffer);
    return nullptr;
  }
  made = std::make_shared<Export>(ExportKind::Device, descriptor, size);
  return buffer;
}

Result<std::shared_ptr<Import>> Import::make(ExportKind kind, int descriptor, size_t bytes) {
  std::shared_ptr<Import> made(new Import(kind, descriptor, bytes));
  if (kind == ExportKind::Device)
    return made;
  void *at = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  if (at == MAP_FAILED)
    return Error{"", "another rank's memory cannot be mapped: " + std::string(strerror(errno))};
  made->mapped = static_cast<const char *>(at);
  return made;
}

Import::~Import() {
  if (mapped)
    munmap(const_cast<char *>(mapped), bytes);
  for (const std::shared_ptr<Buffer> &buffer : buffers)
    ACIS_CL(clReleaseMemObject)(buffer->handle);
  close(descriptor);
}

Result<Place> Import::in(std::shared_ptr<Context> context, size_t offset, size_t length) {
  std::lock_guard lock(mutex);
  if (!context)
    context = importer();
  const auto known =
      std::ranges::find_if(buffers, [&](const auto &one) { return one->context == context; });
  if (known != buffers.end())
    return Place{Kind::Pointer, *known, offset, length, 0};
  auto *import =
      context ? extension<FromDescriptor>(context->handle(), "xclGetMemObjectFromFd") : nullptr;
  auto buffer = std::make_shared<Buffer>();
  const cl_int code = import ? import(context->handle(), firstDevice(context->handle()),
                                      CL_MEM_READ_ONLY, descriptor, &buffer->handle)
                             : CL_INVALID_OPERATION;
  if (code != CL_SUCCESS)
    return Error{"", "another rank's device memory cannot be imported: OpenCL error " +
                         std::to_string(code)};
  buffer->context = context;
  buffer->size = bytes;
  buffers.push_back(buffer);
  return Place{Kind::Pointer, buffer, offset, length, 0};
}

} // namespace acis::device
