// Whole files in and out. An output file appears under its name only when it is
// complete: it is written beside it and renamed.
#pragma once

#include "backend/support/Result.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace acis::io {

Result<std::vector<uint8_t>> readFile(const std::string &path);

class OutputFile {
public:
  static Result<OutputFile> create(const std::string &path);
  OutputFile(OutputFile &&other) noexcept;
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  /// Removes what was not committed.
  ~OutputFile();

  Status write(std::span<const uint8_t> bytes);
  /// Gives the file its name. Nothing is written after it.
  Status commit();

private:
  OutputFile() = default;

  std::string path, temporary; ///< temporary is empty when it writes to path itself
  int descriptor = -1;
};

/// All three steps.
Status writeFile(const std::string &path, std::span<const uint8_t> bytes);

} // namespace acis::io
