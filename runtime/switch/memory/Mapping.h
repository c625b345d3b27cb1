// The bytes of a region: of this process, or of a file.
#pragma once

#include "backend/support/Result.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace acis::memory {

class Mapping {
public:
  static Result<Mapping> anonymous(uint64_t bytes);
  /// Made if it is not there or empty; else it has to have these bytes (0: those that it has).
  /// One process has it at a time. What is written is in the file even if the process is killed.
  static Result<Mapping> file(const std::string &path, uint64_t bytes);

  Mapping(Mapping &&other) noexcept
      : region(std::exchange(other.region, {})), descriptor(std::exchange(other.descriptor, -1)),
        path(std::move(other.path)) {}
  ~Mapping();

  std::span<uint8_t> bytes() const { return region; }
  bool isFile() const { return descriptor >= 0; }
  /// Returns when the disk has it.
  Status save() const;

private:
  Mapping() = default;
  std::span<uint8_t> region;
  int descriptor = -1;
  std::string path;
};

} // namespace acis::memory
