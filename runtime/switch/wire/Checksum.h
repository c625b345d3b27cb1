// XXH3 with 128 bits and no seed, by the widest vectors that the machine has. The same value by
// all of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace acis::wire {

struct Checksum {
  uint64_t low = 0, high = 0;
};

Checksum checksum(const void *bytes, size_t size);

/// Which way is taken: "AVX-512", "AVX2", or "plain", what the compiler was told to use.
const char *checksumVectors();

namespace detail {
using ChecksumWay = Checksum (*)(const void *bytes, size_t size);
Checksum checksumPlain(const void *bytes, size_t size);
/// On x86-64 (ACIS_WIDE_CHECKSUMS); to be called where the machine has the instructions.
Checksum checksumAvx2(const void *bytes, size_t size);
Checksum checksumAvx512(const void *bytes, size_t size);
} // namespace detail

} // namespace acis::wire
