// The program's device memory: every OpenCL buffer and SVM allocation since it began, by handle and
// by the addresses that stand for it.
//
// An address stands for device memory in one of four ways.
//   Mapped   between clEnqueueMapBuffer and clEnqueueUnmapMemObject. It is host memory, which
//            OpenCL brings to the device when it is unmapped: MPI uses it directly.
//   Pointer  from acis_device_pointer: reserved, never accessible.
//   Kept     an address that was mapped, of a buffer whose address OpenCL keeps for its life
//            (CL_MEM_USE_HOST_PTR), or that the user says is kept (ACIS_DEVICE_KEEP=1). Other
//            addresses are forgotten at unmap: malloc may give them to something else.
//   Svm      coarse-grained shared memory that is not mapped. Fine-grained memory is ordinary
//   memory.
// All but Mapped are copied to and from the device by Copy.h.
//
// The functions take a lock, except mayHold.
#pragma once

#include "runtime/host/device/Ranges.h"

#include <CL/cl.h>

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace acis::device {

/// Which way bytes go, seen from the device.
enum class Direction { Send, Receive };

/// A context of the program, with a queue of ours for each direction on its first device, so that
/// neither waits for the other. Made when they are first needed: a queue holds the context, so it
/// goes with the last buffer.
class Context {
public:
  explicit Context(cl_context context) : context(context) {}
  ~Context();
  /// Null and `why` without a device.
  cl_command_queue queue(Direction direction, std::string &why);
  cl_context handle() const { return context; }

private:
  cl_context context;
  std::mutex mutex;
  std::array<cl_command_queue, 2> made{};
};

struct Export;

enum class Kind { Mapped, Pointer, Kept, Svm };

struct Buffer {
  cl_mem handle = nullptr; ///< null for SVM
  char *svm = nullptr;
  size_t size = 0;
  cl_mem_flags flags = 0;
  std::shared_ptr<Context> context;
  std::shared_ptr<Buffer> whole; ///< of a sub-buffer
  size_t origin = 0;             ///< in `whole`
  /// Its bytes, also while it is not mapped: the device's memory is the host's (Shared.h).
  char *shared = nullptr;
  std::shared_ptr<Export> exported; ///< where other processes can use it

  // Under the registry's lock.
  std::string name;
  unsigned references = 1; ///< of the program
  unsigned parts = 0;      ///< sub-buffers that are not released
  void *pointer = nullptr; ///< see acis_device_pointer
  /// Released by the program, its parts too.
  bool isGone() const { return references == 0 && parts == 0; }
};

/// Addresses of a buffer. Sub-buffers are not named here: it is a whole one.
struct Window {
  Range range;
  std::shared_ptr<Buffer> buffer;
  size_t offset = 0; ///< of the first address
  Kind kind = Kind::Pointer;
  cl_map_flags mapFlags = 0; ///< of Mapped
  void *mappedAt = nullptr;  ///< what the program unmaps
  uint64_t number = 0;       ///< of Mapped: an address may be mapped more than once
  unsigned messages = 0;     ///< of MPI, under way; it is not unmapped before they have ended
  bool isToldOff = false;    ///< the program tried to
};

/// Flags of a map that the program may write to.
constexpr cl_map_flags WritingMap = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

class Registry {
public:
  /// False for ordinary memory: no lock, no write.
  bool mayHold(const void *address) const noexcept { return ranges.contains(address); }
  /// By value, as it is now.
  std::optional<Window> find(const void *address);

  /// `host`: of CL_MEM_USE_HOST_PTR.
  void addBuffer(cl_mem handle, cl_context context, cl_mem_flags flags, size_t size, void *host,
                 char *shared = nullptr, std::shared_ptr<Export> exported = nullptr);
  void addPart(cl_mem handle, cl_mem whole, size_t origin, size_t size, cl_mem_flags flags);
  void addSvm(void *at, cl_context context, size_t size);
  void retain(cl_mem handle);
  /// One reference of the program's.
  void release(cl_mem handle);
  void releaseSvm(void *at);

  void map(cl_mem handle, void *at, size_t offset, size_t size, cl_map_flags flags);
  void mapSvm(void *at, size_t size, cl_map_flags flags);
  /// False, and nothing is changed, while a message is under way there.
  bool unmap(cl_mem handle, void *at);
  bool unmapSvm(void *at);

  void *pointer(cl_mem handle);
  bool setName(cl_mem handle, const char *name);
  /// For errors: its name or handle, with its size.
  std::string describe(const Buffer &buffer);

  /// A message on mapped memory begins: false when it is not mapped any more. When it ends: whether
  /// the program tried to unmap it.
  bool beginMessage(uint64_t window);
  bool endMessage(uint64_t window);
  bool isGone(const Buffer &buffer);
  /// Null: no buffer of this handle.
  std::shared_ptr<Context> contextOf(cl_mem handle);

private:
  std::shared_ptr<Buffer> whole(cl_mem handle);
  Window *at(const void *address);
  Window *numbered(uint64_t number);
  void addMap(Window window);
  void drop(const std::shared_ptr<Buffer> &buffer);
  bool unmapAt(const std::shared_ptr<Buffer> &buffer, void *at);
  void publish();

  std::mutex mutex;
  Ranges ranges;
  std::map<cl_mem, std::shared_ptr<Buffer>> buffers;
  std::map<void *, std::shared_ptr<Buffer>> svm;
  std::map<cl_context, std::weak_ptr<Context>> contexts;
  /// Few: the program's maps, and one of each buffer with a pointer.
  std::vector<Window> windows;
  uint64_t maps = 0; ///< since the program began

  std::shared_ptr<Context> contextOf(cl_context context);
};

/// Of this process; never destroyed.
Registry &registry();

} // namespace acis::device
