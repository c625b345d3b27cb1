// NumPy's .npy files: one array of little-endian numbers.
#pragma once

#include "backend/support/Result.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace acis::io {

struct NpyHeader {
  std::string descr;           ///< "<f4", "<i4", "|u1", ...
  unsigned itemBytes = 0;      ///< 1, 2, 4, 8
  std::vector<uint64_t> shape; ///< empty: one number
  size_t headerBytes = 0;      ///< the data starts here and ends with the file
};

/// Is this a type that a stream can carry: integers and floats of 1 to 8 bytes,
/// little-endian?
Status parseDescr(const std::string &descr, unsigned &itemBytes);

/// Reads the header and checks that exactly the array's bytes follow. The bytes may
/// be hostile. Errors have no `where`.
Result<NpyHeader> parseNpy(std::span<const uint8_t> file);

/// The header of a version 1.0 file.
std::vector<uint8_t> makeNpyHeader(const std::string &descr, std::span<const uint64_t> shape);

} // namespace acis::io
