#include "runtime/switch/wire/Checksum.h"

namespace acis::wire {

namespace {

struct Choice {
  detail::ChecksumWay way;
  const char *vectors;
};

Choice choose() {
#ifdef ACIS_WIDE_CHECKSUMS
  if (__builtin_cpu_supports("avx512f"))
    return {detail::checksumAvx512, "AVX-512"};
  if (__builtin_cpu_supports("avx2"))
    return {detail::checksumAvx2, "AVX2"};
#endif
  return {detail::checksumPlain, "plain"};
}

const Choice &choice() {
  static const Choice chosen = choose();
  return chosen;
}

} // namespace

Checksum checksum(const void *bytes, size_t size) { return choice().way(bytes, size); }

const char *checksumVectors() { return choice().vectors; }

} // namespace acis::wire
