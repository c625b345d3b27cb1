// See Shared.h.
#include "runtime/host/device/Shared.h"

#include "runtime/host/device/Choices.h"
#include "runtime/host/device/Export.h"
#include "runtime/host/device/OpenCl.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace acis::device {

namespace {

bool shares(cl_device_id device) {
  cl_bool isUnified = CL_FALSE;
  cl_device_svm_capabilities svm = 0;
  ACIS_CL(clGetDeviceInfo)
  (device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof isUnified, &isUnified, nullptr);
  ACIS_CL(clGetDeviceInfo)(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, nullptr);
  return isUnified && (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
}

bool allShare(cl_context context) {
  size_t bytes = 0;
  if (ACIS_CL(clGetContextInfo)(context, CL_CONTEXT_DEVICES, 0, nullptr, &bytes) != CL_SUCCESS)
    return false;
  std::vector<cl_device_id> devices(bytes / sizeof(cl_device_id));
  ACIS_CL(clGetContextInfo)(context, CL_CONTEXT_DEVICES, bytes, devices.data(), nullptr);
  return !devices.empty() && std::ranges::all_of(devices, shares);
}

struct Memory {
  cl_context context = nullptr;
  void *bytes = nullptr;
  size_t mapped = 0; ///< bytes of a file; 0: shared memory of OpenCL
  int descriptor = -1;

  void release() const {
    if (mapped)
      munmap(bytes, mapped);
    else
      ACIS_CL(clSVMFree)(context, bytes);
  }
};

/// After the last use of the buffer, which has held the context until now.
void CL_CALLBACK release(cl_mem, void *memory) {
  const auto *one = static_cast<Memory *>(memory);
  one->release();
  delete one;
}

Memory sharedMemory(cl_context context, size_t size) {
  return {context,
          ACIS_CL(clSVMAlloc)(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, size, 0)};
}

Memory exportedMemory(cl_context context, size_t size) {
  const int descriptor = memfd_create("acis-device", MFD_CLOEXEC);
  if (descriptor < 0)
    return {};
  void *at = ftruncate(descriptor, off_t(size)) == 0
                 ? mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
                 : MAP_FAILED;
  if (at == MAP_FAILED) {
    close(descriptor);
    return {};
  }
  return {context, at, size, descriptor};
}

/// Whether a map is the memory itself.
bool isTheMemory(cl_context context, cl_mem buffer, const Memory &memory) {
  cl_device_id devices[64] = {};
  ACIS_CL(clGetContextInfo)(context, CL_CONTEXT_DEVICES, sizeof devices, devices, nullptr);
  cl_command_queue queue =
      ACIS_CL(clCreateCommandQueueWithProperties)(context, devices[0], nullptr, nullptr);
  if (!queue)
    return false;
  void *at = ACIS_CL(clEnqueueMapBuffer)(queue, buffer, CL_TRUE, CL_MAP_READ, 0, memory.mapped, 0,
                                         nullptr, nullptr, nullptr);
  if (at)
    ACIS_CL(clEnqueueUnmapMemObject)(queue, buffer, at, 0, nullptr, nullptr);
  ACIS_CL(clFinish)(queue);
  ACIS_CL(clReleaseCommandQueue)(queue);
  return at == memory.bytes;
}

} // namespace

SharedBuffer makeShared(cl_context context, cl_mem_flags flags, size_t size, const void *host) {
  // What is beyond these the device's own OpenCL may give a meaning to, which is kept.
  constexpr cl_mem_flags Plain = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY |
                                 CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_WRITE_ONLY |
                                 CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
  const bool copies = flags & CL_MEM_COPY_HOST_PTR;
  if (!settings().shares || (flags & ~Plain) || size == 0 || copies != (host != nullptr) ||
      !allShare(context))
    return {};
  const Memory memory =
      settings().exports ? exportedMemory(context, size) : sharedMemory(context, size);
  if (!memory.bytes)
    return {};
  SharedBuffer shared{nullptr, static_cast<char *>(memory.bytes), nullptr};
  if (memory.mapped)
    shared.exported = std::make_shared<Export>(ExportKind::Host, memory.descriptor, size);
  if (copies)
    std::memcpy(memory.bytes, host, size);
  flags = (flags & ~cl_mem_flags(CL_MEM_COPY_HOST_PTR)) | CL_MEM_USE_HOST_PTR;
  cl_mem made = ACIS_CL(clCreateBuffer)(context, flags, size, memory.bytes, nullptr);
  if (!made) {
    memory.release();
    return {};
  }
  ACIS_CL(clSetMemObjectDestructorCallback)(made, release, new Memory(memory));
  if (memory.mapped && !isTheMemory(context, made, memory)) {
    ACIS_CL(clReleaseMemObject)(made);
    return {};
  }
  shared.made = made;
  return shared;
}

} // namespace acis::device
