// Files through POSIX calls: mkstemp gives a name nobody else has.
#include "runtime/io/Files.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace acis::io {

namespace {

Error systemError(const std::string &path, const std::string &what) {
  return {path, what + ": " + std::strerror(errno)};
}

/// Closes at the end of the scope.
struct Descriptor {
  int number;
  ~Descriptor() { ::close(number); }
};

} // namespace

Result<std::vector<uint8_t>> readFile(const std::string &path) {
  int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0)
    return systemError(path, "cannot open the file");
  Descriptor file{number};
  std::vector<uint8_t> bytes;
  struct stat status{};
  if (::fstat(number, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    bytes.reserve(static_cast<size_t>(status.st_size));
  constexpr size_t chunk = 1 << 16;
  for (;;) {
    size_t used = bytes.size();
    bytes.resize(used + chunk);
    ssize_t count = ::read(number, bytes.data() + used, chunk);
    bytes.resize(used + (count > 0 ? static_cast<size_t>(count) : 0));
    if (count == 0)
      return bytes;
    if (count < 0 && errno != EINTR)
      return systemError(path, "cannot read the file");
  }
}

Result<OutputFile> OutputFile::create(const std::string &path) {
  OutputFile file;
  file.path = path;
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    // A device or a pipe cannot be replaced.
    file.descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file.descriptor < 0)
      return systemError(path, "cannot write the file");
    return file;
  }
  file.temporary = path + ".XXXXXX";
  file.descriptor = ::mkstemp(file.temporary.data());
  if (file.descriptor < 0) {
    file.temporary.clear();
    return systemError(path, "cannot create the file");
  }
  // mkstemp gives 0600; the file is to be as any other that is written.
  mode_t mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(file.descriptor, 0666 & ~mask) != 0)
    return systemError(path, "cannot create the file");
  return file;
}

OutputFile::OutputFile(OutputFile &&other) noexcept
    : path(std::move(other.path)), temporary(std::exchange(other.temporary, {})),
      descriptor(std::exchange(other.descriptor, -1)) {}

OutputFile::~OutputFile() {
  if (descriptor >= 0)
    ::close(descriptor);
  if (!temporary.empty())
    ::unlink(temporary.c_str());
}

Status OutputFile::write(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return systemError(path, "cannot write the file");
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return Status::ok();
}

Status OutputFile::commit() {
  if (::close(std::exchange(descriptor, -1)) != 0)
    return systemError(path, "cannot write the file");
  if (temporary.empty())
    return Status::ok();
  if (::rename(temporary.c_str(), path.c_str()) != 0)
    return systemError(path, "cannot name the file");
  temporary.clear();
  return Status::ok();
}

Status writeFile(const std::string &path, std::span<const uint8_t> bytes) {
  Result<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.error();
  if (Status status = file->write(bytes); !status)
    return status;
  return file->commit();
}

} // namespace acis::io
