// Memory of a buffer that other processes of this host can use, by a file descriptor. Buffers are
// made for it when the user asks (ACIS_DEVICE_P2P=1): it may make them slower.
//
//   Device  the device's own memory, where its OpenCL exports and imports it: the calls of Xilinx's
//           runtime (xclGetMemObjectFd, xclGetMemObjectFromFd) that publication 002 uses
//   Host    of a device whose memory is the host's (Shared.h): an anonymous file that both map
#pragma once

#include "runtime/host/device/Copy.h"

#include <cstdint>
#include <string>

namespace acis::device {

enum class ExportKind : uint32_t { Device, Host };

struct Export {
  Export(ExportKind kind, int descriptor, size_t bytes);
  ~Export();
  Export(const Export &) = delete;

  const ExportKind kind;
  const int descriptor;
  const size_t bytes;
  const uint64_t number; ///< of no other one of this process, before or after
};

/// The context of such a buffer, kept so that this process can always import what it said it can:
/// into ordinary memory, too. Null: there was none.
std::shared_ptr<Context> importer();
void keepImporter(std::shared_ptr<Context> context);

/// A buffer whose memory can be exported; none where that cannot be.
cl_mem makeExportable(cl_context context, cl_mem_flags flags, size_t size, const void *host,
                      std::shared_ptr<Export> &made);

/// Another process's memory, here.
class Import {
public:
  /// Owns the descriptor.
  static Result<std::shared_ptr<Import>> make(ExportKind kind, int descriptor, size_t bytes);
  ~Import();

  const ExportKind kind;
  const size_t bytes;
  const char *mapped = nullptr; ///< of Host
  /// Of Device: as a buffer of a context (null: of importer()).
  Result<Place> in(std::shared_ptr<Context> context, size_t offset, size_t bytes);

private:
  Import(ExportKind kind, int descriptor, size_t bytes)
      : kind(kind), bytes(bytes), descriptor(descriptor) {}
  int descriptor;
  std::mutex mutex;
  std::vector<std::shared_ptr<Buffer>> buffers; ///< one of each context
};

} // namespace acis::device
