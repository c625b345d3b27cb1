// Device memory that other processes import, for the layer with separate memory: the calls of
// Xilinx's runtime, with the device's memory in an anonymous file. Host memory is another.
#pragma once

#include <CL/cl_icd.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

namespace separate {

constexpr cl_mem_flags ExtendedPointer = cl_mem_flags(1) << 31;
constexpr unsigned PeerToPeer = 1u << 30;
struct ExtendedMemory {
  unsigned flags;
  void *host;
  void *parameter;
};

class Exports {
public:
  explicit Exports(const cl_icd_dispatch &below) : below(below) {}

  static bool areAsked() {
    static const char *text = std::getenv("ACIS_TEST_DEVICE_EXPORTS");
    return text && std::strcmp(text, "1") == 0;
  }

  /// A buffer below, in memory of a descriptor (-1: a new one).
  cl_mem make(cl_context context, cl_mem_flags flags, size_t size, int descriptor, cl_int *code) {
    const bool isNew = descriptor < 0;
    if (isNew)
      descriptor = memfd_create("separate", MFD_CLOEXEC);
    else
      descriptor = dup(descriptor);
    if (isNew && ftruncate(descriptor, off_t(size)) != 0)
      return nullptr;
    void *at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (at == MAP_FAILED)
      return nullptr;
    flags &= CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    cl_mem made = below.clCreateBuffer(context, flags | CL_MEM_USE_HOST_PTR, size, at, code);
    std::lock_guard lock(mutex);
    memory[made] = {descriptor, at, size};
    return made;
  }

  cl_int descriptorOf(cl_mem buffer, int *descriptor) {
    std::lock_guard lock(mutex);
    const auto found = memory.find(buffer);
    if (found == memory.end())
      return CL_INVALID_MEM_OBJECT;
    *descriptor = dup(found->second.descriptor);
    return CL_SUCCESS;
  }

  void fill(cl_mem buffer, const void *from) {
    std::lock_guard lock(mutex);
    std::memcpy(memory.at(buffer).at, from, memory.at(buffer).size);
  }

  void release(cl_mem buffer) {
    std::lock_guard lock(mutex);
    const auto found = memory.find(buffer);
    if (found == memory.end())
      return;
    munmap(found->second.at, found->second.size);
    close(found->second.descriptor);
    memory.erase(found);
  }

private:
  struct Memory {
    int descriptor;
    void *at;
    size_t size;
  };
  const cl_icd_dispatch &below;
  std::mutex mutex;
  std::map<cl_mem, Memory> memory;
};

} // namespace separate
