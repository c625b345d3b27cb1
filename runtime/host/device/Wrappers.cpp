// OpenCL's functions that make, map and release memory: each calls the real one and tells the
// registry. A failed call changes nothing there.
#include "runtime/host/device/Choices.h"
#include "runtime/host/device/Export.h"
#include "runtime/host/device/OpenCl.h"
#include "runtime/host/device/Registry.h"
#include "runtime/host/device/Shared.h"
#include "runtime/host/device/acis_device.h"

using acis::device::registry;

extern "C" {

CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                               void *host, cl_int *code) {
  std::shared_ptr<acis::device::Export> exported;
  if (cl_mem made = acis::device::settings().exports
                        ? acis::device::makeExportable(context, flags, size, host, exported)
                        : nullptr) {
    registry().addBuffer(made, context, flags, size, host, nullptr, exported);
    if (!acis::device::importer())
      acis::device::keepImporter(registry().contextOf(made));
    if (code)
      *code = CL_SUCCESS;
    return made;
  }
  if (const acis::device::SharedBuffer shared =
          acis::device::makeShared(context, flags, size, host)) {
    registry().addBuffer(shared.made, context, flags, size, host, shared.bytes, shared.exported);
    if (code)
      *code = CL_SUCCESS;
    return shared.made;
  }
  cl_mem made = ACIS_CL(clCreateBuffer)(context, flags, size, host, code);
  if (made)
    registry().addBuffer(made, context, flags, size, host);
  return made;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context,
                                                             const cl_mem_properties *properties,
                                                             cl_mem_flags flags, size_t size,
                                                             void *host, cl_int *code) {
  cl_mem made = ACIS_CL(clCreateBufferWithProperties)(context, properties, flags, size, host, code);
  if (made)
    registry().addBuffer(made, context, flags, size, host);
  return made;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateSubBuffer(cl_mem whole, cl_mem_flags flags,
                                                  cl_buffer_create_type type, const void *info,
                                                  cl_int *code) {
  cl_mem made = ACIS_CL(clCreateSubBuffer)(whole, flags, type, info, code);
  if (made && type == CL_BUFFER_CREATE_TYPE_REGION) {
    const auto *region = static_cast<const cl_buffer_region *>(info);
    registry().addPart(made, whole, region->origin, region->size, flags);
  }
  return made;
}

CL_API_ENTRY cl_int CL_API_CALL clRetainMemObject(cl_mem memory) {
  const cl_int code = ACIS_CL(clRetainMemObject)(memory);
  if (code == CL_SUCCESS)
    registry().retain(memory);
  return code;
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseMemObject(cl_mem memory) {
  // Before the real one: after it another thread may get the same handle.
  registry().release(memory);
  return ACIS_CL(clReleaseMemObject)(memory);
}

CL_API_ENTRY void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory,
                                                  cl_bool isBlocking, cl_map_flags flags,
                                                  size_t offset, size_t size, cl_uint count,
                                                  const cl_event *events, cl_event *event,
                                                  cl_int *code) {
  void *at = ACIS_CL(clEnqueueMapBuffer)(queue, memory, isBlocking, flags, offset, size, count,
                                         events, event, code);
  if (at)
    registry().map(memory, at, offset, size, flags);
  return at;
}

/// CL_INVALID_OPERATION while a message of MPI is under way there: the memory stays mapped, and the
/// message's own call says why.
CL_API_ENTRY cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory,
                                                        void *at, cl_uint count,
                                                        const cl_event *events, cl_event *event) {
  if (!registry().unmap(memory, at))
    return CL_INVALID_OPERATION;
  return ACIS_CL(clEnqueueUnmapMemObject)(queue, memory, at, count, events, event);
}

CL_API_ENTRY void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                                          cl_uint alignment) {
  void *made = ACIS_CL(clSVMAlloc)(context, flags, size, alignment);
  if (made && !(flags & CL_MEM_SVM_FINE_GRAIN_BUFFER))
    registry().addSvm(made, context, size);
  return made;
}

CL_API_ENTRY void CL_API_CALL clSVMFree(cl_context context, void *at) {
  registry().releaseSvm(at);
  ACIS_CL(clSVMFree)(context, at);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue queue, cl_bool isBlocking,
                                                cl_map_flags flags, void *at, size_t size,
                                                cl_uint count, const cl_event *events,
                                                cl_event *event) {
  const cl_int code =
      ACIS_CL(clEnqueueSVMMap)(queue, isBlocking, flags, at, size, count, events, event);
  if (code == CL_SUCCESS)
    registry().mapSvm(at, size, flags);
  return code;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue queue, void *at, cl_uint count,
                                                  const cl_event *events, cl_event *event) {
  if (!registry().unmapSvm(at))
    return CL_INVALID_OPERATION;
  return ACIS_CL(clEnqueueSVMUnmap)(queue, at, count, events, event);
}

void *acis_device_pointer(cl_mem buffer) { return registry().pointer(buffer); }

int acis_device_name(cl_mem buffer, const char *name) {
  return name && registry().setName(buffer, name) ? 0 : -1;
}

} // extern "C"
