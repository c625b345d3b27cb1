#include "runtime/switch/memory/Mapping.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace acis::memory {

namespace {

std::span<uint8_t> map(uint64_t bytes, int flags, int descriptor) {
  void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, descriptor, 0);
  return at == MAP_FAILED ? std::span<uint8_t>() : std::span(static_cast<uint8_t *>(at), bytes);
}

Error problem(const std::string &where, const std::string &what) {
  return {where, what + ": " + std::strerror(errno)};
}

} // namespace

Result<Mapping> Mapping::anonymous(uint64_t bytes) {
  Mapping made;
  made.region = map(bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
  if (made.region.empty())
    return problem("region", std::to_string(bytes) + " bytes cannot be had");
  return made;
}

Result<Mapping> Mapping::file(const std::string &path, uint64_t bytes) {
  Mapping made;
  made.path = path;
  made.descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (made.descriptor < 0)
    return problem(path, "cannot be opened");
  if (flock(made.descriptor, LOCK_EX | LOCK_NB) != 0)
    return Error{path, "is in use by another memory node"};
  struct stat status;
  if (fstat(made.descriptor, &status) != 0)
    return problem(path, "cannot be read");
  if (!S_ISREG(status.st_mode))
    return Error{path, "is not a file"};
  const uint64_t found = uint64_t(status.st_size);
  if (found == 0 && bytes == 0)
    return Error{path, "is new; say how large it is to be with --region"};
  if (found != 0 && bytes != 0 && found != bytes)
    return Error{path, "has " + std::to_string(found) + " bytes and not " + std::to_string(bytes) +
                           "; leave --region out to use it as it is"};
  if (found == 0 && posix_fallocate(made.descriptor, 0, off_t(bytes)) != 0)
    return Error{path, std::to_string(bytes) + " bytes cannot be had"};
  made.region = map(found ? found : bytes, MAP_SHARED, made.descriptor);
  if (made.region.empty())
    return problem(path, "cannot be mapped");
  return made;
}

Status Mapping::save() const {
  if (isFile() && msync(region.data(), region.size(), MS_SYNC) != 0)
    return problem(path, "cannot be saved");
  return {};
}

Mapping::~Mapping() {
  if (!region.empty())
    munmap(region.data(), region.size());
  if (descriptor >= 0)
    close(descriptor);
}

} // namespace acis::memory
