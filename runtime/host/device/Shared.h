// Buffers on devices whose memory is the host's own, such as a processor: they are made in
// fine-grained shared memory (OpenCL 2.0), where the host reads and writes a buffer's bytes without
// a map. MPI then uses them in place, and nothing is copied for it. Those that are to be exported
// (Export.h) are made in a file that both map; that the device has no other copy is asked of it.
#pragma once

#include <CL/cl.h>

#include <memory>

namespace acis::device {

struct Export;

struct SharedBuffer {
  cl_mem made = nullptr;
  char *bytes = nullptr;
  std::shared_ptr<Export> exported;
  explicit operator bool() const { return made != nullptr; }
};

/// None where a device of the context has memory of its own or no fine-grained shared memory, where
/// the program says where the bytes are to be, or ACIS_DEVICE_SHARED=0.
SharedBuffer makeShared(cl_context context, cl_mem_flags flags, size_t size, const void *host);

} // namespace acis::device
